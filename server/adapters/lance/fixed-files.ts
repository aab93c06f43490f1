import { closeSync, openSync, read as readAsync, readSync } from 'node:fs';
import { promisify } from 'node:util';

const maxOpen = 64;
const idleMs = 5_000;
/** From the page cache so much is there sooner than a thread would have been asked. */
const syncBytes = 128 * 1024;

const readPiece = promisify(readAsync);

interface OpenFile {
  fd: number;
  readers: number;
  usedAt: number;
}

/** Files that never change under their name, kept open while they are read often. */
export class FixedFiles {
  #open = new Map<string, OpenFile>();
  #timer: NodeJS.Timeout | null = null;

  /** Bytes `start` (inclusive) to `end` (exclusive). Throws what `node:fs` does, and a RangeError past the end. */
  async read(path: string, start: number, end: number): Promise<Uint8Array> {
    const file = this.#take(path);
    file.readers += 1;
    try {
      const bytes = Buffer.allocUnsafeSlow(end - start);
      let filled = 0;
      while (filled < bytes.length) {
        const rest = bytes.length - filled;
        const count =
          bytes.length <= syncBytes
            ? readSync(file.fd, bytes, filled, rest, start + filled)
            : (await readPiece(file.fd, bytes, filled, rest, start + filled)).bytesRead;
        if (count === 0) throw new RangeError('The file ends before the range does.');
        filled += count;
      }
      return bytes;
    } finally {
      file.readers -= 1;
      file.usedAt = Date.now();
    }
  }

  #take(path: string): OpenFile {
    const known = this.#open.get(path);
    if (known) {
      this.#open.delete(path);
      this.#open.set(path, known);
      return known;
    }
    const file = { fd: openSync(path, 'r'), readers: 0, usedAt: Date.now() };
    this.#open.set(path, file);
    this.#closeSome((_file, place) => place < this.#open.size - maxOpen);
    this.#timer ??= setInterval(() => this.#closeIdle(), idleMs).unref();
    return file;
  }

  #closeIdle(): void {
    const before = Date.now() - idleMs;
    this.#closeSome(({ usedAt }) => usedAt < before);
    if (this.#open.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #closeSome(isUnwanted: (file: OpenFile, place: number) => boolean): void {
    for (const [place, [path, file]] of [...this.#open].entries()) {
      if (file.readers > 0 || !isUnwanted(file, place)) continue;
      this.#open.delete(path);
      closeSync(file.fd);
    }
  }
}
