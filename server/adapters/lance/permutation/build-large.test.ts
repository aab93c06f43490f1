import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderBy } from '#shared/api/tables.ts';
import { type MadeColumn, makeArrowTable } from '../../../testing/columns.ts';
import { makeTable, makeTestHome, type TestHome } from '../../../testing/tables.ts';
import { HeadReader } from '../heads.ts';
import { type PinnedTable, PinnedTables } from '../pinned-tables.ts';
import { buildLargePermutation } from './build-large.ts';
import { buildPermutation } from './build-permutation.ts';
import { PermutationCache } from './permutation-cache.ts';
import { openPermutation } from './permutation-file.ts';

let home: TestHome;
let table: PinnedTable;
const rows = 30_000;
const scattered = (i: number): number => (i * 7919) % rows;
const everySeventh = <T>(i: number, value: T): T | null => (i % 7 === 0 ? null : value);

const columnsFrom = (first: number, count: number): Record<string, MadeColumn> => {
  const at = Array.from({ length: count }, (_none, i) => first + i);
  return {
    id: { type: 'int64', values: at.map(BigInt) },
    score: {
      type: 'float64',
      values: at.map((i) => everySeventh(i, [Number.NaN, -0, 0][i % 50] ?? scattered(i) - 9_000)),
    },
    label: {
      type: 'utf8',
      values: at.map((i) => everySeventh(i, ['cat', 'dog', '', 'catfish', 'ü'][i % 5]!)),
    },
    tint: { type: 'dictionary<int32, utf8>', values: at.map((i) => ['red', 'green'][i % 2]!) },
    at: {
      type: 'timestamp[ns]',
      values: at.map((i) => everySeventh(i, BigInt(scattered(i) % 300) * 1_000_001n)),
    },
    flag: { type: 'bool', values: at.map((i) => everySeventh(i, i % 3 === 0)) },
    text: { type: 'utf8', values: at.map((i) => `text number ${scattered(i)}`) },
    vector: { type: 'fixed_size_list<float32>[2]', values: at.map(() => [1, 2]) },
  };
};

beforeAll(async () => {
  home = await makeTestHome();
  const made = await makeTable(home, 't', columnsFrom(0, rows - 1000));
  await made.add(makeArrowTable(columnsFrom(rows - 1000, 1000)));
  await made.update({ where: 'id in (5, 17, 2500)', values: { label: 'moved' } });
  await made.delete('id % 1000 = 3');
  const tables = new PinnedTables({ home, heads: new HeadReader(home), cache: join(home.path, '.facts') });
  table = await tables.open(
    { table: 't', ref: { branch: 'main', version: 4 } },
    { signal: new AbortController().signal },
  );
});
afterAll(() => home.remove());

const input = (orderBy: OrderBy[], where?: string) => ({
  handle: table.handle,
  facts: table.facts,
  where,
  orderBy,
  place: {},
});
const noEvents = { firstCount: 0, onFirst: () => {} };
const signal = new AbortController().signal;

async function bothWays(orderBy: OrderBy[], where?: string) {
  const path = join(home.path, '.large', `${Math.random()}.ids`);
  await buildLargePermutation(input(orderBy, where), { path, partRows: 2_000 }, noEvents, signal);
  const made = (await openPermutation(path))!;
  return [await made.ids(0, made.count), await buildPermutation(input(orderBy, where), noEvents, signal)];
}

describe('an order that is built part by part', () => {
  it('is the order that is built in memory, for every type, both ways, nulls at either end', async () => {
    const orders: OrderBy[][] = [
      ...['id', 'score', 'label', 'tint', 'at', 'flag', 'text', '_rowid'].flatMap((column) => [
        [{ column }],
        [{ column, desc: true, nulls: 'first' as const }],
      ]),
      [{ column: 'label', desc: true }, { column: 'score' }],
      [{ column: 'flag', nulls: 'first' }, { column: 'tint', desc: true }, { column: 'at' }],
    ];
    for (const order of orders) {
      const [large, small] = await bothWays(order);
      expect([order, large]).toEqual([order, small]);
    }
    const [large, small] = await bothWays([{ column: 'score' }], "label = 'cat'");
    expect(large).toEqual(small);
  });

  it('has the rows of a filter that none fulfils', async () => {
    const [large] = await bothWays([{ column: 'score' }], 'id < 0');
    expect(large?.length).toBe(0);
  });

  it('refuses what has no order, and leaves nothing behind when it is given up', async () => {
    const path = join(home.path, '.given-up', 'x.ids');
    await expect(
      buildLargePermutation(input([{ column: 'vector' }]), { path }, noEvents, signal),
    ).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
    const controller = new AbortController();
    const building = buildLargePermutation(
      input([{ column: 'score' }]),
      { path },
      { firstCount: 10, onFirst: () => controller.abort() },
      controller.signal,
    );
    controller.abort();
    await expect(building).rejects.toThrow();
    const left = await readdir(join(home.path, '.given-up')).catch(() => []);
    expect(left).toEqual([]);
  });

  it('is what large tables get, and the first rows come ahead', async () => {
    const folder = join(home.path, '.cache');
    const cache = new PermutationCache({ cache: folder, maxRowsInMemory: 1000 });
    const orderBy = [{ column: 'id', desc: true }];
    const request = { ...table, pinnedKey: table.key, place: {}, where: undefined, orderBy, signal };
    const window = await cache.window({ ...request, offset: 0, limit: 5 });
    expect([...window.ids].map(Number)).toEqual([29_999, 29_998, 29_997, 29_996, 29_995]);
    const whole = await cache.whole(request);
    expect(await whole.positionOf(29_000n, signal)).toBe(998);
    await expect(access(join(folder, 'permutations'))).resolves.toBeUndefined();
  });
});
