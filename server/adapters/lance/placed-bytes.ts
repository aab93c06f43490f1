import { abortedError, notFound } from '#shared/api/problem.ts';
import type { ByteStream, CallContext } from '../../ports/call.ts';
import type { BlobPlace } from '../../ports/table-reader.ts';
import type { StoredHome } from './connect.ts';
import { largestPieceBytes, PieceBuffers } from './piece-buffers.ts';

/** The first piece of many is small, so that it leaves at once; the others are what the disk likes. */
const firstBytes = 256 * 1024;

const buffers = new PieceBuffers();

/** Bytes from a place on, piece by piece: only what the reader asks for is in memory. */
export async function readPlaced(
  { storage }: StoredHome,
  { place, start, end }: { place: BlobPlace; start: number; end: number },
  { signal }: CallContext,
): Promise<ByteStream<null>> {
  const read = async (from: number, to: number): Promise<Uint8Array> => {
    const bytes = buffers.take(to - from);
    // A read that failed may still be under way: its buffer is not used again.
    const filled = storage.readFixedInto(place.path, place.start + from, bytes);
    if (filled) await filled;
    return bytes;
  };
  const middle = end - start <= largestPieceBytes ? end : start + firstBytes;
  let first: Uint8Array;
  try {
    first = await read(start, middle);
  } catch {
    throw notFound('The file with these bytes');
  }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    if (first.byteLength > 0) yield first;
    for (let at = middle; at < end; at += largestPieceBytes) {
      if (signal.aborted) throw abortedError();
      yield await read(at, Math.min(end, at + largestPieceBytes));
    }
  }
  return { facts: null, chunks: pieces(), release: (chunk) => buffers.give(chunk) };
}
