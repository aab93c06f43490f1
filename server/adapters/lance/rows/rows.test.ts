import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrow } from '../../../arrow/arrow.ts';
import type { RowsInput } from '../../../ports/table-reader.ts';
import { makeArrowTable } from '../../../testing/columns.ts';
import { makeTestReader, type TestReader } from '../../../testing/reader.ts';
import { everyType, makeForeignTable, makeTable } from '../../../testing/tables.ts';

let t: TestReader;

const rowCount = 25_000;
/** A permutation of 0 … rowCount - 1 with a prime step. */
const scattered = (row: number): number => (row * 7919) % rowCount;

interface Wide {
  id: number;
  score: number | null;
  name: string;
  group: string;
}
const wideRows: Wide[] = Array.from({ length: rowCount }, (_, row) => ({
  id: row,
  score: row % 11 === 0 ? null : scattered(row) / 8,
  name: `name ${scattered(row).toString().padStart(6, '0')}`,
  group: ['a', 'b', 'ü', ''][row % 4]!,
}));

beforeAll(async () => {
  t = await makeTestReader();
  const table = await makeTable(t.home, 'wide', {
    id: { type: 'int64', values: wideRows.map(({ id }) => BigInt(id)), metadata: { 'curio:key': '1' } },
    score: { type: 'float64', values: wideRows.map(({ score }) => score) },
    name: { type: 'utf8', values: wideRows.map(({ name }) => name) },
    group: { type: 'dictionary<int32, utf8>', values: wideRows.map(({ group }) => group) },
    _key: { type: 'int64', values: wideRows.map(({ id }) => BigInt(id)) },
  });
  await table.add(
    makeArrowTable({
      id: { type: 'int64', values: [BigInt(rowCount)] },
      score: { type: 'float64', values: [Number.NaN] },
      name: { type: 'utf8', values: ['last'] },
      group: { type: 'dictionary<int32, utf8>', values: [null] },
      _key: { type: 'int64', values: [BigInt(rowCount)] },
    }),
  );
  await table.update({ where: 'id in (3, 24000)', values: { name: 'changed' } });
  await table.delete('id % 1000 = 7');
  await makeTable(t.home, 'every', everyType);
});
afterAll(() => t.home.remove());

const idsOf = (read: { rows: Record<string, unknown>[] }): number[] => read.rows.map(({ id }) => Number(id));
const live = wideRows
  .filter(({ id }) => id % 1000 !== 7)
  .map((row) => (row.id === 3 || row.id === 24_000 ? { ...row, name: 'changed' } : row));

async function arrowOf(input: Omit<RowsInput, 'ref'>) {
  const { chunks, facts } = await t.reader.rows({ ...input, ref: await t.head(input.table) }, t.context);
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const bytes = Buffer.concat(parts);
  expect([...bytes.subarray(-8)]).toEqual([255, 255, 255, 255, 0, 0, 0, 0]);
  return { table: arrow.tableFromIPC(bytes), facts };
}

describe('whole results', () => {
  it('have every row, its id and the facts, without hidden columns', async () => {
    const { table, facts } = await arrowOf({ table: 'wide' });
    expect(table.schema.fields.map(({ name }) => name)).toEqual(['id', 'score', 'name', 'group', '_rowid']);
    expect(table.numRows).toBe(live.length + 1);
    expect(facts.total).toBe(live.length + 1);
    expect(Object.fromEntries(table.schema.metadata)).toMatchObject({
      'curio.ref': 'main:4',
      'curio.total': String(live.length + 1),
      'curio.scope': 'all',
      'curio.engine': 'lance',
    });
    expect(table.schema.fields[0]!.metadata.get('curio:role')).toBe('key');
    const groups = table.getChild('group')!;
    const ids = table.getChild('id')!;
    for (let row = 0; row < table.numRows; row += 997) {
      const id = Number(ids.get(row));
      expect(groups.get(row)).toBe(id === rowCount ? null : wideRows[id]!.group);
    }
  });

  it('filtered have the rows that match, and know how many', async () => {
    const read = await t.rows({ table: 'wide', columns: ['id'], where: 'score < 100' });
    const expected = live.filter(({ score }) => score !== null && score < 100).map(({ id }) => id);
    expect([read.total, read.scope]).toEqual([expected.length, 'all']);
    expect(idsOf(read).sort((a, b) => a - b)).toEqual(expected);
  });

  it('sorted come in order, over several takes', async () => {
    const { table } = await arrowOf({
      table: 'wide',
      columns: ['id'],
      orderBy: [{ column: 'id', desc: true }],
    });
    expect(Array.from(table.getChild('id')!.toArray() as BigInt64Array, Number)).toEqual([
      rowCount,
      ...live.map(({ id }) => id).reverse(),
    ]);
  });

  it('hidden columns come when they are asked for', async () => {
    const read = await t.rows({
      table: 'wide',
      columns: ['_key', '_rowid', '_row_created_at_version'],
      limit: 1,
    });
    expect(Object.keys(read.rows[0]!)).toEqual(['_key', '_rowid', '_row_created_at_version']);
  });
});

