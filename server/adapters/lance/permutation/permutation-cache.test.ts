import { mkdir, readdir, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTable, makeTestHome, type TestHome } from '../../../testing/tables.ts';
import { HeadReader } from '../heads.ts';
import { type PinnedTable, PinnedTables } from '../pinned-tables.ts';
import { PermutationCache, type PermutationRequest } from './permutation-cache.ts';
import { openPermutation, pruneFolder, writePermutation } from './permutation-file.ts';

let home: TestHome;
let table: PinnedTable;
let folder: string;
let made = 0;
const rowCount = 120_000;

beforeAll(async () => {
  home = await makeTestHome();
  await makeTable(home, 't', {
    n: { type: 'int32', values: Int32Array.from({ length: rowCount }, (_, i) => (i * 7919) % rowCount) },
  });
  const tables = new PinnedTables({ home, heads: new HeadReader(home), cache: join(home.path, '.facts') });
  table = await tables.open(
    { table: 't', ref: { branch: 'main', version: 1 } },
    { signal: new AbortController().signal },
  );
});
afterAll(() => home.remove());
beforeEach(() => {
  made += 1;
  folder = join(home.path, `.cache-${made}`);
});

const request = (more: Partial<PermutationRequest> = {}): PermutationRequest => ({
  handle: table.handle,
  facts: table.facts,
  pinnedKey: table.key,
  place: {},
  where: undefined,
  orderBy: [{ column: 'n' }],
  offset: 0,
  limit: 10,
  signal: new AbortController().signal,
  ...more,
});

/** Counts the scans that are begun through the handle. */
function counted(): { handle: PinnedTable['handle']; scans: () => number } {
  let scans = 0;
  const handle = new Proxy(table.handle, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'query') scans += 1;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { handle, scans: () => scans };
}

const filesIn = async (): Promise<string[]> => readdir(join(folder, 'permutations'));

describe('kept orders', () => {
  it('are built once for all who ask at once', async () => {
    const cache = new PermutationCache({ cache: folder });
    const { handle, scans } = counted();
    const windows = await Promise.all(
      Array.from({ length: 6 }, (_, i) => cache.window(request({ handle, offset: i * 20_000 }))),
    );
    expect(scans()).toBe(1);
    expect(windows.map(({ count }) => count)).toEqual(new Array(6).fill(rowCount));
    const values = (await table.handle.takeRowIds([...windows[5]!.ids]).toArray())
      .map((row) => Number(row.n))
      .sort((a, b) => a - b);
    expect(values).toEqual(Array.from({ length: 10 }, (_, i) => 100_000 + i));
  });

  it('are built once by several processes', async () => {
    const { handle, scans } = counted();
    const caches = Array.from({ length: 3 }, () => new PermutationCache({ cache: folder }));
    await Promise.all(caches.map((cache) => cache.window(request({ handle, offset: 50_000 }))));
    expect(scans()).toBe(1);
    expect((await filesIn()).filter((name) => !name.endsWith('.ids'))).toEqual([]);
  });

  it('give the first rows as the whole does', async () => {
    const cache = new PermutationCache({ cache: folder });
    const ahead = await cache.window(request({ limit: 100 }));
    await cache.window(request({ offset: 90_000 }));
    const whole = await cache.window(request({ limit: 100 }));
    expect(ahead).toEqual(whole);
  });

  it('are taken over from a process that died while it built', async () => {
    const cache = new PermutationCache({ cache: folder });
    await cache.window(request());
    await cache.window(request({ offset: 1_000, limit: 10 }));
    const [name] = await filesIn();
    const other = join(home.path, `.cache-dead-${made}`);
    await mkdir(join(other, 'permutations'), { recursive: true });
    const lock = join(other, 'permutations', `${name}.lock`);
    await writeFile(lock, '4194304');
    expect((await new PermutationCache({ cache: other }).window(request())).count).toBe(rowCount);
    await writeFile(lock, '');
    const past = new Date(Date.now() - 60_000);
    await utimes(lock, past, past);
    expect(
      (
        await new PermutationCache({ cache: other }).window(
          request({ orderBy: [{ column: 'n', desc: true }] }),
        )
      ).count,
    ).toBe(rowCount);
  });

  it('that are cut off are made anew', async () => {
    const cache = new PermutationCache({ cache: folder });
    const whole = await cache.window(request({ offset: 5_000 }));
    const [name] = await filesIn();
    await truncate(join(folder, 'permutations', name!), 1000);
    expect(await cache.window(request({ offset: 5_000 }))).toEqual(whole);
  });

  it('are given up when nobody waits any longer, and made when somebody asks again', async () => {
    const cache = new PermutationCache({ cache: folder });
    const controller = new AbortController();
    const gone = cache.window(request({ offset: 60_000, signal: controller.signal }));
    controller.abort();
    await expect(gone).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await cache.window(request({ offset: 60_000 }))).count).toBe(rowCount);
  });

  it('one who goes away spoils nothing for the others', async () => {
    const cache = new PermutationCache({ cache: folder });
    const controller = new AbortController();
    const gone = cache.window(request({ offset: 60_000, signal: controller.signal }));
    const stays = cache.window(request({ offset: 60_000 }));
    controller.abort();
    await expect(gone).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await stays).ids).toHaveLength(10);
  });

  it('work where the folder cannot be written', async () => {
    await writeFile(folder, 'a file');
    expect(
      (await new PermutationCache({ cache: folder }).window(request({ offset: 100_000 }))).ids,
    ).toHaveLength(10);
  });

  it('keep errors to themselves: the next request tries again', async () => {
    const cache = new PermutationCache({ cache: folder });
    await expect(cache.window(request({ where: 'nope = 1' }))).rejects.toMatchObject({ code: 'SQL_BIND' });
    await expect(cache.window(request({ where: 'nope = 1' }))).rejects.toMatchObject({ code: 'SQL_BIND' });
    expect(await filesIn()).toEqual([]);
  });

  it('stay below their limit: those used longest ago go first', async () => {
    const cache = new PermutationCache({ cache: folder, maxBytes: 3 * rowCount * 4 + 1000 });
    for (const where of ['n >= 0', 'n >= -1', 'n >= -2', 'n >= -3', 'n >= -4'])
      await cache.window(request({ where, orderBy: [] }));
    expect((await filesIn()).length).toBeLessThanOrEqual(3);
    expect(await cache.knownCount({ pinnedKey: table.key, where: 'n >= -4', orderBy: [] })).toBe(rowCount);
    expect(await cache.knownCount({ pinnedKey: table.key, where: 'n >= 0', orderBy: [] })).toBe(null);
  });
});

describe('files of orders', () => {
  it('keep small and large ids', async () => {
    await mkdir(folder);
    for (const [name, ids] of [
      ['small', [3n, 1n, 2n]],
      ['large', [2n ** 63n, 1n]],
      ['none', []],
    ] as const) {
      const path = join(folder, name);
      await writePermutation(path, BigUint64Array.from(ids));
      const read = await openPermutation(path);
      expect(read?.count).toBe(ids.length);
      expect([...(await read!.ids(0, 10))]).toEqual(ids);
      expect([...(await read!.ids(1, 1))]).toEqual(ids.slice(1, 2));
      expect([...(await read!.ids(5, 1))]).toEqual([]);
    }
    expect((await stat(join(folder, 'small'))).size).toBe(16 + 3 * 4);
    expect(await openPermutation(join(folder, 'absent'))).toBe(null);
    await pruneFolder(folder, 0);
    expect(await readdir(folder)).toEqual([]);
  });
});
