import { AppError } from '#shared/api/problem.ts';
import type { ByteStream } from '../ports/call.ts';
import type { BlobFacts } from '../ports/table-reader.ts';

/** A medium is in memory whole while it is decoded. */
export const maxSourceBytes = 192 * 1024 * 1024;

/** All bytes of a blob; UNSUPPORTED_MEDIA where it is too large to be decoded, with what was to be made of it. */
export async function collectBlob(
  { facts, chunks }: ByteStream<BlobFacts>,
  purpose: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (facts.sizeBytes > maxSourceBytes) {
    await chunks[Symbol.asyncIterator]().return?.(undefined);
    throw new AppError({
      code: 'UNSUPPORTED_MEDIA',
      message: `At ${Math.round(facts.sizeBytes / 1e6)} MB it is too large for ${purpose}.`,
      hint: 'Open the row to look at it in full.',
    });
  }
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
