/** Where the chunks come from: what can be told to wait. */
export interface ChunkSource {
  pause(): void;
  resume(): void;
  /** Takes back a chunk whose bytes were used up. */
  release(chunk: Uint8Array): void;
}

const highWaterBytes = 4 * 1024 * 1024;

/** Chunks from a connection to one reader, with back-pressure. */
export class ChunkQueue implements AsyncIterable<Uint8Array> {
  #source: ChunkSource;
  #onStop: () => void;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #state: 'open' | 'ended' | 'failed' = 'open';
  #error: unknown;
  #wake: (() => void) | null = null;

  constructor(source: ChunkSource, onStop: () => void) {
    this.#source = source;
    this.#onStop = onStop;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes > highWaterBytes) this.#source.pause();
    this.#notify();
  }

  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#notify();
  }

  fail(error: unknown): void {
    if (this.#state === 'open') {
      this.#state = 'failed';
      this.#error = error;
    }
    this.#notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk) {
          this.#bytes -= chunk.byteLength;
          if (this.#bytes <= highWaterBytes / 2 && this.#state === 'open') this.#source.resume();
          yield chunk;
        } else if (this.#state === 'ended') {
          return;
        } else if (this.#state === 'failed') {
          throw this.#error;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      if (this.#state === 'open') {
        this.#state = 'ended';
        this.#onStop();
      }
    }
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
