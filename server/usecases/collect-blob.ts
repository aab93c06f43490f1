import { AppError } from '#shared/api/problem.ts';
import type { ByteStream } from '../ports/call.ts';
import type { BlobFacts } from '../ports/table-reader.ts';

/** A medium is in memory whole while it is decoded. */
export const maxSourceBytes = 192 * 1024 * 1024;

/** All bytes of a blob; UNSUPPORTED_MEDIA where it is too large to be decoded, with what was to be made of it. */
export async function collectBlob(
  stream: ByteStream<BlobFacts>,
  purpose: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { sizeBytes } = stream.facts;
  if (sizeBytes > maxSourceBytes) {
    await stream.chunks[Symbol.asyncIterator]().return?.(undefined);
    throw new AppError({
      code: 'UNSUPPORTED_MEDIA',
      message: `At ${Math.round(sizeBytes / 1e6)} MB it is too large for ${purpose}.`,
      hint: 'Open the row to look at it in full.',
    });
  }
  return collectBytes(stream, signal);
}

/** The bytes of a stream that is known to be small: the beginning of a value, say. */
export async function collectBytes({ chunks }: ByteStream, signal?: AbortSignal): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    parts.push(chunk);
  }
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
}
