import { closeSync, openSync, read as readAsync, readSync } from 'node:fs';
import { promisify } from 'node:util';

const maxOpen = 64;
const idleMs = 5_000;
/** From the page cache so much is there sooner than a thread would have been asked. */
const syncBytes = 1024 * 1024;
/** A read that took longer came from a disk: for a while the file is read by threads, so that nobody else waits for it. */
const slowMs = 3;
const maxSlowReads = 2;
const slowForMs = 2_000;

const readPiece = promisify(readAsync);

interface OpenFile {
  fd: number;
  readers: number;
  usedAt: number;
  /** Slow reads in a row: one alone may be another process that had the core. */
  slowReads: number;
  slowUntil: number;
}

/** Files that never change under their name, kept open while they are read often. */
export class FixedFiles {
  #open = new Map<string, OpenFile>();
  #timer: NodeJS.Timeout | null = null;
  #placeOf: (path: string) => string;

  /** `placeOf` tells where the file of a path lies. */
  constructor(placeOf: (path: string) => string) {
    this.#placeOf = placeOf;
  }

  /** Bytes `start` (inclusive) to `end` (exclusive). Throws what `node:fs` does, and a RangeError past the end. */
  async read(path: string, start: number, end: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(end - start);
    await this.readInto(path, start, bytes);
    return bytes;
  }

  /** Fills the bytes from `start` on; at once where they are in the page cache. Errors as for `read`. */
  readInto(path: string, start: number, bytes: Uint8Array): Promise<void> | undefined {
    const file = this.#take(path);
    const startedAt = performance.now();
    if (bytes.length > syncBytes || file.slowUntil > startedAt) return this.#readLater(file, start, bytes);
    for (let filled = 0; filled < bytes.length; )
      filled += assertRead(readSync(file.fd, bytes, filled, bytes.length - filled, start + filled));
    file.usedAt = performance.now();
    file.slowReads = file.usedAt - startedAt > slowMs ? file.slowReads + 1 : 0;
    if (file.slowReads >= maxSlowReads) file.slowUntil = file.usedAt + slowForMs;
    return undefined;
  }

  async #readLater(file: OpenFile, start: number, bytes: Uint8Array): Promise<void> {
    file.readers += 1;
    try {
      for (let filled = 0; filled < bytes.length; ) {
        const { bytesRead } = await readPiece(file.fd, bytes, filled, bytes.length - filled, start + filled);
        filled += assertRead(bytesRead);
      }
    } finally {
      file.readers -= 1;
      file.usedAt = performance.now();
    }
  }

  #take(path: string): OpenFile {
    const known = this.#open.get(path);
    if (known) return known;
    const file = {
      fd: openSync(this.#placeOf(path), 'r'),
      readers: 0,
      usedAt: performance.now(),
      slowReads: 0,
      slowUntil: 0,
    };
    this.#open.set(path, file);
    if (this.#open.size > maxOpen) this.#closeOldest();
    this.#timer ??= setInterval(() => this.#closeIdle(), idleMs).unref();
    return file;
  }

  #closeOldest(): void {
    let oldest: [string, OpenFile] | null = null;
    for (const entry of this.#open) {
      const [, { readers, usedAt }] = entry;
      if (readers === 0 && usedAt < (oldest?.[1].usedAt ?? Number.POSITIVE_INFINITY)) oldest = entry;
    }
    if (oldest) this.#close(...oldest);
  }

  #closeIdle(): void {
    const before = performance.now() - idleMs;
    for (const [path, file] of this.#open)
      if (file.readers === 0 && file.usedAt < before) this.#close(path, file);
    if (this.#open.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #close(path: string, { fd }: OpenFile): void {
    this.#open.delete(path);
    closeSync(fd);
  }
}

function assertRead(count: number): number {
  if (count === 0) throw new RangeError('The file ends before the range does.');
  return count;
}
