import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '#shared/api/problem.ts';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let s: TestServer;
const rowCount = 5_000;
const labels = ['yak', 'cat', null, 'dog', ''];
const labelAt = (i: number) => labels[(i * 7) % 5]!;

beforeAll(async () => {
  s = await makeTestServer();
  const table = await makeTable(s.home, 'clips', {
    id: {
      type: 'int64',
      values: BigInt64Array.from({ length: rowCount }, (_, i) => BigInt(i * 10)),
      metadata: { 'curio:key': '1' },
    },
    label: { type: 'utf8', values: Array.from({ length: rowCount }, (_, i) => labelAt(i)) },
    tint: { type: 'dictionary<int32, utf8>', values: Array.from({ length: rowCount }, (_, i) => labelAt(i)) },
    score: {
      type: 'float64',
      values: Array.from({ length: rowCount }, (_, i) => [0, -0, Number.NaN, 2, null][i % 5] ?? null),
    },
    at: { type: 'timestamp[ns]', values: Array.from({ length: rowCount }, (_, i) => BigInt(i % 3)) },
    vector: { type: 'fixed_size_list<float32>[2]', values: Array.from({ length: rowCount }, () => [1, 2]) },
  });
  await table.update({ where: 'id in (30, 40)', values: { label: 'moved' } });
  await table.delete('id = 100');
});
afterAll(() => s.close());

const live = Array.from({ length: rowCount }, (_, i) => ({
  id: i * 10,
  label: i === 3 || i === 4 ? 'moved' : labelAt(i),
})).filter(({ id }) => id !== 100);

async function groupsOf(
  body: object,
): Promise<{ total: number; scope: string; rows: Record<string, unknown>[] }> {
  const response = await s.post('/api/v1/tables/clips/groups?format=json', body);
  expect(response.status).toBe(200);
  return (await response.json()) as never;
}

describe('groups', () => {
  it('have the values, in the order wanted, with exact counts and the place of their first rows', async () => {
    const { rows, total, scope } = await groupsOf({ orderBy: [{ column: 'label', desc: true }] });
    const counts = new Map<string | null, number>();
    for (const { label } of live) counts.set(label, (counts.get(label) ?? 0) + 1);
    const order = ['yak', 'moved', 'dog', 'cat', '', null];
    let start = 0;
    const expected = order.map((label) => {
      const group = { label, _start: start, _rows: counts.get(label) };
      start += counts.get(label)!;
      return group;
    });
    expect(rows.map(({ _rowid, ...group }) => group)).toEqual(expected);
    expect([total, scope]).toEqual([6, `all ${live.length} rows`]);
    const page = await s.post('/api/v1/tables/clips/rows?format=json', {
      columns: ['label'],
      orderBy: [{ column: 'label', desc: true }],
      offset: rows[2]!._start,
      limit: 1,
    });
    expect(((await page.json()) as { rows: object[] }).rows).toEqual([
      { label: 'dog', _rowid: rows[2]!._rowid },
    ]);
  });

  it('keep nulls where they are wanted, floats by value, times to the nanosecond, dictionaries as values', async () => {
    const score = await groupsOf({ orderBy: [{ column: 'score', nulls: 'first' }], where: 'id < 1000' });
    expect(score.rows.map(({ score: value, _rows }) => [value, _rows])).toEqual([
      [null, 20],
      [0, 39],
      [2, 20],
      ['NaN', 20],
    ]);
    expect((await groupsOf({ orderBy: [{ column: 'at' }] })).rows.length).toBe(3);
    expect(
      (await groupsOf({ orderBy: [{ column: 'tint' }, { column: 'id' }] })).rows.map(({ tint }) => tint),
    ).toEqual(['', 'cat', 'dog', 'yak', null]);
  });

  it('are none where no row matches', async () => {
    expect((await groupsOf({ orderBy: [{ column: 'label' }], where: 'id < 0' })).rows).toEqual([]);
  });

  it('refuse what has no groups, or too many', async () => {
    const ask = async (body: object) => {
      const response = await s.post('/api/v1/tables/clips/groups', body);
      const { code, detail, hint } = (await response.json()) as Problem;
      return { code, detail, hint };
    };
    expect(await ask({ orderBy: [{ column: 'id' }], maxGroups: 100 })).toEqual({
      code: 'UNSUPPORTED',
      detail: '“id” has more than 100 different values among these rows.',
      hint: 'Group by a column with fewer values, or filter first.',
    });
    expect((await ask({ orderBy: [{ column: 'vector' }] })).code).toBe('UNSUPPORTED');
    expect((await ask({ orderBy: [{ column: 'lable' }] })).hint).toContain('label');
    expect((await ask({ orderBy: [] })).code).toBe('BAD_REQUEST');
  });
});

describe('where a row stands', () => {
  const locate = async (body: object) => {
    const response = await s.post('/api/v1/tables/clips/rows/locate', body);
    return (await response.json()) as { rowId: string; offset: number; total: number } & Problem;
  };

  it('is its place among all rows, whatever was updated or deleted before it', async () => {
    for (const key of [0, '30', 90, 110, 49_990]) {
      const { offset, total } = await locate({ key });
      expect([offset, total]).toEqual([live.findIndex(({ id }) => id === Number(key)), live.length]);
      const page = await s.post('/api/v1/tables/clips/rows?format=json', {
        columns: ['id'],
        offset,
        limit: 1,
      });
      expect(((await page.json()) as { rows: { id: string }[] }).rows[0]?.id).toBe(String(key));
    }
  });

  it('is its place in the sorted and filtered result', async () => {
    const where = "label = 'cat'";
    const sorted = live.filter(({ label }) => label === 'cat').sort((a, b) => b.id - a.id);
    const orderBy = [{ column: 'id', desc: true }];
    const wanted = sorted[123]!.id;
    const found = await locate({ key: wanted, where, orderBy });
    expect([found.offset, found.total]).toEqual([123, sorted.length]);
    expect((await locate({ rowId: found.rowId, where, orderBy })).offset).toBe(123);
    const other = live.find(({ label }) => label === 'dog')!.id;
    expect(await locate({ key: other, where, orderBy })).toMatchObject({
      offset: null,
      rowId: expect.stringMatching(/^\d+$/),
    });
  });

  it('says when there is no such row, and what is wrong with a question', async () => {
    expect(await locate({ key: 100 })).toMatchObject({ rowId: null, offset: null, total: live.length });
    expect((await locate({})).code).toBe('BAD_REQUEST');
    expect((await locate({ key: [1, 2] })).code).toBe('BAD_REQUEST');
    expect((await locate({ key: { a: 1 } })).code).toBe('BAD_REQUEST');
    expect((await locate({ key: 'x' })).code).toBe('SQL_BIND');
    expect((await locate({ rowId: '99999999999999999999' })).rowId).toBe(null);
  });
});
