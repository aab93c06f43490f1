import type { Table } from '@lancedb/lancedb';
import { describe, expect, test } from 'vitest';
import { arrow } from '../../../arrow/arrow.ts';
import { branchTables, cellsOf, context, upsert } from '../../../testing/branched-table.ts';
import { type MadeColumn, makeArrowTable } from '../../../testing/columns.ts';
import { apply } from '../apply.ts';

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

  test('that both sides added with two types become as main has them', async () => {
    await t.start(plain());
    await addColumn(t.exp, 'y', 'utf8', { 1: '1', 2: '2.0' });
    await addColumn(t.main, 'y', 'float64', { 2: 2, 3: 3 });
    expect(await t.summarize()).toMatchObject({ conflicts: { rows: 0, cells: 0 }, mergeable: true });
    await t.merge();
    expect(await cellsOf(t.main, ['id', 'y'])).toEqual([
      ['1', 1],
      ['2', 2],
      ['3', 3],
    ]);
  });

  test('that both sides added with two types are not merged where that would lose values, or none fits', async () => {
    await t.start(plain());
    await addColumn(t.exp, 'y', 'utf8', { 1: 'one', 2: '2' });
    await addColumn(t.main, 'y', 'float64', { 2: 2 });
    await addColumn(t.exp, 'z', 'binary', {});
    await addColumn(t.main, 'z', 'int32', {});
    expect(await t.summarize()).toMatchObject({
      mergeable: false,
      notices: [
        expect.stringContaining('z was added on both sides with different types (binary, int32)'),
        expect.stringContaining('1 cell of y on exp cannot be read as float64'),
      ],
    });
  });

  describe('that one side retyped', () => {
    const rows = (): Record<string, MadeColumn> => ({
      ...plain(),
      n: { type: 'utf8', values: ['1', '2', 'many'], metadata: { 'curio:description': 'how many' } },
    });
    /** As a person does it whose library cannot cast in place: a new column under the old name. */
    const retype = async (table: Table, column: string, sql: string) => {
      await table.addColumns([{ name: 'other', valueSql: sql }]);
      await table.dropColumns([column]);
      await table.alterColumns([{ path: 'other', rename: column }]);
    };

    test('keep their values where they only got another type', async () => {
      await t.start(plain());
      await t.exp.alterColumns([{ path: 'x', dataType: 'int64' }]);
      await t.exp.update({ where: 'id = 2', values: { x: '22' } });
      expect(await t.summarize()).toMatchObject({
        rows: { added: 0, removed: 0, modified: 1 },
        cells: { x: 1 },
        columns: { changed: [{ name: 'x', before: 'x int32', after: 'x int64' }] },
        mergeable: true,
        notices: [],
      });
    });

    test('get their type on the other, with what both changed', async () => {
      await t.start(rows());
      await retype(t.exp, 'n', 'try_cast(n as bigint)');
      await t.exp.update({ where: 'id = 1', values: { n: '11', x: '11' } });
      await t.main.update({ where: 'id = 2', values: { n: '22' } });
      await upsert(t.main, ['id'], {
        id: { type: 'int64', values: [4n] },
        x: { type: 'int32', values: [4] },
        n: { type: 'utf8', values: ['4'] },
      });
      expect(await t.summarize()).toMatchObject({
        rows: { modified: 1 },
        cells: { n: 1, x: 1 },
        conflicts: { rows: 0, cells: 0 },
      });
      await t.merge();
      const field = (await t.main.schema()).fields.find(({ name }) => name === 'n')!;
      expect([String(field.type), field.metadata.get('curio:description')]).toEqual(['Int64', 'how many']);
      expect(await cellsOf(t.main, ['id', 'x', 'n'])).toEqual([
        ['1', 11, '11'],
        ['2', 2, '22'],
        ['3', 3, null],
        ['4', 4, '4'],
      ]);
      expect(await t.plan()).toMatchObject({ status: 'up-to-date' });
    });

    test('are in conflict where both changed a cell to different values, in whatever type', async () => {
      await t.start(rows());
      await retype(t.exp, 'n', 'try_cast(n as bigint)');
      await t.exp.update({ where: 'id < 3', values: { n: '7' } });
      await t.main.update({ where: 'id < 3', values: { n: '7' } });
      await t.main.update({ where: 'id = 2', values: { n: '8' } });
      expect(await t.plan()).toMatchObject({
        status: 'conflicts',
        conflicts: [{ key: '2', column: 'n', base: '2', from: '7', into: '8' }],
      });
      await t.merge({ take: 'into' });
      expect(await cellsOf(t.main, ['id', 'n'])).toEqual([
        ['1', '7'],
        ['2', '8'],
        ['3', null],
      ]);
    });

    test('are not merged when that would lose what the other wrote, and the cells are counted', async () => {
      await t.start(rows());
      await retype(t.exp, 'n', 'try_cast(n as bigint)');
      await t.main.update({ where: 'id = 2', values: { n: 'a few' } });
      expect(await t.summarize()).toMatchObject({
        mergeable: false,
        notices: [expect.stringContaining('1 cell of n on main cannot be read as int64')],
      });
      await expect(t.plan()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    });

    test('and that main retyped, get the cells and rows of the branch cast', async () => {
      await t.start(rows());
      await retype(t.main, 'n', 'try_cast(n as bigint)');
      await t.exp.update({ where: 'id = 2', values: { n: '22' } });
      await upsert(t.exp, ['id'], {
        id: { type: 'int64', values: [4n] },
        x: { type: 'int32', values: [4] },
        n: { type: 'utf8', values: ['4'] },
      });
      await t.merge();
      expect(await cellsOf(t.main, ['id', 'n'])).toEqual([
        ['1', '1'],
        ['2', '22'],
        ['3', null],
        ['4', '4'],
      ]);
      await t.exp.update({ where: 'id = 1', values: { n: 'none' } });
      await expect(t.plan()).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringContaining('1 cell of n on exp'),
      });
    });

    test('and the other renamed, get both', async () => {
      await t.start(plain());
      await t.exp.alterColumns([{ path: 'x', dataType: 'int64' }]);
      await t.exp.update({ where: 'id = 1', values: { x: '11' } });
      await t.main.alterColumns([{ path: 'x', rename: 'points' }]);
      await t.main.update({ where: 'id = 3', values: { points: '33' } });
      await t.merge();
      expect(await cellsOf(t.main, ['id', 'points'])).toEqual([
        ['1', '11'],
        ['2', '2'],
        ['3', '33'],
      ]);
    });

    test('come back as they were when the merge is reverted', async () => {
      await t.start(rows());
      await retype(t.exp, 'n', 'try_cast(n as bigint)');
      await t.exp.update({ where: 'id = 1', values: { n: '11' } });
      const before = await cellsOf(t.main, ['id', 'x', 'n']);
      await t.merge();
      const head = { branch: 'main', version: await t.main.version() };
      const revert = { table: t.name, base: head, from: t.base, into: head };
      const { changeset } = await t.diff.planMerge(revert, context);
      await apply(t.home, { table: t.name, head, changeset: changeset! }, context);
      expect(await cellsOf(t.main, ['id', 'x', 'n'])).toEqual(before);
      const field = (await t.main.schema()).fields.find(({ name }) => name === 'n')!;
      expect([String(field.type), field.metadata.get('curio:description')]).toEqual(['Utf8', 'how many']);
    });

    test('are cast where only some rows are picked, which leave the columns alone', async () => {
      await t.start(rows());
      await retype(t.exp, 'n', 'try_cast(n as bigint)');
      await t.exp.update({ where: 'id = 1', values: { n: '11' } });
      await t.exp.update({ where: 'id = 2', values: { n: '22' } });
      await t.merge({ only: { keys: [1] } });
      expect(await cellsOf(t.main, ['id', 'n'])).toEqual([
        ['1', '11'],
        ['2', '2'],
        ['3', 'many'],
      ]);
    });

    test('on both sides to different types, are told with the way out', async () => {
      await t.start(plain());
      await t.exp.alterColumns([{ path: 'x', dataType: 'int64' }]);
      await t.main.alterColumns([{ path: 'x', dataType: 'int16' }]);
      expect(await t.summarize()).toMatchObject({
        mergeable: false,
        notices: [expect.stringContaining('(int32 to int64 and to int16). Give it the same type')],
      });
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

  describe('that are the key', () => {
    const added = (key: string, id: bigint) => ({
      [key]: { type: 'int64', values: [id] },
      x: { type: 'int32', values: [Number(id)] },
    });

    test('and have a new name on the branch, get it by the merge, and rows are found under either', async () => {
      await t.start(plain());
      await t.exp.alterColumns([{ path: 'id', rename: 'number' }]);
      await t.exp.update({ where: 'number = 1', values: { x: '11' } });
      await t.exp.add(makeArrowTable(added('number', 4n)));
      await t.exp.delete('number = 3');
      await t.main.add(makeArrowTable(added('id', 5n)));
      expect(await t.summarize()).toMatchObject({
        rows: { added: 1, removed: 1, modified: 1 },
        columns: { changed: [{ name: 'number', before: 'id int64', after: 'number int64' }] },
        mergeable: true,
      });
      await t.merge();
      expect(await cellsOf(t.main, ['number', 'x'])).toEqual([
        ['1', 11],
        ['2', 2],
        ['4', 4],
        ['5', 5],
      ]);
      expect(await t.plan()).toMatchObject({ status: 'up-to-date' });
    });

    test('and have a new name on main, keep it', async () => {
      await t.start(plain());
      await t.main.alterColumns([{ path: 'id', rename: 'number' }]);
      await t.exp.update({ where: 'id = 1', values: { x: '11' } });
      await t.exp.add(makeArrowTable(added('id', 4n)));
      await t.merge();
      expect(await cellsOf(t.main, ['number', 'x'])).toEqual([
        ['1', 11],
        ['2', 2],
        ['3', 3],
        ['4', 4],
      ]);
    });

    test('and have two new names, are asked about', async () => {
      await t.start(plain());
      await t.exp.alterColumns([{ path: 'id', rename: 'a' }]);
      await t.main.alterColumns([{ path: 'id', rename: 'b' }]);
      await t.exp.update({ where: 'a = 1', values: { x: '11' } });
      expect(await t.plan()).toMatchObject({ status: 'conflicts', conflicts: [{ key: null, column: 'a' }] });
      await t.merge({ choices: [{ key: null, column: 'a', take: 'from' }] });
      expect(await cellsOf(t.main, ['a', 'x'])).toEqual([
        ['1', 11],
        ['2', 2],
        ['3', 3],
      ]);
    });

    test('and have another type on one side, are told with the way out', async () => {
      await t.start({
        id: { type: 'int32', values: [1, 2], metadata: isKey },
        x: { type: 'int32', values: [1, 2] },
      });
      await t.exp.alterColumns([{ path: 'id', dataType: 'int64' }]);
      expect(await t.summarize()).toMatchObject({
        mergeable: false,
        notices: [expect.stringContaining('The key column id is not the same on all sides')],
      });
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
