import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeArrowTable } from '../../../testing/columns.ts';
import { makeTestReader, type TestReader } from '../../../testing/reader.ts';
import { makeTable } from '../../../testing/tables.ts';
import { orderOfRuns } from './id-order.ts';

let t: TestReader;

beforeAll(async () => {
  t = await makeTestReader();
});
afterAll(() => t.home.remove());

const idsOf = (read: { rows: Record<string, unknown>[] }): number[] => read.rows.map(({ id }) => Number(id));

describe('rows that were updated', () => {
  const count = 1_000;
  const expected = Array.from({ length: count }, (_, id) => id).filter((id) => id % 100 !== 50);

  beforeAll(async () => {
    const table = await makeTable(t.home, 'moved', {
      id: { type: 'int64', values: BigInt64Array.from({ length: count - 1 }, (_, i) => BigInt(i)) },
      group: { type: 'int32', values: Int32Array.from({ length: count - 1 }, (_, i) => i % 3) },
    });
    await table.add(
      makeArrowTable({
        id: { type: 'int64', values: [BigInt(count - 1)] },
        group: { type: 'int32', values: [0] },
      }),
    );
    await table.update({ where: 'id in (5, 6, 7, 400)', valuesSql: { group: '7' } });
    await table.update({ where: 'id % 10 = 3', valuesSql: { group: '8' } });
    await table.delete('id % 100 = 50');
    const lie = (await table.query().select(['id']).toArray()).map(({ id }) => Number(id));
    expect(lie).not.toEqual(expected);
  });

  it('stay where they were, whatever window is asked for', async () => {
    expect(idsOf(await t.rows({ table: 'moved' }))).toEqual(expected);
    for (const [offset, limit] of [
      [0, 10],
      [1, 1],
      [395, 20],
      [expected.length - 2, 5],
      [expected.length, 1],
      [0, count],
    ] as const) {
      const read = await t.rows({ table: 'moved', offset, limit });
      expect([idsOf(read), read.total]).toEqual([expected.slice(offset, offset + limit), expected.length]);
    }
  });

  it('stay in their place of a filter and among equals', async () => {
    const where = '"group" >= 7';
    const changed = expected.filter((id) => [5, 6, 7, 400].includes(id) || id % 10 === 3);
    expect(idsOf(await t.rows({ table: 'moved', where }))).toEqual(changed);
    expect(idsOf(await t.rows({ table: 'moved', where, offset: 3, limit: 10 }))).toEqual(
      changed.slice(3, 13),
    );
    const groups = new Map(
      expected.map((id) => [
        id,
        changed.includes(id) ? (id % 10 === 3 ? 8 : 7) : id === count - 1 ? 0 : id % 3,
      ]),
    );
    const sorted = [...expected].sort((a, b) => groups.get(b)! - groups.get(a)! || a - b);
    const read = await t.rows({ table: 'moved', orderBy: [{ column: 'group', desc: true }], limit: count });
    expect(idsOf(read)).toEqual(sorted);
  });

  it('keep their place after compaction, and on a branch', async () => {
    const table = await t.home.connection.openTable('moved');
    await (await table.branches()).create('exp');
    const exp = await t.home.connection.openTable('moved', [], { branch: 'exp' });
    await exp.update({ where: 'id = 1', valuesSql: { group: '9' } });
    expect(idsOf(await t.rows({ table: 'moved', ref: await t.head('moved', 'exp'), limit: 10 }))).toEqual(
      expected.slice(0, 10),
    );
    await table.optimize();
    expect(idsOf(await t.rows({ table: 'moved', limit: count }))).toEqual(expected);
  });
});

describe('orders by id', () => {
  it('give any window of any runs', () => {
    const runs = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 })), { maxLength: 8 })
      .map((gaps) => {
        let at = 0;
        return gaps.map(([gap, length]) => {
          const start = at + gap;
          at = start + length;
          return { start, length };
        });
      });
    fc.assert(
      fc.property(runs, fc.nat(60), fc.nat(20), (made, offset, limit) => {
        const all = made.flatMap(({ start, length }) => Array.from({ length }, (_, i) => start + i));
        const order = orderOfRuns(made);
        expect([order.count, Array.from(order.ids(offset, limit), Number)]).toEqual([
          all.length,
          all.slice(offset, offset + limit),
        ]);
      }),
    );
  });
});
