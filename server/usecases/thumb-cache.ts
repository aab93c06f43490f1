import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
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
/** Small files are read and written at once: on a local disk that takes a tenth of what handing them to a thread does. */
const smallBytes = 64 * 1024;
/** So long after the last thumb that was made, or with so many of them, they are written. */
const writeAfterMs = 150;
const maxUnwritten = 200;
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
  #unwritten: [key: string, bytes: Uint8Array][] = [];
  #timer: NodeJS.Timeout | null = null;
  #isWriting = false;

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
      const facts = statSync(path, { throwIfNoEntry: false });
      if (!facts) return null;
      const bytes = facts.size <= smallBytes ? readFileSync(path) : await readFile(path);
      this.#remember(key, bytes);
      touch(path, facts.mtimeMs);
      return bytes;
    } catch {
      return null;
    }
  }

  /** In memory at once; on the disk when a screen has been served, until when it would be lost with the process. */
  write(key: string, bytes: Uint8Array): void {
    this.#remember(key, bytes);
    this.#unwritten.push([key, bytes]);
    if (this.#isWriting) return;
    if (!this.#timer) this.#timer = setTimeout(() => this.#writeAll(), writeAfterMs).unref();
    else if (this.#unwritten.length < maxUnwritten) this.#timer.refresh();
  }

  /** Writes what is still to be written; resolves when nothing is being cleared away. */
  async settled(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (const next of this.#unwritten.splice(0)) this.#store(...next);
    await this.#clearing;
  }

  /** One at a time: what else there is to do comes in between. */
  #writeAll(): void {
    this.#timer = null;
    const next = this.#unwritten.shift();
    this.#isWriting = next !== undefined;
    if (!next) return;
    this.#store(...next);
    setImmediate(() => this.#writeAll());
  }

  #store(key: string, bytes: Uint8Array): void {
    const path = this.#pathOf(key);
    const part = join(path, '..');
    const draft = `${path}.${process.pid}`;
    try {
      if (!this.#parts.has(part)) mkdirSync(part, { recursive: true });
      this.#parts.add(part);
      writeFileSync(draft, bytes);
      renameSync(draft, path);
    } catch {
      this.#parts.delete(part);
      removeDraft(draft);
      return;
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

function touch(path: string, usedMs: number): void {
  if (Date.now() - usedMs <= touchMs) return;
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // It was cleared away meanwhile.
  }
}

function removeDraft(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder cannot be written: there is none.
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
