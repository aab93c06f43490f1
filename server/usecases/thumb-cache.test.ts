import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ThumbCache } from './thumb-cache.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curio-thumbs-'));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const keys = Array.from({ length: 30 }, (_none, at) => `${String(at).padStart(2, '0')}key`);
const picture = new Uint8Array(1000);

test('what was not used for longest goes when the folder is full', async () => {
  const cache = new ThumbCache(folder, { folderBytes: 20_000, memoryBytes: 0 });
  for (const [at, key] of keys.entries()) {
    cache.write(key, picture);
    const usedAt = new Date(2024, 0, 1 + at);
    await cache.settled();
    await utimes(join(folder, key.slice(0, 2), `${key}.webp`), usedAt, usedAt).catch(() => undefined);
  }
  const kept = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.webp'));
  expect(kept.length).toBeLessThanOrEqual(21);
  expect(kept.length).toBeGreaterThanOrEqual(15);
  expect(await cache.read(keys[0] as string)).toBeNull();
  expect(await cache.read(keys[29] as string)).toHaveLength(1000);
});

test('the last used are in memory, within its limit', async () => {
  const cache = new ThumbCache(folder, { folderBytes: 1e6, memoryBytes: 3000 });
  for (const key of keys.slice(0, 3)) cache.write(key, picture);
  expect(cache.peek(keys[0] as string)).toBe(picture);
  cache.write(keys[3] as string, picture);
  expect(keys.slice(0, 4).map((key) => cache.peek(key) !== undefined)).toEqual([true, false, true, true]);
  await cache.settled();
  await rm(folder, { recursive: true });
  expect(await cache.read(keys[0] as string)).toBe(picture);
  expect(await cache.read(keys[1] as string)).toBeNull();
});

test('what was made is on the disk a little later, for the next process', async () => {
  const cache = new ThumbCache(folder);
  for (const key of keys) cache.write(key, picture);
  await expect
    .poll(() => Promise.all(keys.map((key) => new ThumbCache(folder).read(key))))
    .toEqual(keys.map(() => Buffer.from(picture)));
});

test('a folder that was deleted, or cannot be written, loses nothing but what was in it', async () => {
  const cache = new ThumbCache(join(folder, 'thumbs'), { folderBytes: 1e6, memoryBytes: 0 });
  const [one = '', two = ''] = keys;
  cache.write(one, picture);
  await cache.settled();
  await rm(join(folder, 'thumbs'), { recursive: true });
  expect(await cache.read(one)).toBeNull();
  await writeFile(join(folder, 'thumbs'), 'in the way');
  cache.write(two, picture);
  await cache.settled();
  expect(await cache.read(two)).toBeNull();
  await rm(join(folder, 'thumbs'));
  cache.write(two, picture);
  await cache.settled();
  expect(await cache.read(two)).toHaveLength(1000);
});
