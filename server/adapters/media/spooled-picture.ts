import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#shared/api/problem.ts';
import { type ByteSource, maxPartBytes } from '../../ports/call.ts';
import type { MediaValue } from './media-value.ts';

const prefix = 'curio-picture-';
/** Beyond this much more than the picture must stay free on the disk. */
const spareBytes = 512 * 1024 * 1024;

/**
 * Gives a picture to `use`: its bytes where they are all in memory, else the path of a file that is there only
 * meanwhile, from which libvips reads what it needs, a few lines at a time.
 */
export async function withPicture<T>(
  { bytes, source }: MediaValue,
  signal: AbortSignal,
  use: (input: Uint8Array | string) => Promise<T>,
): Promise<T> {
  if (!source) return use(bytes);
  const folder = tmpdir();
  await removeLeft(folder);
  await assertRoom(folder, source.sizeBytes);
  const path = join(folder, `${prefix}${process.pid}-${randomUUID()}`);
  const file = await open(path, 'wx', 0o600);
  try {
    try {
      await copyParts(source, file, signal);
    } finally {
      await file.close();
    }
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** One part is written while the next is read. */
async function copyParts(source: ByteSource, file: FileHandle, signal: AbortSignal): Promise<void> {
  let written: Promise<unknown> = Promise.resolve();
  for (let at = 0; at < source.sizeBytes; at += maxPartBytes) {
    signal.throwIfAborted();
    const part = await source.read(at, Math.min(source.sizeBytes, at + maxPartBytes));
    await written;
    written = file.write(part, 0, part.byteLength, at);
    written.catch(() => undefined);
  }
  await written;
}

async function assertRoom(folder: string, sizeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize > sizeBytes + spareBytes) return;
  throw new AppError({
    code: 'MEMORY',
    message: 'The cache folder has no room for a copy of the picture while it is decoded.',
    hint: 'Make room on its disk, or name another by CURIO_CACHE.',
  });
}

/** Processes that were ended in the middle of a picture leave its file. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length).split('-')[0]);
    if (pid !== process.pid && !isAlive(pid)) await rm(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
