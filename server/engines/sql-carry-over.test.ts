import { join } from 'node:path';
import type { Table } from '@lancedb/lancedb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSqlEngine } from '../adapters/duckdb/sql-engine.ts';
import { type CarryOver, planCarryOver } from '../adapters/lance/carry-over.ts';
import { createLanceParts, createLanceReader } from '../adapters/lance/table-reader.ts';
import { readRowsAsJson } from '../arrow/rows-as-json.ts';
import type { TableReader } from '../ports/table-reader.ts';
import { type MadeColumn, makeArrowTable } from '../testing/columns.ts';
import { makeTable, makeTestHome, type TestHome } from '../testing/tables.ts';
import { createRowSource } from './row-source.ts';

let home: TestHome;
beforeAll(async () => {
  home = await makeTestHome();
});
afterAll(() => home.remove());

const context = () => ({ signal: new AbortController().signal });

const columns = (from: number, count: number): Record<string, MadeColumn> => {
  const rows = Array.from({ length: count }, (_, row) => from + row);
  return {
    id: { type: 'int64', values: rows.map(BigInt) },
    s: { type: 'utf8', values: rows.map((row) => (row % 7 === 0 ? null : `text ${row}`)) },
    n: { type: 'float64', values: rows.map((row) => row / 3) },
  };
};

const everyKind = (from: number, count: number, word = 'text'): Record<string, MadeColumn> => {
  const rows = Array.from({ length: count }, (_, row) => from + row);
  const real = (row: number) => (row % 11 === 0 ? null : row % 13 === 0 ? Number.NaN : row / 3);
  return {
    id: { type: 'int64', values: rows.map(BigInt) },
    s: { type: 'utf8', values: rows.map((row) => (row % 7 === 0 ? null : `${word} ${row}`)) },
    n: { type: 'float64', values: rows.map(real) },
    v: { type: 'list<float64>', values: rows.map((row) => (row % 5 === 0 ? null : [real(row), 1])) },
    p: {
      type: 'struct<a: int32, b: utf8>',
      values: rows.map((row) => (row % 17 === 0 ? null : { a: row, b: row % 3 === 0 ? null : word })),
    },
  };
};

/** Depends on every cell, down to signs of zero, and on the place of every row. */
const digest = `SELECT count(*) AS n, sum(hash(place, _rowid, id, concat(s, '|', n, '|', v, '|', p), s IS NULL)::HUGEINT) AS cells
  FROM (SELECT row_number() OVER () AS place, _rowid, id, s, n, v::VARCHAR AS v, p::VARCHAR AS p FROM t)`;

/** An engine that keeps columns, and what its source was asked. */
function makeEngine() {
  const reader = createLanceReader(
    createLanceParts({ home, cache: join(home.path, '.cache') }),
  ) as TableReader;
  const plans: (CarryOver | null)[] = [];
  const reads: { columns: string[]; offset: number }[] = [];
  const source = createRowSource(reader, async (input) => {
    const plan = await planCarryOver(home, input);
    plans.push(plan);
    return plan;
  });
  const counting: typeof source = {
    ...source,
    read(input, call) {
      if (input.limit === undefined) reads.push({ columns: input.columns, offset: input.offset ?? 0 });
      return source.read(input, call);
    },
  };
  const engine = createSqlEngine({ source: counting, memoryLimitBytes: 400e6, spillFolder: null });
  const run = async (table: string, version: number, sql: string, branch = 'main') => {
    const ref = { branch, version };
    const relations = [{ name: 't', table, ref, key: `${table}//${branch}:${version}` }];
    const { chunks } = await engine.run({ sql, relations }, context());
    return (await readRowsAsJson(chunks, new AbortController().signal)).rows;
  };
  return { plans, reads, run, close: () => engine.close() };
}

const everything = 'SELECT _rowid AS r, id, s, n FROM t';

