import type { Response } from 'express';
import type { ByteStream } from '../ports/call.ts';
import { drained } from './send-bytes.ts';

/** What is on its way to the client at most before more is fetched. */
const maxPendingBytes = 1024 * 1024;

/**
 * Writes chunks to the client with back-pressure and ends the response. Chunks that are there at once leave together.
 * Where their source takes them back, it gets each when the socket is done with it.
 */
export async function writeChunks(
  response: Response,
  { release }: Pick<ByteStream, 'release'>,
  first: IteratorResult<Uint8Array>,
  chunks: AsyncIterator<Uint8Array>,
): Promise<void> {
  let isCorked = false;
  const uncork = () => {
    if (isCorked) response.uncork();
    isCorked = false;
  };
  for (let next = first; !next.done; next = await chunks.next()) {
    if (response.destroyed) return;
    if (!isCorked) {
      isCorked = true;
      response.cork();
      setImmediate(uncork);
    }
    const chunk = next.value;
    response.write(chunk, release && (() => release(chunk)));
    if (response.writableLength > maxPendingBytes) await drained(response);
  }
  uncork();
  response.end();
}
