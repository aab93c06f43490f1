import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ThumbCacheLimits {
  /** What the folder holds at most. */
  folderBytes: number;
  /** What is kept in memory of it. */
  memoryBytes: number;
}

export const defaultLimits: ThumbCacheLimits = { folderBytes: 2e9, memoryBytes: 64e6 };

/** After a clearing the folder is filled so far. */
const clearedShare = 0.8;
/** So much is written before the folder is looked at again. */
const lookShare = 0.05;
/** The time of a file says when it was used last, to this. */
const touchMs = 3_600_000;

/** Thumbs in a folder, of which those that were not used for longest go when it is full; the last used are in memory. */
export class ThumbCache {
  #folder: string;
  #limits: ThumbCacheLimits;
  #memory = new Map<string, Uint8Array>();
  #memoryBytes = 0;
  /** As if it were full: the first thumb that is written has the folder looked at. */
  #unseenBytes = Number.POSITIVE_INFINITY;
  #clearing: Promise<void> | null = null;
  /** Folders that are there. */
  #parts = new Set<string>();
  #writing = 0;
  #waiting: (() => void)[] = [];

  constructor(folder: string, limits: ThumbCacheLimits = defaultLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** What is in memory, at once. */
  peek(key: string): Uint8Array | undefined {
    const bytes = this.#memory.get(key);
    if (bytes) {
      this.#memory.delete(key);
      this.#memory.set(key, bytes);
    }
    return bytes;
  }

  async read(key: string): Promise<Uint8Array | null> {
    const kept = this.peek(key);
    if (kept) return kept;
    const path = this.#pathOf(key);
    try {
      const bytes = await readFile(path);
      this.#remember(key, bytes);
      void touch(path);
      return bytes;
    } catch {
      return null;
    }
  }

  /** In memory at once; on the disk a little later, where it is lost with the process and made again. */
  write(key: string, bytes: Uint8Array): void {
    this.#remember(key, bytes);
    this.#writing += 1;
    void this.#store(key, bytes)
      .catch(() => undefined)
      .finally(() => {
        this.#writing -= 1;
        if (this.#writing === 0) for (const wake of this.#waiting.splice(0)) wake();
      });
  }

  /** Resolves when nothing is being written or cleared away. */
  async settled(): Promise<void> {
    if (this.#writing > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await this.#clearing;
  }

  async #store(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(key);
    const part = join(path, '..');
    if (!this.#parts.has(part)) await mkdir(part, { recursive: true });
    this.#parts.add(part);
    const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    try {
      await writeFile(draft, bytes);
      await rename(draft, path);
    } catch (error) {
      this.#parts.delete(part);
      throw error;
    }
    this.#unseenBytes += bytes.byteLength;
    if (this.#unseenBytes < this.#limits.folderBytes * lookShare || this.#clearing) return;
    this.#unseenBytes = 0;
    this.#clearing = clearFolder(this.#folder, this.#limits.folderBytes).finally(() => {
      this.#clearing = null;
    });
  }

  #pathOf(key: string): string {
    return join(this.#folder, key.slice(0, 2), `${key}.webp`);
  }

  #remember(key: string, bytes: Uint8Array): void {
    const before = this.#memory.get(key);
    if (before) this.#memoryBytes -= before.byteLength;
    this.#memory.delete(key);
    this.#memory.set(key, bytes);
    this.#memoryBytes += bytes.byteLength;
    for (const [oldest, { byteLength }] of this.#memory) {
      if (this.#memoryBytes <= this.#limits.memoryBytes) break;
      this.#memory.delete(oldest);
      this.#memoryBytes -= byteLength;
    }
  }
}

async function touch(path: string): Promise<void> {
  try {
    const now = new Date();
    if (now.getTime() - (await stat(path)).mtimeMs > touchMs) await utimes(path, now, now);
  } catch {
    // It was cleared away meanwhile.
  }
}

/** Removes the files that were not used for longest until the folder holds less than its limit, with some room. */
async function clearFolder(folder: string, limitBytes: number): Promise<void> {
  const files: { path: string; sizeBytes: number; usedMs: number }[] = [];
  for (const part of await readdir(folder).catch(() => [])) {
    for (const name of await readdir(join(folder, part)).catch(() => [])) {
      const path = join(folder, part, name);
      const facts = await stat(path).catch(() => null);
      if (facts?.isFile()) files.push({ path, sizeBytes: facts.size, usedMs: facts.mtimeMs });
    }
  }
  let total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total <= limitBytes) return;
  files.sort((a, b) => a.usedMs - b.usedMs);
  for (const { path, sizeBytes } of files) {
    if (total <= limitBytes * clearedShare) break;
    await rm(path, { force: true }).catch(() => undefined);
    total -= sizeBytes;
  }
}
