import type { Table } from '@lancedb/lancedb';
import { describe, expect, test } from 'vitest';
import { arrow } from '../../../arrow/arrow.ts';
import { branchTables, cellsOf, upsert } from '../../../testing/branched-table.ts';
import { type MadeColumn, makeArrowTable } from '../../../testing/columns.ts';

const t = branchTables();
const isKey = { 'curio:key': '1' };

describe('columns', () => {
  const plain = (): Record<string, MadeColumn> => ({
    id: { type: 'int64', values: [1n, 2n, 3n], metadata: isKey },
    x: { type: 'int32', values: [1, 2, 3] },
  });

  const addColumn = async (table: Table, column: string, type: string, values: Record<number, unknown>) => {
    await table.addColumns(
      new arrow.Schema([makeArrowTable({ [column]: { type, values: [] } }).schema.fields[0]!]),
    );
    await upsert(table, ['id'], {
      id: { type: 'int64', values: Object.keys(values).map(BigInt) },
      [column]: { type, values: Object.values(values) },
    });
  };

  test('that both sides added with one type are merged cell by cell', async () => {
    await t.start(plain());
    await addColumn(t.exp, 'y', 'utf8', { 1: 'one', 2: 'two' });
    await addColumn(t.main, 'y', 'utf8', { 2: 'zwei', 3: 'drei' });
    await t.exp.update({ where: 'id = 1', values: { x: '11' } });
    expect(await t.summarize()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      cells: { x: 1 },
      columns: { added: ['y'] },
      conflicts: { rows: 1, cells: 1 },
    });
    expect(
      (await t.changed({ conflictsOnly: true })).map(({ _key, _conflict }) => [_key, _conflict]),
    ).toEqual([['2', ['y']]]);
    expect(await t.plan()).toMatchObject({
      status: 'conflicts',
      conflicts: [{ key: '2', column: 'y', base: null, from: 'two', into: 'zwei' }],
    });
    await t.merge({ choices: [{ key: 2, column: 'y', value: 'deux' }] });
    expect(await cellsOf(t.main, ['id', 'x', 'y'])).toEqual([
      ['1', 11, 'one'],
      ['2', 2, 'deux'],
      ['3', 3, 'drei'],
    ]);
  });

  test('that both sides added with two types cannot be merged', async () => {
    await t.start(plain());
    await addColumn(t.exp, 'y', 'utf8', { 1: 'one' });
    await addColumn(t.main, 'y', 'float64', { 2: 2 });
    expect(await t.summarize()).toMatchObject({
      mergeable: false,
      notices: [expect.stringContaining('utf8, float64')],
    });
  });

  test('that were retyped are told by name, keep their values, and cannot be merged one-sided', async () => {
    await t.start(plain());
    await t.exp.alterColumns([{ path: 'x', dataType: 'int64' }]);
    await t.exp.update({ where: 'id = 2', values: { x: '22' } });
    expect(await t.summarize()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      cells: { x: 1 },
      columns: { changed: [{ name: 'x', before: 'x int32', after: 'x int64' }] },
      mergeable: false,
      notices: [expect.stringContaining('int32 to int64')],
    });
  });

  test('that were renamed carry their changes along', async () => {
    await t.start(plain());
    await t.exp.alterColumns([{ path: 'x', rename: 'count' }]);
    await t.exp.update({ where: 'id = 1', values: { count: '11' } });
    await t.main.update({ where: 'id = 2', values: { x: '22' } });
    expect(await t.summarize()).toMatchObject({
      rows: { modified: 1 },
      cells: { count: 1 },
      columns: { added: [], removed: [] },
    });
    await t.merge();
    expect(await cellsOf(t.main, ['id', 'count'])).toEqual([
      ['1', 11],
      ['2', 22],
      ['3', 3],
    ]);
  });

  test('that are the key are compared under their new name, and have to get the old one back for a merge', async () => {
    await t.start(plain());
    await t.exp.alterColumns([{ path: 'id', rename: 'name' }]);
    await t.exp.update({ where: 'name = 1', values: { x: '11' } });
    expect(await t.summarize()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      mergeable: false,
      notices: [expect.stringContaining('renamed to name')],
    });
  });

  test('that main renamed get the changes of the branch', async () => {
    await t.start(plain());
    await t.main.alterColumns([{ path: 'x', rename: 'count' }]);
    await t.exp.update({ where: 'id = 1', values: { x: '11' } });
    await t.exp.add(
      makeArrowTable({ id: { type: 'int64', values: [4n] }, x: { type: 'int32', values: [4] } }),
    );
    await t.merge();
    expect(await cellsOf(t.main, ['id', 'count'])).toEqual([
      ['1', 11],
      ['2', 2],
      ['3', 3],
      ['4', 4],
    ]);
  });

  test('that both renamed differently are asked about', async () => {
    await t.start(plain());
    await t.exp.alterColumns([{ path: 'x', rename: 'a' }]);
    await t.main.alterColumns([{ path: 'x', rename: 'b' }]);
    expect(await t.plan()).toMatchObject({
      status: 'conflicts',
      conflicts: [{ key: null, column: 'a', base: 'x int32', from: 'a int32', into: 'b int32' }],
    });
    await t.merge({ choices: [{ key: null, column: 'a', take: 'from' }] });
    expect((await t.main.schema()).fields.map((field) => field.name)).toEqual(['id', 'a']);
  });

  test('that main dropped come back when the branch changed them and that is what is wanted', async () => {
    await t.start(plain());
    await t.main.dropColumns(['x']);
    await t.exp.update({ where: 'id = 1', values: { x: '11' } });
    expect(await t.plan()).toMatchObject({
      status: 'conflicts',
      conflicts: [{ key: null, column: 'x', into: null }],
    });
    expect((await t.plan({ take: 'into' })).changeset).toMatchObject({ updates: [], addColumns: null });
    await t.merge({ take: 'from' });
    expect(await cellsOf(t.main, ['id', 'x'])).toEqual([
      ['1', 11],
      ['2', 2],
      ['3', 3],
    ]);
  });

  test('that were dropped and added again under their name are compared by value', async () => {
    await t.start(plain());
    await t.exp.dropColumns(['x']);
    await addColumn(t.exp, 'x', 'int32', { 1: 1, 2: 2, 3: 33 });
    expect(await t.summarize()).toMatchObject({
      rows: { modified: 1 },
      cells: { x: 1 },
      columns: { added: [], removed: [] },
    });
  });

  test('of JSON text are compared and merged as they are', async () => {
    await t.start({ ...plain(), note: { type: 'json', values: ['{"a":1}', '[]', null] } });
    await upsert(t.exp, ['id'], {
      id: { type: 'int64', values: [1n, 4n] },
      x: { type: 'int32', values: [1, 4] },
      note: { type: 'json', values: ['{"a":2}', '"new"'] },
    });
    expect(await t.summarize()).toMatchObject({ rows: { added: 1, modified: 1 }, cells: { note: 1 } });
    await t.merge();
    expect(await cellsOf(t.main, ['id', 'note'])).toEqual([
      ['1', '{"a":2}'],
      ['2', '[]'],
      ['3', null],
      ['4', '"new"'],
    ]);
  });

  test('tell what was said of them, and it comes along', async () => {
    await t.start(plain());
    await t.main.updateFieldMetadata([{ path: 'x', metadata: { 'curio:role': 'number' } }]);
    await t.exp.updateFieldMetadata([{ path: 'x', metadata: { 'curio:description': 'how many' } }]);
    expect((await t.summarize()).columns.facts).toEqual([
      { column: 'x', fact: 'curio:description', before: null, after: 'how many' },
    ]);
    expect(await t.merge()).toMatchObject({ rows: { inserted: 0, updated: 0, deleted: 0 } });
    const field = (await t.main.schema()).fields.find((each) => each.name === 'x');
    expect(field?.metadata).toEqual(
      new Map([
        ['curio:role', 'number'],
        ['curio:description', 'how many'],
      ]),
    );
    expect(await t.plan()).toMatchObject({ status: 'up-to-date' });
  });
});