describe('windows', () => {
  it('by position are pieces of the whole, wherever they begin', async () => {
    const all = idsOf(await t.rows({ table: 'wide', columns: ['id'], limit: 10_000 }));
    const whole = await arrowOf({ table: 'wide', columns: ['id'] });
    const order = Array.from(whole.table.getChild('id')!.toArray() as BigInt64Array, Number);
    expect(all).toEqual(order.slice(0, 10_000));
    for (const [offset, limit] of [
      [0, 1],
      [1, 100],
      [12_345, 50],
      [order.length - 3, 10],
      [order.length, 5],
      [99_999, 5],
      [10, 0],
    ] as const) {
      const read = await t.rows({ table: 'wide', columns: ['id'], offset, limit });
      expect([idsOf(read), read.total]).toEqual([order.slice(offset, offset + limit), order.length]);
    }
    const large = await arrowOf({ table: 'wide', columns: ['id'], offset: 100, limit: 20_000 });
    expect(Array.from(large.table.getChild('id')!.toArray() as BigInt64Array, Number)).toEqual(
      order.slice(100, 20_100),
    );
  });

  it('name their place in the scope', async () => {
    const read = await t.rows({ table: 'wide', columns: ['id'], offset: 10, limit: 5 });
    expect(read.scope).toBe(`rows 11 to 15 of ${live.length + 1}`);
  });

  it('of a filter are pieces of the filtered whole', async () => {
    const where = "name like 'name 00%' and id > 100";
    const whole = idsOf(await t.rows({ table: 'wide', columns: ['id'], where, limit: 10_000 }));
    expect(whole.length).toBeGreaterThan(100);
    const read = await t.rows({ table: 'wide', columns: ['id', 'name'], where, offset: 50, limit: 20 });
    expect([idsOf(read), read.total]).toEqual([whole.slice(50, 70), whole.length]);
    expect(read.rows.map(({ id, name }) => live.find((row) => row.id === Number(id))!.name === name)).toEqual(
      new Array(20).fill(true),
    );
  });

  const sorted = (compare: (a: Wide, b: Wide) => number): number[] =>
    [...live].sort(compare).map(({ id }) => id);
  const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

  it('of an order are pieces of it, rows put where they belong', async () => {
    const expected = sorted((a, b) => byBytes(b.name, a.name));
    const ids = new Map(live.map((row) => [row.id, row]));
    for (const offset of [0, 3_000, live.length - 20]) {
      const read = await t.rows({
        table: 'wide',
        orderBy: [{ column: 'name', desc: true }],
        offset,
        limit: 20,
      });
      const names = read.rows.map(({ name }) => name);
      expect(names).toEqual(
        [...expected.map((id) => ids.get(id)!.name), 'last']
          .sort((a, b) => byBytes(b, a))
          .slice(offset, offset + 20),
      );
      for (const row of read.rows)
        if (row.name !== 'last') expect(ids.get(Number(row.id))!.name).toBe(row.name);
    }
  });

  it('put nulls last both ways, and NaN above all numbers', async () => {
    const up = await t.rows({
      table: 'wide',
      columns: ['id', 'score'],
      orderBy: [{ column: 'score' }],
      offset: 0,
      limit: 10_000,
    });
    const down = await t.rows({
      table: 'wide',
      columns: ['id', 'score'],
      orderBy: [{ column: 'score', desc: true }],
      offset: 0,
      limit: 3,
    });
    const tail = await t.rows({
      table: 'wide',
      columns: ['score'],
      orderBy: [{ column: 'score', desc: true }],
      offset: live.length - 3,
      limit: 10,
    });
    expect(up.rows.slice(0, 3).map(({ score }) => score)).toEqual(
      [...live.map(({ score }) => score).filter((score) => score !== null)].sort((a, b) => a - b).slice(0, 3),
    );
    expect(down.rows[0]!.score).toBe('NaN');
    expect(tail.rows.map(({ score }) => score)).toEqual([null, null, null, null]);
  });

  it('by several columns and a filter keep equal rows in their place', async () => {
    const read = await t.rows({
      table: 'wide',
      columns: ['id', 'group'],
      where: 'id < 5000',
      orderBy: [{ column: 'group' }, { column: 'id', desc: true }],
      limit: 10_000,
    });
    const expected = live
      .filter(({ id }) => id < 5000)
      .sort((a, b) => byBytes(a.group, b.group) || b.id - a.id);
    expect(idsOf(read)).toEqual(expected.map(({ id }) => id));
    const ties = await t.rows({
      table: 'wide',
      columns: ['id'],
      where: 'id < 40',
      orderBy: [{ column: 'group' }],
      limit: 100,
    });
    const again = await t.rows({
      table: 'wide',
      columns: ['id'],
      where: 'id < 40',
      orderBy: [{ column: 'group' }],
      offset: 10,
      limit: 5,
    });
    expect(idsOf(again)).toEqual(idsOf(ties).slice(10, 15));
  });

  it('are the same whether the order was kept or is made anew', async () => {
    const input = {
      table: 'wide',
      columns: ['id'],
      orderBy: [{ column: 'group', desc: true }],
      offset: 500,
      limit: 100,
    };
    const kept = await t.rows(input);
    const folder = join(t.cache, 'permutations');
    expect((await readdir(folder)).length).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
    expect((await t.rows(input)).rows).toEqual(kept.rows);
  });

  it('may be sorted by every type that has an order', async () => {
    for (const [name, { type }] of Object.entries(everyType)) {
      const read = t.rows({ table: 'every', columns: [name], orderBy: [{ column: name, desc: true }] });
      if (/^(list|struct|map|fixed_size_list|binary)/.test(type))
        await expect(read).rejects.toMatchObject({
          code: 'UNSUPPORTED',
          message: expect.stringContaining(name),
        });
      else expect((await read).rows.at(-1)![name]).toBe(name === 'id' ? '1' : null);
    }
  });
});

