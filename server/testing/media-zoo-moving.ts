import { readFileSync } from 'node:fs';
import * as webcodecs from '@napi-rs/webcodecs';
import {
  ALL_FORMATS,
  AudioSample,
  AudioSampleSource,
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from 'mediabunny';

Object.assign(globalThis, webcodecs);

const box = (): Uint8Array => readFileSync(new URL('../../demo/clips/video/box.mp4', import.meta.url));

const finish = async (output: Output<OutputFormat, BufferTarget>): Promise<Uint8Array> => {
  await output.finalize();
  return new Uint8Array(output.target.buffer as ArrayBuffer);
};

/** The demo’s film of a box in another order of its parts; `stretch` gives frames a duration of their own. */
export async function remux(
  format: OutputFormat,
  stretch: (timestamp: number, index: number) => number = (timestamp) => timestamp,
  rotation: 0 | 90 = 0,
): Promise<Uint8Array> {
  const input = new Input({ source: new BufferSource(box()), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track?.codec) throw new Error('The film has no video.');
  const output = new Output({ format, target: new BufferTarget() });
  const source = new EncodedVideoPacketSource(track.codec);
  output.addVideoTrack(source, { rotation });
  await output.start();
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
  let index = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const moved = packet.clone({ timestamp: stretch(packet.timestamp, index) });
    await source.add(moved, { decoderConfig });
    index += 1;
  }
  input.dispose();
  return finish(output);
}

export const mp4 = (fastStart: false | 'in-memory' | 'fragmented') => new Mp4OutputFormat({ fastStart });

/** A film of moving bars, coded anew. */
export async function filmBars(
  codec: 'vp8' | 'vp9' | 'av1',
  format: OutputFormat = new WebMOutputFormat(),
  { width = 64, height = 48, frames = 20 } = {},
): Promise<Uint8Array> {
  const output = new Output({ format, target: new BufferTarget() });
  const source = new VideoSampleSource({ codec, bitrate: 200_000, keyFrameInterval: 1 });
  output.addVideoTrack(source, { frameRate: 10 });
  await output.start();
  for (let frame = 0; frame < frames; frame++) {
    const luma = Uint8Array.from({ length: width * height }, (_none, at) =>
      Math.floor(((at % width) + frame) / 8) % 2 === 0 ? 200 : 40,
    );
    const pixels = Buffer.concat([luma, Buffer.alloc((width * height) / 2, 110)]);
    const sample = new VideoSample(pixels, {
      format: 'I420',
      codedWidth: width,
      codedHeight: height,
      timestamp: frame / 10,
      duration: 0.1,
    });
    await source.add(sample);
    sample.close();
  }
  return finish(output);
}

/** A second of sound, coded. */
export async function codeSound(
  codec: 'opus' | 'aac' | 'flac',
  format: OutputFormat,
  channels = 1,
): Promise<Uint8Array> {
  const output = new Output({ format, target: new BufferTarget() });
  const source = new AudioSampleSource({ codec, bitrate: 64_000 });
  output.addAudioTrack(source);
  await output.start();
  const sampleRate = 48_000;
  const data = Float32Array.from(
    { length: sampleRate * channels },
    (_none, at) => Math.sin((at / channels / sampleRate) * 880 * Math.PI) * 0.7,
  );
  const sample = new AudioSample({
    data,
    format: 'f32',
    numberOfChannels: channels,
    sampleRate,
    timestamp: 0,
  });
  await source.add(sample);
  sample.close();
  return finish(output);
}

/** A WAV of 16 bits with a tone, or silence, in every channel. */
export function wav({ channels = 1, seconds = 0.5, loudness = 0.8, rate = 8000 } = {}): Uint8Array {
  const samples = Math.round(seconds * rate) * channels;
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * channels * 2, 28);
  bytes.writeUInt16LE(channels * 2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at++)
    bytes.writeInt16LE(Math.round(Math.sin(Math.floor(at / channels) / 3) * loudness * 32_000), 44 + at * 2);
  return bytes;
}

/** A film whose index tells of other numbers: the word at `offset` of every box of a type. */
export function lyingFilm(
  film: Uint8Array,
  type: string,
  { offset, value }: { offset: number; value: number },
): Uint8Array {
  const bytes = Buffer.from(film);
  for (let at = bytes.indexOf(type); at >= 0; at = bytes.indexOf(type, at + 1))
    bytes.writeUInt32BE(value, at + 4 + offset);
  return bytes;
}
