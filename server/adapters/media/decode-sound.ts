import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { ALL_FORMATS, AudioSampleSink, BufferSource, Input } from 'mediabunny';
import { MPEGDecoder } from 'mpg123-decoder';
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { AppError } from '#shared/api/problem.ts';
import { loadNativeCodecs } from './native-codecs.ts';

interface WholeFileDecoder {
  ready: Promise<void>;
  free(): void;
}

/** Samples of −1 to 1, one array per channel. */
type Channels = readonly Float32Array[];

async function withDecoder<D extends WholeFileDecoder>(
  decoder: D,
  decode: (ready: D) => Promise<{ channelData: Channels }>,
): Promise<Channels> {
  await decoder.ready;
  try {
    return (await decode(decoder)).channelData;
  } finally {
    decoder.free();
  }
}

const isOpus = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 256)).includes('OpusHead');

/** Decodes a whole sound. Throws AppError INVALID_FILE or UNSUPPORTED_MEDIA. */
export async function decodeSound(bytes: Uint8Array, contentType: string): Promise<Channels> {
  const channels = await decodeByType(bytes, contentType);
  if ((channels[0]?.length ?? 0) === 0)
    throw new AppError({
      code: 'INVALID_FILE',
      message: 'The sound has no samples.',
      hint: 'Download it to look at the file.',
    });
  return channels;
}

function decodeByType(bytes: Uint8Array, contentType: string): Promise<Channels> {
  switch (contentType) {
    case 'audio/ogg':
      return isOpus(bytes)
        ? withDecoder(new OggOpusDecoder(), (decoder) => decoder.decodeFile(bytes))
        : withDecoder(new OggVorbisDecoder(), (decoder) => decoder.decodeFile(bytes));
    case 'audio/flac':
      return withDecoder(new FLACDecoder(), (decoder) => decoder.decodeFile(bytes));
    case 'audio/mpeg':
      return withDecoder(new MPEGDecoder(), async (decoder) => decoder.decode(bytes));
    default:
      return decodeByContainer(bytes);
  }
}

async function decodeByContainer(bytes: Uint8Array): Promise<Channels> {
  await loadNativeCodecs();
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (!track || !(await track.canDecode()))
      throw new AppError({
        code: 'UNSUPPORTED_MEDIA',
        message: `Sounds coded as ${track?.codec ?? 'this'} cannot be decoded here.`,
        hint: 'The browser may still play it: open the row.',
      });
    const parts: Float32Array[][] = Array.from({ length: track.numberOfChannels }, () => []);
    for await (const sample of new AudioSampleSink(track).samples()) {
      for (const [planeIndex, part] of parts.entries()) {
        const plane = new Float32Array(
          sample.allocationSize({ format: 'f32-planar', planeIndex }) / Float32Array.BYTES_PER_ELEMENT,
        );
        sample.copyTo(plane, { format: 'f32-planar', planeIndex });
        part.push(plane);
      }
      sample.close();
    }
    return parts.map(joinParts);
  } finally {
    input.dispose();
  }
}

function joinParts(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