describe('orders of values', () => {
  it('are those of the values, whatever the type', async () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const columns: [string, fc.Arbitrary<unknown>, (a: never, b: never) => number][] = [
      ['int64', int64, (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b))],
      [
        'uint64',
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b)),
      ],
      ['int8', fc.integer({ min: -128, max: 127 }), (a: number, b: number) => a - b],
      ['float32', fc.float({ noNaN: true }), (a: number, b: number) => (a < b ? -1 : Number(a > b))],
      ['float64', fc.double({ noNaN: true }), (a: number, b: number) => (a < b ? -1 : Number(a > b))],
      [
        'decimal128(38, 0)',
        fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
        (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b)),
      ],
      ['bool', fc.boolean(), (a: boolean, b: boolean) => Number(a) - Number(b)],
    ];
    let made = 0;
    for (const [type, value, compare] of columns) {
      const values = fc.sample(
        fc.array(fc.option(value, { freq: 6 }), { minLength: 60, maxLength: 60 }),
        1,
      )[0]!;
      const table = `order_${made++}`;
      await makeTable(t.home, table, {
        id: { type: 'int32', values: values.map((_, i) => i) },
        v: { type, values },
      });
      const expected = values
        .map((item, id) => ({ item, id }))
        .sort(
          (a, b) =>
            (a.item === null || b.item === null
              ? Number(a.item === null) - Number(b.item === null)
              : compare(a.item as never, b.item as never)) || a.id - b.id,
        );
      const read = await t.rows({ table, columns: ['id'], orderBy: [{ column: 'v' }] });
      expect([type, idsOf(read)]).toEqual([type, expected.map(({ id }) => id)]);
    }
  });
});