describe('columns that are kept follow a branch', () => {
  test('each version gives the same rows in the same order as an engine that reads it anew', async () => {
    const table: Table = await makeTable(home, 'story', columns(0, 4000));
    await table.add(makeArrowTable(columns(4000, 1000)));
    const start = await table.version();
    const steps: (() => Promise<unknown>)[] = [
      () => table.delete('id % 100 = 3'),
      () => table.add(makeArrowTable(columns(5000, 60))),
      () => table.delete('id % 100 = 4 OR id > 5050'),
      () => table.add(makeArrowTable(columns(5060, 90))),
      () => table.delete('id BETWEEN 200 AND 260'),
    ];
    const engine = makeEngine();
    await engine.run('story', start, 'SELECT sum(n) FROM t');
    await engine.run('story', start, everything);
    const first = engine.reads.length;
    for (const step of steps) {
      await step();
      const version = await table.version();
      const fresh = makeEngine();
      const expected = await fresh.run('story', version, everything);
      expect(await engine.run('story', version, everything)).toEqual(expected);
      await fresh.close();
    }
    expect(engine.plans.filter((plan) => plan === null)).toEqual([]);
    expect(engine.plans.length).toBeGreaterThanOrEqual(steps.length);
    expect(engine.reads.slice(first).filter(({ offset }) => offset === 0)).toEqual([]);
    await engine.close();
  });

  test('moved rows, a compaction and a rewritten column are read anew', async () => {
    const table = await makeTable(home, 'whole', columns(0, 500));
    await table.add(makeArrowTable(columns(500, 500)));
    const engine = makeEngine();
    const same = async () => {
      const version = await table.version();
      const fresh = makeEngine();
      expect(await engine.run('whole', version, everything)).toEqual(
        await fresh.run('whole', version, everything),
      );
      await fresh.close();
    };
    await same();
    await table.update({ where: 'id % 90 = 1', values: { s: 'changed' } });
    await same();
    expect(engine.plans.at(-1)).toBeNull();
    await table.optimize();
    await same();
    await table.addColumns([{ name: 'm', valueSql: 'n * 2' }]);
    await same();
    await table.dropColumns(['n']);
    await table.addColumns([{ name: 'n', valueSql: 'm + 1' }]);
    await same();
    expect(engine.plans.at(-1)).toBeNull();
    await engine.close();
  });

  test('rows of a large table that were moved, changed, deleted and added are where a whole read has them', async () => {
    const rows = 101_000;
    const base: Table = await makeTable(home, 'large', everyKind(0, rows));
    const start = await base.version();
    await (await base.branches()).create('other', 'main', start);
    let next = rows;
    const steps: Record<string, (table: Table, nth: number) => Promise<unknown>> = {
      update: (table, nth) =>
        table.update({ where: `id % 97 = ${nth}`, valuesSql: { n: '-0.0', s: 'NULL' } }),
      nested: (table, nth) => table.update({ where: `id % 101 = ${nth}`, valuesSql: { v: 'v', s: "'x'" } }),
      delete: (table, nth) => table.delete(`id % 103 = ${nth}`),
      add: (table) => {
        next += 300;
        return table.add(makeArrowTable(everyKind(next, 300)));
      },
      merge: (table, nth) =>
        table
          .mergeInsert('id')
          .whenMatchedUpdateAll()
          .whenNotMatchedInsertAll()
          .execute(makeArrowTable(everyKind(nth * 700, 120, 'merged'))),
      compact: (table) => table.optimize(),
      restore: async (table) => {
        await table.checkout(Math.max(start, (await table.version()) - 1));
        await table.restore();
      },
    };
    const names = Object.keys(steps);
    let carried = 0;
    const story = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(90)), { minLength: 3, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(story, fc.constantFrom('main', 'other'), async (told, branch) => {
        const table = branch === 'main' ? base : await (await base.branches()).checkout(branch);
        const engine = makeEngine();
        await engine.run('large', await table.version(), digest, branch);
        for (const [name, nth] of told) {
          await steps[name]?.(table, nth);
          await table.checkoutLatest();
          const version = await table.version();
          const fresh = makeEngine();
          expect(await engine.run('large', version, digest, branch)).toEqual(
            await fresh.run('large', version, digest, branch),
          );
          await fresh.close();
        }
        carried += engine.plans.filter((plan) => plan && plan.removed.length > 0).length;
        await engine.close();
      }),
      {
        numRuns: 2,
        examples: [
          [
            ['update', 'nested', 'merge', 'delete', 'add', 'update', 'compact', 'restore'].map(
              (name, at) => [name, at] as [string, number],
            ),
            'main',
          ],
        ],
      },
    );
    expect(carried).toBeGreaterThanOrEqual(5);
  }, 120_000);

  test('two versions in one statement are both there', async () => {
    const table = await makeTable(home, 'both', columns(0, 300));
    await table.delete('id < 10');
    const engine = makeEngine();
    await engine.run('both', 1, everything);
    const ref = (version: number) => ({ branch: 'main', version });
    const relations = [1, 2].map((version) => ({
      name: `t${version}`,
      table: 'both',
      ref: ref(version),
      key: `both//main:${version}`,
    }));
    const sql = 'SELECT count(*) AS n FROM (SELECT id FROM t1 EXCEPT SELECT id FROM t2)';
    const reader = createLanceReader(
      createLanceParts({ home, cache: join(home.path, '.cache') }),
    ) as TableReader;
    const other = createSqlEngine({
      source: createRowSource(reader, (input) => planCarryOver(home, input)),
      memoryLimitBytes: 400e6,
      spillFolder: null,
    });
    const { chunks } = await other.run({ sql, relations }, context());
    expect((await readRowsAsJson(chunks, new AbortController().signal)).rows).toEqual([{ n: '10' }]);
    await other.close();
    await engine.close();
  });
});
