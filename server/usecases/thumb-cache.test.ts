import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
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
