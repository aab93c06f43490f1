import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { IdHalves } from './sort-task.ts';

/** Row ids in an order that was computed once; windows of it are read by position. */
export interface Permutation {
  count: number;
  /** Ids at positions `offset` to `offset + limit`, fewer at the end. */
  ids(offset: number, limit: number): Promise<BigUint64Array>;
  /** Ids at these positions, all of them below `count`. */
  idsAt(positions: readonly number[]): Promise<BigUint64Array>;
  /** The position of an id; null where it is not among them. */
  positionOf(id: bigint, signal: AbortSignal): Promise<number | null>;
}

export const permutationOf = (ids: BigUint64Array): Permutation => ({
  count: ids.length,
  ids: async (offset, limit) => ids.slice(offset, offset + limit),
  idsAt: async (positions) => BigUint64Array.from(positions, (at) => ids[at]!),
  async positionOf(id) {
    const at = ids.indexOf(id);
    return at < 0 ? null : at;
  },
});

const magic = 0x50524d31;
const headerBytes = 16;

type Width = 4 | 8;

function headOf(count: number, width: Width): Buffer {
  const head = Buffer.alloc(headerBytes);
  head.writeUInt32LE(magic, 0);
  head.writeUInt32LE(width, 4);
  head.writeBigUInt64LE(BigInt(count), 8);
  return head;
}

function bytesOfIds(ids: BigUint64Array, width: Width): Uint8Array {
  if (width === 8) return new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength);
  const words = new Uint32Array(ids.length);
  for (let i = 0; i < ids.length; i++) words[i] = Number(ids[i]);
  return new Uint8Array(words.buffer);
}

function bytesOfHalves([high, low]: IdHalves, width: Width): Uint8Array {
  if (width === 4) return new Uint8Array(low.buffer, low.byteOffset, low.byteLength);
  const words = new Uint32Array(low.length * 2);
  for (let i = 0; i < low.length; i++) {
    words[i * 2] = low[i]!;
    words[i * 2 + 1] = high[i]!;
  }
  return new Uint8Array(words.buffer);
}

function decode(bytes: Buffer, width: Width): BigUint64Array {
  const ids = new BigUint64Array(Math.floor(bytes.length / width));
  for (let i = 0; i < ids.length; i++)
    ids[i] = width === 8 ? bytes.readBigUInt64LE(i * 8) : BigInt(bytes.readUInt32LE(i * 4));
  return ids;
}

type ReadBytes = (start: number, length: number) => Promise<Buffer>;

async function withFile<T>(path: string, work: (read: ReadBytes) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await work(async (start, length) => {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await file.read(bytes, 0, length, start);
      return bytes.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}

const readAt = (path: string, start: number, length: number): Promise<Buffer> =>
  withFile(path, (read) => read(start, length));

const searchedBytes = 1024 * 1024;

function indexOfId(bytes: Buffer, width: Width, id: bigint): number {
  const found = Buffer.alloc(width);
  if (width === 8) found.writeBigUInt64LE(id);
  else found.writeUInt32LE(Number(id));
  for (let at = bytes.indexOf(found); at >= 0; at = bytes.indexOf(found, at + 1))
    if (at % width === 0) return at / width;
  return -1;
}

interface Head {
  count: number;
  width: Width;
  size: number;
  /** When the file was last said to be in use. */
  usedAtMs: number;
}

/** Of files that were opened before: what a name stands for never changes. */
const heads = new Map<string, Head>();
const maxHeads = 1000;
const sayUsedEveryMs = 60_000;

/** The head of a file that is whole and still there. */
async function readHead(path: string): Promise<Head | null> {
  const { size } = await stat(path);
  const known = heads.get(path);
  if (known?.size === size) return known;
  const bytes = await readAt(path, 0, headerBytes);
  const width = bytes.readUInt32LE(4) as Width;
  const count = Number(bytes.readBigUInt64LE(8));
  if (bytes.readUInt32LE(0) !== magic || size !== headerBytes + count * width) return null;
  const head: Head = { count, width, size, usedAtMs: 0 };
  if (heads.size >= maxHeads) heads.clear();
  heads.set(path, head);
  return head;
}

/** Opens a permutation that was written before; null when there is none, or none that is whole. */
export async function openPermutation(path: string): Promise<Permutation | null> {
  try {
    const head = await readHead(path);
    if (!head) return null;
    const { count, width } = head;
    if (Date.now() - head.usedAtMs > sayUsedEveryMs) {
      const now = new Date();
      await utimes(path, now, now);
      head.usedAtMs = now.getTime();
    }
    return {
      count,
      ids: async (offset, limit) => {
        const length = Math.max(0, Math.min(limit, count - offset));
        return length === 0
          ? new BigUint64Array(0)
          : decode(await readAt(path, headerBytes + offset * width, length * width), width);
      },
      idsAt: (positions) =>
        withFile(path, async (read) => {
          const ids = new BigUint64Array(positions.length);
          for (const [i, at] of positions.entries())
            ids[i] = decode(await read(headerBytes + at * width, width), width)[0]!;
          return ids;
        }),
      positionOf: (id, signal) =>
        withFile(path, async (read) => {
          if (id >= 2n ** BigInt(width * 8)) return null;
          const step = searchedBytes / width;
          for (let first = 0; first < count; first += step) {
            signal.throwIfAborted();
            const at = indexOfId(
              await read(headerBytes + first * width, Math.min(step, count - first) * width),
              width,
              id,
            );
            if (at >= 0) return first + at;
          }
          return null;
        }),
    };
  } catch {
    return null;
  }
}

/** Writes a permutation piece by piece; it is there once it was finished. */
export interface PermutationWriter {
  append(ids: BigUint64Array | IdHalves): Promise<void>;
  finish(): Promise<void>;
  /** Removes what was written; nothing after `finish`. */
  discard(): Promise<void>;
}

/** `maxId`: no id is greater. */
export async function createPermutationWriter(
  path: string,
  { count, maxId }: { count: number; maxId: bigint },
): Promise<PermutationWriter> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}.tmp`;
  const width: Width = maxId < 2n ** 32n ? 4 : 8;
  const file = await open(draft, 'w');
  await file.write(headOf(count, width));
  return {
    async append(ids) {
      await file.write(Array.isArray(ids) ? bytesOfHalves(ids, width) : bytesOfIds(ids, width));
    },
    async finish() {
      await file.close();
      await rename(draft, path);
    },
    async discard() {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

const pieceIds = 1024 * 1024;

/** Writes a permutation whole or not at all. */
export async function writePermutation(path: string, ids: BigUint64Array): Promise<void> {
  let maxId = 0n;
  for (const id of ids) if (id > maxId) maxId = id;
  const writer = await createPermutationWriter(path, { count: ids.length, maxId });
  try {
    for (let at = 0; at < ids.length; at += pieceIds) await writer.append(ids.subarray(at, at + pieceIds));
    await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** Removes the files that were used longest ago until the folder holds at most `maxBytes`. */
export async function pruneFolder(folder: string, maxBytes: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const facts = await stat(path).catch(() => null);
      return facts?.isFile() ? { path, size: facts.size, usedAt: facts.mtimeMs } : null;
    }),
  );
  const known = files.filter((file) => file !== null).sort((a, b) => b.usedAt - a.usedAt);
  let total = 0;
  for (const { path, size } of known) {
    total += size;
    if (total > maxBytes) await rm(path, { force: true });
  }
}
