import { BufferSource, CustomSource, type Source } from 'mediabunny';
import { AppError } from '#shared/api/problem.ts';
import type { ByteSource } from '../../ports/call.ts';

/** A value to decode: `bytes` are all of it, or its beginning where a `source` gives its parts. */
export interface MediaValue {
  bytes: Uint8Array;
  source?: ByteSource;
}

export const sizeOfValue = ({ bytes, source }: MediaValue): number => source?.sizeBytes ?? bytes.byteLength;

export async function readPart(
  { bytes, source }: MediaValue,
  start: number,
  end: number,
): Promise<Uint8Array> {
  const last = Math.min(end, source?.sizeBytes ?? bytes.byteLength);
  if (last <= bytes.byteLength || !source) return bytes.subarray(start, Math.max(start, last));
  return source.read(start, last);
}

/** What of a container may be read in one piece: the index of a film of a day has some ten megabytes. */
const maxPieceBytes = 64 * 1024 * 1024;
/** What may be read for one picture of it; who reads more than this walks the file in search of something. */
const maxReadBytes = 512 * 1024 * 1024;
const keptBytes = 16 * 1024 * 1024;

/** A value as mediabunny reads it: of a large one only the parts that are needed. */
export function containerSource(value: MediaValue): Source {
  const { bytes, source } = value;
  if (!source) return new BufferSource(bytes);
  let readBytes = 0;
  const read = (start: number, end: number): Promise<Uint8Array> => {
    readBytes += end - start;
    if (end - start > maxPieceBytes)
      throw tooMuch(`${Math.round((end - start) / 1e6)} MB of it belong together`);
    if (readBytes > maxReadBytes)
      throw tooMuch(`it has no index, and ${maxReadBytes / 2 ** 20} MiB were searched`);
    return readPart(value, start, end);
  };
  return new CustomSource({
    getSize: () => source.sizeBytes,
    read,
    maxCacheSize: keptBytes,
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => undefined,
  });
}

const tooMuch = (why: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED_MEDIA',
    message: `The file cannot be read in parts: ${why}.`,
    hint: 'The browser may still play it: open the row, or download it.',
  });
