import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ThumbCache } from './thumb-cache.ts';

const limits = { folderBytes: 100_000, memoryBytes: 0 };
const keyOf = (at: number): string => `${String(at % 50).padStart(2, '0')}key${at}`;

test('two servers that fill one folder at once keep its limit, and nobody reads half a picture or another’s', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'curio-thumbs-'));
  try {
    const caches = [new ThumbCache(folder, limits), new ThumbCache(folder, limits)];
    const read: (Uint8Array | null)[] = [];
    const use = async (cache: ThumbCache, from: number): Promise<void> => {
      for (let at = from; at < from + 300; at++) {
        cache.write(keyOf(at), new Uint8Array(1000).fill(at % 251));
        if (at % 7 === 0) await cache.settled();
        const before = Math.max(from, at - 8);
        const bytes = await cache.read(keyOf(before));
        read.push(bytes);
        if (bytes) expect(Buffer.from(bytes)).toEqual(Buffer.alloc(1000).fill(before % 251));
      }
    };
    await Promise.all(
      caches.flatMap((cache, index) => [0, 150].map((from) => use(cache, from + index * 75))),
    );
    for (const cache of caches) {
      await cache.settled();
      cache.write(keyOf(9999), new Uint8Array(6000));
      await cache.settled();
    }
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.webp'));
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limits.folderBytes * 1.1);
    expect(read.filter((bytes) => bytes !== null).length).toBeGreaterThan(100);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
