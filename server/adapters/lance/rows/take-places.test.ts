import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeArrowTable } from '../../../testing/columns.ts';
import { makeTestReader, type TestReader } from '../../../testing/reader.ts';
import { makeTable } from '../../../testing/tables.ts';

let t: TestReader;

const partRows = 700;
const parts = 4;
const isLive = (n: number): boolean => n % 97 !== 5 && (n < 1300 || n >= 1450);
const live = Array.from({ length: parts * partRows }, (_none, n) => n).filter(isLive);

const columnsOf = (part: number) => ({
  n: {
    type: 'int64' as const,
    values: BigInt64Array.from({ length: partRows }, (_none, i) => BigInt(part * partRows + i)),
  },
  text: {
    type: 'utf8' as const,
    values: Array.from({ length: partRows }, (_none, i) => `row ${part * partRows + i}`),
  },
});

beforeAll(async () => {
  t = await makeTestReader();
  const table = await makeTable(t.home, 'parts', columnsOf(0));
  for (let part = 1; part < parts; part++) await table.add(makeArrowTable(columnsOf(part)));
  await table.delete('n % 97 = 5');
  await table.delete('n >= 1300 and n < 1450');
});
afterAll(() => t.home.remove());

describe('windows of a table whose rows lie in order, with gaps', () => {
  it('are the rows at their places, wherever fragments and gaps are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(live.length), fc.integer({ min: 1, max: 400 }), async (offset, limit) => {
        const { rows, total } = await t.rows({ table: 'parts', offset, limit });
        expect(total).toBe(live.length);
        expect(rows.map(({ n }) => Number(n))).toEqual(live.slice(offset, offset + limit));
      }),
      { numRuns: 25 },
    );
  });

  it('have the same ids, by which they are found, however the columns were asked for', async () => {
    const input = { table: 'parts', offset: 640, limit: 900 };
    const all = await t.rows(input);
    const some = await t.rows({ ...input, columns: ['text', 'n'] });
    const key = (row: Record<string, unknown> | undefined) => `${row?._rowid} ${row?.n} ${row?.text}`;
    expect(some.rows.map(key)).toEqual(all.rows.map(key));
    expect(Object.keys(all.rows[0]!)).toEqual(['n', 'text', '_rowid']);
    expect(Object.keys(some.rows[0]!)).toEqual(['text', 'n', '_rowid']);
    const ref = await t.head('parts');
    for (const at of [0, 59, 60, 661, 899]) {
      const wanted = `_rowid = ${all.rows[at]!._rowid}`;
      const found = await t.reader.locate({ table: 'parts', ref, wanted }, t.context);
      expect(found).toMatchObject({ position: 640 + at });
    }
  });

  it('stay right on an older version and after compaction', async () => {
    const before = await t.head('parts');
    const table = await t.home.connection.openTable('parts');
    await table.optimize();
    await table.delete('n < 100');
    const now = await t.rows({ table: 'parts', offset: 10, limit: 50 });
    const rest = live.filter((n) => n >= 100);
    expect(now.rows.map(({ n }) => Number(n))).toEqual(rest.slice(10, 60));
    const old = await t.rows({ table: 'parts', ref: before, offset: 10, limit: 50 });
    expect(old.rows.map(({ n }) => Number(n))).toEqual(live.slice(10, 60));
  });
});
