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
  #onBegin: (() => void) | null;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #state: 'open' | 'ended' | 'failed' = 'open';
  #error: unknown;
  #wake: (() => void) | null = null;

  /** `onBegin` hears when the reader asks for the first chunk, `onStop` when it goes away before the end. */
  constructor(
    source: ChunkSource,
    { onBegin, onStop }: { onBegin: (() => void) | null; onStop: () => void },
  ) {
    this.#source = source;
    this.#onBegin = onBegin;
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

  /** The iterator may be left before its first step too: whoever sends the chunks then stops. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> & AsyncIterable<Uint8Array> {
    const iterator = {
      next: () => this.#next(),
      return: async () => {
        if (this.#state === 'open') {
          this.#state = 'ended';
          this.#chunks = [];
          this.#onStop();
        }
        return { done: true as const, value: undefined };
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    this.#begin();
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#bytes -= chunk.byteLength;
        if (this.#bytes <= highWaterBytes / 2 && this.#state === 'open') this.#source.resume();
        return { done: false, value: chunk };
      }
      if (this.#state === 'ended') return { done: true, value: undefined };
      if (this.#state === 'failed') throw this.#error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #begin(): void {
    this.#onBegin?.();
    this.#onBegin = null;
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