describe('tables of other programs', () => {
  it('are paged, filtered and sorted alike', async () => {
    const table = await makeForeignTable(t.home, 'foreign', {
      id: { type: 'int64', values: BigInt64Array.from({ length: 500 }, (_, i) => BigInt(i)) },
    });
    await table.add([{ id: 500n }]);
    await table.update({ where: 'id = 10', valuesSql: { id: '1000' } });
    const read = await t.rows({ table: 'foreign', orderBy: [{ column: 'id', desc: true }], limit: 3 });
    expect(idsOf(read)).toEqual([1000, 500, 499]);
    expect(idsOf(await t.rows({ table: 'foreign', where: 'id < 3', offset: 1, limit: 5 }))).toEqual([1, 2]);
  });

  it('may have columns with odd names; those that Lance cannot be asked for are left out', async () => {
    await makeTable(t.home, 'odd', {
      'a`b': { type: 'int32', values: [1, 2] },
      '*': { type: 'int32', values: [3, 4] },
      'a "b" c, d': { type: 'int32', values: [5, 6] },
    });
    expect((await t.rows({ table: 'odd' })).rows).toEqual([
      { 'a "b" c, d': 5, _rowid: '0' },
      { 'a "b" c, d': 6, _rowid: '1' },
    ]);
    expect(
      (await t.rows({ table: 'odd', orderBy: [{ column: 'a "b" c, d', desc: true }], limit: 1 })).rows,
    ).toEqual([{ 'a "b" c, d': 6, _rowid: '1' }]);
    await expect(t.rows({ table: 'odd', columns: ['a`b'] })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const { notices } = await t.reader.describe({ table: 'odd', ref: await t.head('odd') }, t.context);
    expect(notices.filter((notice) => notice.includes('cannot be read'))).toHaveLength(2);
  });
});

describe('what cannot be read', () => {
  it.each<[string, Partial<RowsInput>, string, RegExp]>([
    ['an unknown column', { columns: ['nmae'] }, 'SQL_BIND', /“nmae”/],
    ['an unknown column to sort by', { orderBy: [{ column: 'grup' }] }, 'SQL_BIND', /“grup”/],
    ['a filter that slipped through with an unknown column', { where: 'nope = 1' }, 'SQL_BIND', /nope/],
    ['a filter that slipped through unparsed', { where: 'id = = 1', limit: 1 }, 'SQL_SYNTAX', /syntax/],
  ])('%s says why', async (_what, input, code, message) => {
    await expect(t.rows({ table: 'wide', ...input })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it('a near name is in the hint', async () => {
    await expect(t.rows({ table: 'wide', columns: ['nmae'] })).rejects.toMatchObject({
      hint: 'Did you mean “name”?',
    });
  });

  it('an abort ends the stream', async () => {
    const controller = new AbortController();
    const { chunks } = await t.reader.rows(
      { table: 'wide', ref: await t.head('wide') },
      { signal: controller.signal },
    );
    const iterator = chunks[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort();
    await expect(
      (async () => {
        for (let next = await iterator.next(); !next.done; next = await iterator.next());
      })(),
    ).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('counts', () => {
  it('are those of the rows, by row id too', async () => {
    const count = async (where?: string) =>
      (await t.reader.count({ table: 'wide', ref: await t.head('wide'), where }, t.context)).rows;
    expect([
      await count(),
      await count(''),
      await count('id < 10'),
      await count('_rowid = 1'),
      await count('_rowid in (1, 2) and id > 0'),
    ]).toEqual([live.length + 1, live.length + 1, 9, 1, 2]);
  });
});
