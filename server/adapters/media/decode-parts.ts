import { AppError } from '#shared/api/problem.ts';
import { type Channels, streamDecoderFor } from './decode-sound.ts';
import { type MediaValue, readPart, sizeOfValue } from './media-value.ts';

const maxParts = 128;
const partBytes = 24 * 1024;
/** Frames of FLAC with much in them and pages of Ogg have up to 64 KB: one at least is whole in this. */
const largePartBytes = 160 * 1024;
const maxHeaderBytes = 1024 * 1024;

/**
 * Decodes a piece at the beginning of each of `count` slices of the bytes of a sound, and gives what `measure` makes of
 * each. Slices are of equal size in bytes, which is about equal time. Throws AppError INVALID_FILE when none can be decoded.
 */
export async function decodeParts(
  value: MediaValue,
  contentType: string,
  count: number,
  measure: (channels: Channels) => number,
): Promise<number[]> {
  const sizeBytes = sizeOfValue(value);
  const header = await readHeader(value, contentType);
  const decoder = streamDecoderFor(value.bytes, contentType);
  if (!decoder) return [];
  await decoder.ready;
  const parts = Math.min(count, maxParts);
  const measured: number[] = [];
  let samples = 0;
  try {
    for (let part = 0; part < parts; part++) {
      const from = Math.max(header.byteLength, Math.floor((part * sizeBytes) / parts));
      let channels: Channels = [];
      for (const length of [partBytes, largePartBytes]) {
        const bytes = await readPart(value, from, Math.min(sizeBytes, from + length));
        await decoder.reset();
        channels = (await decoder.decode(Buffer.concat([header, fromFrame(bytes, contentType)]))).channelData;
        if (channels[0]?.length) break;
      }
      samples += channels[0]?.length ?? 0;
      measured.push(measure(channels));
    }
  } finally {
    decoder.free();
  }
  if (samples === 0)
    throw new AppError({
      code: 'INVALID_FILE',
      message: 'Nothing of the sound can be decoded.',
      hint: 'Download it to look at the file.',
    });
  return Array.from({ length: count }, (_none, at) => measured[Math.floor((at * parts) / count)] ?? 0);
}

/** What a decoder must have seen before it can take frames from the middle. */
async function readHeader(value: MediaValue, contentType: string): Promise<Uint8Array> {
  if (contentType === 'audio/flac') {
    const streamInfo = Buffer.from(await readPart(value, 0, 42));
    if (streamInfo.length === 42) streamInfo[4] = 0x80;
    return streamInfo;
  }
  if (contentType === 'audio/ogg') return oggHeader(Buffer.from(await readPart(value, 0, maxHeaderBytes)));
  return new Uint8Array(0);
}

/** The pages before the first with samples: those with no position yet. */
function oggHeader(bytes: Buffer): Uint8Array {
  let at = 0;
  while (at + 27 <= bytes.length && bytes.toString('latin1', at, at + 4) === 'OggS') {
    const segments = bytes[at + 26] as number;
    const position = bytes.readBigInt64LE(at + 6);
    if (position > 0n) break;
    let next = at + 27 + segments;
    for (let segment = 0; segment < segments; segment++) next += bytes[at + 27 + segment] ?? 0;
    if (next > bytes.length) break;
    at = next;
  }
  return bytes.subarray(0, at);
}

function fromFrame(bytes: Uint8Array, contentType: string): Uint8Array {
  if (contentType !== 'audio/ogg') return bytes;
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf('OggS');
  return at < 0 ? new Uint8Array(0) : bytes.subarray(at);
}
