import { Buffer } from 'node:buffer';
import type { Response } from 'express';
import type { ByteStream } from '../ports/call.ts';
import { drained } from './send-bytes.ts';

/** What is on its way to the client at most before more is fetched. */
const maxPendingBytes = 1024 * 1024;
const batchBytes = 64 * 1024;

/** Chunks that are there at once and leave together, at the latest when the process has nothing else to do. */
class ChunkBatch {
  #response: Response;
  #release: ByteStream['release'];
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #timer: NodeJS.Immediate | null = null;

  constructor(response: Response, release: ByteStream['release']) {
    this.#response = response;
    this.#release = release;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes >= batchBytes) this.flush();
    else this.#timer ??= setImmediate(() => this.flush());
  }

  flush(): void {
    const chunks = this.#take();
    const release = this.#release;
    if (chunks.length === 0 || this.#response.destroyed) return;
    this.#response.cork();
    for (const chunk of chunks) this.#response.write(chunk, release && (() => release(chunk)));
    this.#response.uncork();
  }

  /** Ends the answer; one that is whole here leaves in one piece, with its length in the head. */
  end(): void {
    if (this.#response.headersSent) {
      this.flush();
      this.#response.end();
      return;
    }
    const chunks = this.#take();
    this.#response.end(Buffer.concat(chunks));
    for (const chunk of chunks) this.#release?.(chunk);
  }

  #take(): Uint8Array[] {
    const chunks = this.#chunks;
    if (this.#timer) clearImmediate(this.#timer);
    this.#timer = null;
    this.#chunks = [];
    this.#bytes = 0;
    return chunks;
  }
}

/**
 * Writes chunks to the client with back-pressure and ends the response. Where their source takes them back, it gets
 * each when it is not needed any more.
 */
export async function writeChunks(
  response: Response,
  { release }: Pick<ByteStream, 'release'>,
  first: IteratorResult<Uint8Array>,
  chunks: AsyncIterator<Uint8Array>,
): Promise<void> {
  const batch = new ChunkBatch(response, release);
  try {
    for (let next = first; !next.done; next = await chunks.next()) {
      if (response.destroyed) return;
      batch.add(next.value);
      if (response.writableLength > maxPendingBytes) await drained(response);
    }
  } catch (error) {
    batch.flush();
    throw error;
  }
  batch.end();
}
