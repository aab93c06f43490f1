import { Index } from '@lancedb/lancedb';
import { describe, expect, test } from 'vitest';
import { branchTables, cellsOf, context } from '../../../testing/branched-table.ts';
import { type MadeColumn, makeArrowTable } from '../../../testing/columns.ts';
import { makeForeignTable } from '../../../testing/tables.ts';
import { apply } from '../apply.ts';
import { readLineage } from '../lines.ts';
import { findCandidates } from './find-candidates.ts';
import { openSide } from './side.ts';
import { createTrust } from './trust-versions.ts';

const t = branchTables();
const isKey = { 'curio:key': '1' };
const numbers = (count: number, of = (at: number): unknown => at): unknown[] =>
  Array.from({ length: count }, (_, at) => of(at));

describe('large fragments', () => {
  const count = 6000;
  const wide = (): Record<string, MadeColumn> => ({
    id: { type: 'int64', values: numbers(count, (at) => BigInt(at as number)), metadata: isKey },
    label: { type: 'utf8', values: numbers(count, (at) => `label ${at}`) },
    score: { type: 'float64', values: numbers(count) },
  });
  const patch = {
    id: { type: 'int64', values: [7n, 5999n] },
    score: { type: 'float64', values: [-1, 5999] },
  };

  async function candidates() {
    const { table, from } = await t.sides();
    const [before, after] = await Promise.all([
      openSide(t.home, table, t.base),
      openSide(t.home, table, from),
    ]);
    const lineage = await readLineage(t.home, { table, a: t.base, b: from });
    const columns = before.fields.map(({ partIds }, column) => ({
      column,
      baseIds: partIds,
      sideIds: after.fields[column]!.partIds,
    }));
    return findCandidates(before, after, { columns, trust: createTrust(t.home, before, after, lineage) });
  }

  test('of which a column was patched: only the rows that were written are looked at', async () => {
    await t.start(wide(), { before: (table) => table.createIndex('id', { config: Index.btree() }) });
    await t.exp.mergeInsert('id').whenMatchedUpdateAll().execute(makeArrowTable(patch));
    const { placed, gone, come } = await candidates();
    expect([placed.map(({ baseIds }) => [...baseIds]), gone.ids.length, come.ids.length]).toEqual([
      [[7, 5999]],
      0,
      0,
    ]);
    expect(await t.summarize()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      cells: { score: 1 },
    });
  });

  test('that were compacted are the same, whatever was done between', async () => {
    await t.start(wide());
    await t.exp.update({ where: 'id = 3', values: { label: 'three' } });
    await t.exp.delete('id = 4');
    await t.exp.optimize();
    await t.exp.add(makeArrowTable({ id: { type: 'int64', values: [9000n] } }));
    await t.exp.optimize();
    expect(await t.summarize()).toMatchObject({
      rows: { added: 1, removed: 1, modified: 1 },
      cells: { label: 1 },
    });
  });

  test('that were written by operations which say nothing of rows are compared cell by cell', async () => {
    await t.start(wide());
    await t.exp.addColumns([{ name: 'twice', valueSql: 'score * 2' }]);
    await t.exp.dropColumns(['twice']);
    await t.exp.update({ where: 'id = 3', values: { label: 'three' } });
    await t.exp.optimize();
    expect(await t.summarize()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      columns: { added: [], removed: [] },
    });
  });

  test('of tables without stable row ids are matched by key', async () => {
    await t.start(wide(), { make: makeForeignTable });
    await t.exp.update({ where: 'id = 3', values: { label: 'three' } });
    await t.exp.optimize();
    await t.exp.delete('id > 5990');
    expect(await t.summarize()).toMatchObject({
      rows: { added: 0, removed: 9, modified: 1 },
      cells: { label: 1 },
    });
    await t.merge();
    expect(await t.main.countRows()).toBe(count - 9);
  });

  test('without key and stable row ids are matched by content', async () => {
    const { id, ...rest } = wide();
    await t.start({ id: { ...id!, metadata: {} }, ...rest }, { make: makeForeignTable });
    await t.exp.update({ where: 'id = 3', values: { label: 'three' } });
    await t.exp.optimize();
    expect(await t.summarize()).toMatchObject({
      rows: { added: 1, removed: 1, modified: 0 },
      mergeable: false,
    });
  });
});

test('a change of a branch is taken back by row id, where the table has no key', async () => {
  await t.start({
    x: { type: 'int32', values: [1, 2, 3, 4] },
    y: { type: 'utf8', values: ['a', 'b', 'c', 'd'] },
  });
  const before = { branch: 'exp', version: await t.exp.version() };
  await t.exp.update({ where: 'x = 1', values: { x: '11' } });
  await t.exp.delete('x = 2');
  await t.exp.add(makeArrowTable({ x: { type: 'int32', values: [5] }, y: { type: 'utf8', values: ['e'] } }));
  const after = { branch: 'exp', version: await t.exp.version() };
  await t.exp.update({ where: 'x = 3', values: { y: 'z' } });
  const head = { branch: 'exp', version: await t.exp.version() };
  const undo = { table: t.name, base: after, from: before, into: head };
  await expect(t.diff.planMerge(undo, context)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  const planned = await t.diff.planMerge({ ...undo, byRowId: true }, context);
  expect(planned).toMatchObject({ status: 'ready', rows: { inserted: 1, updated: 1, deleted: 1 } });
  await apply(t.home, { table: t.name, head, changeset: planned.changeset! }, context);
  expect(await cellsOf(t.exp, ['x', 'y'])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'z'],
    [4, 'd'],
  ]);
});

test('two refs without a base are compared directly', async () => {
  await t.start({
    id: { type: 'int64', values: [1n, 2n], metadata: isKey },
    x: { type: 'int32', values: [1, 2] },
  });
  await t.exp.update({ where: 'id = 1', values: { x: '11' } });
  await t.main.update({ where: 'id = 2', values: { x: '22' } });
  const two = { ...(await t.sides()), base: null };
  expect(await t.diff.summarize(two, context)).toMatchObject({
    mode: 'two-way',
    base: null,
    rows: { modified: 2 },
    mergeable: false,
  });
});

test('a version that was cleaned up is GONE, and work that nobody waits for ends', async () => {
  await t.start({ id: { type: 'int64', values: [1n, 2n], metadata: isKey } });
  const input = await t.sides();
  await expect(
    t.diff.summarize({ ...input, from: { branch: 'exp', version: 99 } }, context),
  ).rejects.toMatchObject({ code: 'GONE' });
  await expect(t.diff.summarize(input, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
});
