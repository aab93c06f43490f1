import { abortedError, notFound } from '#shared/api/problem.ts';
import type { ByteStream, CallContext } from '../../ports/call.ts';
import type { BlobPlace } from '../../ports/table-reader.ts';
import type { StoredHome } from './connect.ts';

/** The first piece is small, so that it leaves at once; the others are what the disk likes. */
const firstBytes = 128 * 1024;
const pieceBytes = 512 * 1024;

/** Bytes from a place on, piece by piece: only what the reader asks for is in memory. */
export async function readPlaced(
  { storage }: StoredHome,
  { place, start, end }: { place: BlobPlace; start: number; end: number },
  { signal }: CallContext,
): Promise<ByteStream<null>> {
  const read = (from: number, to: number) =>
    storage.readFixed(place.path, place.start + from, place.start + to);
  const middle = Math.min(end, start + firstBytes);
  let first: Uint8Array;
  try {
    first = await read(start, middle);
  } catch {
    throw notFound('The file with these bytes');
  }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    if (first.byteLength > 0) yield first;
    for (let at = middle; at < end; at += pieceBytes) {
      if (signal.aborted) throw abortedError();
      yield await read(at, Math.min(end, at + pieceBytes));
    }
  }
  return { facts: null, chunks: pieces() };
}
