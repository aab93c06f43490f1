import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { ALL_FORMATS, type AudioSample, AudioSampleSink, Input } from 'mediabunny';
import { MPEGDecoder } from 'mpg123-decoder';
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { AppError } from '#shared/api/problem.ts';
import { containerSource, type MediaValue, readPart, sizeOfValue } from './media-value.ts';
import { loadNativeCodecs } from './native-codecs.ts';

/** Samples of −1 to 1, one array per channel. */
export type Channels = readonly Float32Array[];
type OnSamples = (channels: Channels) => void;

interface Decoded {
  channelData: Channels;
}

export interface StreamDecoder {
  ready: Promise<void>;
  reset(): Promise<void>;
  decode(bytes: Uint8Array): Decoded | Promise<Decoded>;
  /** What the decoder still holds at the end. */
  flush?(): Promise<Decoded>;
  free(): void;
}

const isOpus = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 256)).includes('OpusHead');

/** Decodes a sound piece by piece, as hours of it would not fit into memory. Throws AppError INVALID_FILE or UNSUPPORTED_MEDIA. */
export async function decodeSound(
  value: MediaValue,
  contentType: string,
  onSamples: OnSamples,
): Promise<void> {
  let length = 0;
  await decodeByType(value, contentType, (channels) => {
    length += channels[0]?.length ?? 0;
    onSamples(channels);
  });
  if (length === 0)
    throw new AppError({
      code: 'INVALID_FILE',
      message: 'The sound has no samples.',
      hint: 'Download it to look at the file.',
    });
}

async function decodeByType(value: MediaValue, contentType: string, onSamples: OnSamples): Promise<void> {
  const decoder = streamDecoderFor(value.bytes, contentType);
  return decoder ? decodeStream(decoder, value, onSamples) : decodeByContainer(value, onSamples);
}

/** The decoder of a format that is one stream of frames; null for those in a container. */
export function streamDecoderFor(head: Uint8Array, contentType: string): StreamDecoder | null {
  switch (contentType) {
    case 'audio/ogg':
      return isOpus(head) ? new OggOpusDecoder() : new OggVorbisDecoder();
    case 'audio/flac':
      return new FLACDecoder();
    case 'audio/mpeg':
      return new MPEGDecoder();
    default:
      return null;
  }
}

const firstPieceBytes = 4 * 1024;
const minPieceBytes = 512;
const maxPieceBytes = 256 * 1024;
/** Silence can be packed a hundred thousand times smaller than it is: pieces get shorter when they give more than this. */
const manySamples = 16_000_000;

async function decodeStream(decoder: StreamDecoder, value: MediaValue, onSamples: OnSamples): Promise<void> {
  await decoder.ready;
  try {
    let pieceBytes = firstPieceBytes;
    for (let at = 0; at < sizeOfValue(value); ) {
      const piece = await readPart(value, at, at + pieceBytes);
      at += piece.byteLength;
      const { channelData } = await decoder.decode(piece);
      onSamples(channelData);
      const samples = channelData.length * (channelData[0]?.length ?? 0);
      pieceBytes =
        samples > manySamples
          ? Math.max(minPieceBytes, pieceBytes / 4)
          : Math.min(maxPieceBytes, pieceBytes * 2);
    }
    if (decoder.flush) onSamples((await decoder.flush()).channelData);
  } finally {
    decoder.free();
  }
}

async function decodeByContainer(value: MediaValue, onSamples: OnSamples): Promise<void> {
  await loadNativeCodecs();
  const input = new Input({ source: containerSource(value), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (!track || !(await track.canDecode()))
      throw new AppError({
        code: 'UNSUPPORTED_MEDIA',
        message: `Sounds coded as ${track?.codec ?? 'this'} cannot be decoded here.`,
        hint: 'The browser may still play it: open the row, or download it.',
      });
    for await (const sample of new AudioSampleSink(track).samples()) {
      const planes = planesOf(sample, track.numberOfChannels);
      sample.close();
      onSamples(planes);
    }
  } finally {
    input.dispose();
  }
}

/** The samples of a piece of sound, one array per channel. */
export const planesOf = (sample: AudioSample, channels: number): Float32Array[] =>
  Array.from({ length: channels }, (_none, planeIndex) => {
    const plane = new Float32Array(
      sample.allocationSize({ format: 'f32-planar', planeIndex }) / Float32Array.BYTES_PER_ELEMENT,
    );
    sample.copyTo(plane, { format: 'f32-planar', planeIndex });
    return plane;
  });
