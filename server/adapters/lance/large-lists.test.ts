import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrow } from '../../arrow/arrow.ts';
import { makeArrowTable } from '../../testing/columns.ts';
import { makeTestReader, type TestReader } from '../../testing/reader.ts';
import { everyType } from '../../testing/tables.ts';
import { narrowLargeLists } from './large-lists.ts';

/** Written by Lance for Python, with lists as Polars writes them. */
const fixture = fileURLToPath(new URL('../../testing/fixtures/large-lists.lance', import.meta.url));

let t: TestReader;

beforeAll(async () => {
  t = await makeTestReader();
  await cp(fixture, join(t.home.path, 'lists.lance'), { recursive: true });
});
afterAll(() => t.home.remove());

describe('large lists', () => {
  it('are read as lists, at any depth', async () => {
    const { columns } = await t.reader.describe({ table: 'lists', ref: await t.head('lists') }, t.context);
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toEqual({
      id: 'int64',
      numbers: 'list<int64>',
      text: 'large_utf8',
      nested: 'struct<tags: list<large_utf8>, n: int32>',
      deep: 'list<list<int16>>',
    });
    expect((await t.rows({ table: 'lists' })).rows).toEqual([
      {
        id: '1',
        numbers: ['1', '2'],
        text: 'a',
        nested: { tags: ['x', 'y'], n: 1 },
        deep: [[1], [2, 3]],
        _rowid: '0',
      },
      { id: '2', numbers: [], text: 'b', nested: null, deep: null, _rowid: '1' },
      { id: '3', numbers: null, text: null, nested: { tags: [], n: null }, deep: [], _rowid: '2' },
      {
        id: '4',
        numbers: ['3', null, '5'],
        text: 'd',
        nested: { tags: null, n: 4 },
        deep: [null, [4]],
        _rowid: '3',
      },
    ]);
  });

  it('are sorted, filtered and taken along', async () => {
    const read = await t.rows({
      table: 'lists',
      columns: ['numbers'],
      where: 'id > 1',
      orderBy: [{ column: 'id', desc: true }],
      limit: 2,
    });
    expect(read.rows.map(({ numbers }) => numbers)).toEqual([['3', null, '5'], null]);
  });

  it('take rows that are written as lists', async () => {
    const table = await t.home.connection.openTable('lists');
    await table.add(
      makeArrowTable({
        id: { type: 'int64', values: [5n] },
        numbers: { type: 'list<int64>', values: [[7n]] },
      }),
    );
    expect((await t.rows({ table: 'lists', where: 'id = 5' })).rows).toMatchObject([
      { numbers: ['7'], nested: null },
    ]);
  });

  it('files without any are left as they are', () => {
    const file = arrow.tableToIPC(makeArrowTable(everyType), 'file');
    const before = Buffer.from(file);
    expect(Buffer.compare(narrowLargeLists(file), before)).toBe(0);
  });
});
