import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError, abortedError, notFound } from '#shared/api/problem.ts';
import { sniffBytes, sniffMediaType } from '../../media-type.ts';
import type { ByteStream, CallContext } from '../../ports/call.ts';
import type { BlobFacts } from '../../ports/table-reader.ts';

const chunkBytes = 1024 * 1024;
const shownChars = 120;
/** Opening a pipe would wait for its writer, and a few of them would hold up all files of the server. */
const readAtOnce = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The real paths of the folders that were named; those that are not there are left out. */
export async function readFolderPlaces(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  return found.filter((folder) => folder !== null);
}

const isInside = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const missing = (link: string): AppError =>
  notFound(`The file ${link.slice(0, shownChars)}`, 'It is in none of the registered places.');

function pathOf(link: string): string {
  if (link.includes('\0')) throw missing(link);
  if (!/^file:/i.test(link)) return link;
  try {
    return fileURLToPath(link);
  } catch {
    throw missing(link);
  }
}

/** The real path of a link inside of a place. What lies outside and what is not there answer alike. */
async function resolveLink(link: string, folders: readonly string[]): Promise<string> {
  const path = pathOf(link);
  const candidates = isAbsolute(path) ? [path] : folders.map((folder) => join(folder, path));
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => null);
    if (real !== null && folders.some((folder) => isInside(real, folder))) return real;
  }
  throw missing(link);
}

async function readPiece(file: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(bytes, 0, length, start);
  return bytes.subarray(0, bytesRead);
}

interface Stamp {
  size: number;
  mtimeMs: number;
  ino: number;
}

const isSame = (a: Stamp, b: Stamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;

const changed = (): AppError =>
  new AppError({
    code: 'STREAM_BROKEN',
    message: 'The file became another while it was read.',
    hint: 'Load it again.',
  });

/** Opens the file when its first bytes are asked for: who wants none of them leaves nothing open. */
async function* chunksOf(
  { path, stamp }: { path: string; stamp: Stamp },
  range: { start: number; end: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (range.start === range.end) return;
  if (signal.aborted) throw abortedError();
  const file = await open(path, readAtOnce).catch(() => {
    throw changed();
  });
  try {
    if (!isSame(await file.stat(), stamp)) throw changed();
    for (let at = range.start; at < range.end; ) {
      if (signal.aborted) throw abortedError();
      const piece = await readPiece(file, at, Math.min(chunkBytes, range.end - at));
      if (piece.length === 0) throw changed();
      at += piece.length;
      yield piece;
    }
  } finally {
    await file.close();
  }
}

/** Bytes of a file in one of the folders. */
export async function openFileLink(
  { link, folders, start, end }: { link: string; folders: readonly string[]; start?: number; end?: number },
  { signal }: CallContext,
): Promise<ByteStream<BlobFacts>> {
  const path = await resolveLink(link, folders);
  const file = await open(path, readAtOnce).catch(() => {
    throw missing(link);
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw missing(link);
    const { size, mtimeMs, ino } = stat;
    const head = await readPiece(file, 0, Math.min(size, sniffBytes));
    const last = Math.min(end ?? size, size);
    const range = { start: Math.min(start ?? 0, last), end: last };
    const etag = createHash('sha256')
      .update(JSON.stringify([path, size, mtimeMs, ino]))
      .digest('hex');
    return {
      facts: { sizeBytes: size, contentType: sniffMediaType(head), etag: etag.slice(0, 32), mayChange: true },
      chunks: chunksOf({ path, stamp: { size, mtimeMs, ino } }, range, signal),
    };
  } finally {
    await file.close();
  }
}
