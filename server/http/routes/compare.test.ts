import { describe, expect, test } from 'vitest';
import { arrowEndMarker, wire } from '#shared/api/wire.ts';
import { arrow } from '../../arrow/arrow.ts';
import { type ChangedRow, insert, remove, serveAnimals, set } from '../../testing/animals.ts';
import { makeTable } from '../../testing/tables.ts';

const animals = serveAnimals();

const keysOf = async (body: Record<string, unknown>) =>
  (await animals.changedRows(body)).rows.map(({ _key }) => _key);

describe('diff', () => {
  test('tells in numbers what the branch changed since it left', async () => {
    await animals.edit(
      'exp',
      set('ant', { legs: 6 }),
      set('bee', { legs: 6, weight: 0.1 }),
      remove('cat'),
      insert('yak', 4),
    );
    await animals.editMain(set('dog', { legs: 3 }));
    const summary = await animals.diff();
    expect(summary).toEqual({
      base: { branch: 'main', version: expect.any(Number) },
      from: { branch: 'exp', version: expect.any(Number) },
      into: { branch: 'main', version: expect.any(Number) },
      mode: 'three-way',
      rows: { added: 1, removed: 1, modified: 2 },
      columns: { added: [], removed: [], changed: [], facts: [] },
      cells: { legs: 2, weight: 1 },
      conflicts: { rows: 0, cells: 0 },
      mergeable: true,
      notices: [],
    });
  });

  test('of a branch with itself, and of values that were set to what they were, is empty', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.edit('exp', set('ant', { legs: 4 }));
    expect((await animals.diff()).rows).toEqual({ added: 0, removed: 0, modified: 0 });
    expect((await animals.diff({ into: 'exp' })).rows).toEqual({ added: 0, removed: 0, modified: 0 });
  });

  test('compares any two refs: versions, tags, and what main has that the branch has not', async () => {
    const { version } = await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.edit('exp', set('bee', { legs: 6 }));
    await animals.ok('tags', { name: 'golden', ref: `exp:${version}` }, 201);
    expect(await animals.diff({ into: 'tag:golden' })).toMatchObject({
      rows: { modified: 1 },
      base: { branch: 'exp', version },
    });
    await animals.editMain(set('dog', { legs: 3 }));
    expect(await animals.diff({ from: 'main', into: 'exp' })).toMatchObject({
      rows: { modified: 1 },
      cells: { legs: 1 },
    });
    expect(await animals.diff({ from: 'exp', into: 'main', base: `exp:${version}` })).toMatchObject({
      base: { branch: 'exp', version },
      rows: { modified: 1 },
    });
  });

  test('counts conflicts', async () => {
    await animals.plantConflicts();
    expect(await animals.diff()).toMatchObject({
      conflicts: { rows: 4, cells: 4 },
      mergeable: false,
      notices: [],
    });
  });

  test('says what is wrong with what it was asked', async () => {
    expect(await animals.problem('diff', { from: 'epx' })).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.any(String),
    });
    expect(await animals.problem('diff', { from: 'exp:0' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await animals.problem('diff', {})).toMatchObject({ code: 'BAD_REQUEST', status: 400 });
    expect(await animals.problem('diff', { from: 'exp', more: 1 })).toMatchObject({ code: 'BAD_REQUEST' });
    animals.table = 'nothing';
    expect(await animals.problem('diff', { from: 'exp' })).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('diff/rows', () => {
  test('carries keys, ids, old and new cells, in the order of the keys', async () => {
    await animals.plantConflicts();
    const { total, rows } = await animals.changedRows();
    expect(total).toBe(4);
    expect(
      rows.map(({ _key, _change, _columns, _conflict }) => [_key, _change, _columns, _conflict]),
    ).toEqual([
      ['ant', 'modified', ['legs', 'weight'], ['legs']],
      ['bee', 'removed', [], ['legs']],
      ['cat', 'modified', ['legs'], ['legs']],
      ['yak', 'added', [], ['legs']],
    ]);
    const [ant, bee, cat, yak] = rows as [ChangedRow, ChangedRow, ChangedRow, ChangedRow];
    expect([ant.base?.legs, ant.from?.legs, ant.into?.legs]).toEqual(['4', '6', '8']);
    expect(Object.keys(ant.from!)).toEqual(['name', 'legs', 'weight', 'tags']);
    expect([bee.from, bee._rowids.from, bee.into?.legs]).toEqual([null, null, '6']);
    expect([cat.into, cat._rowids.into, cat.base?.tags]).toEqual([null, null, ['animal']]);
    expect([yak.base, yak._rowids.base, yak.from?.legs, yak.into?.legs]).toEqual([null, null, '4', '3']);
    expect(ant._rowids.base).toBe('0');
  });

  test('is one whole Arrow stream with the facts and the summary in its metadata', async () => {
    await animals.plantConflicts();
    const response = await animals.server.post(`/api/v1/tables/${animals.table}/diff/rows`, {
      from: 'exp',
      limit: 2,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(-8)]).toEqual(arrowEndMarker);
    const { schema, numRows } = arrow.tableFromIPC(bytes);
    expect([numRows, schema.metadata.get(wire.total)]).toEqual([2, '4']);
    expect(schema.fields.map(({ name, type }) => [name, String(type).replace(/[<{].*/, '')])).toEqual([
      ['_key', 'Utf8'],
      ['_rowids', 'Struct'],
      ['_change', 'Utf8'],
      ['_columns', 'List'],
      ['_conflict', 'List'],
      ['base', 'Struct'],
      ['from', 'Struct'],
      ['into', 'Struct'],
    ]);
    expect(JSON.parse(schema.metadata.get(wire.summary)!)).toEqual(await animals.diff());
    expect(schema.metadata.get(wire.from)).toMatch(/^exp:\d+$/);
    expect(schema.metadata.get(wire.base)).toMatch(/^main:\d+$/);
  });

  test('filters by kind, column, conflict and predicate, and pages', async () => {
    await animals.edit(
      'exp',
      set('ant', { legs: 6 }),
      set('bee', { weight: 0.1 }),
      remove('cat'),
      insert('yak', 4),
    );
    await animals.editMain(set('ant', { legs: 8 }));
    expect(await keysOf({ change: ['added', 'removed'] })).toEqual(['cat', 'yak']);
    expect(await keysOf({ column: 'weight' })).toEqual(['bee']);
    expect(await keysOf({ conflictsOnly: true })).toEqual(['ant']);
    expect(await keysOf({ where: 'legs > 5' })).toEqual(['ant']);
    expect(await keysOf({ where: "name = 'cat'" })).toEqual(['cat']);
    expect(await animals.changedRows({ offset: 1, limit: 2 })).toMatchObject({
      total: 4,
      rows: [{ _key: 'bee' }, { _key: 'cat' }],
    });
    expect(await animals.changedRows({ offset: 9 })).toMatchObject({ total: 4, rows: [] });
    expect(await animals.changedRows({ limit: 0 })).toMatchObject({ total: 4, rows: [] });
  });

  test('says what is wrong with a filter', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    const ask = (body: object) => animals.problem('diff/rows', { from: 'exp', ...body });
    expect(await ask({ column: 'leggs' })).toMatchObject({
      code: 'BAD_REQUEST',
      hint: expect.stringContaining('legs'),
    });
    expect(await ask({ where: 'legs >' })).toMatchObject({ code: 'SQL_SYNTAX' });
    expect(await ask({ where: 'leggs > 1' })).toMatchObject({ code: 'SQL_BIND' });
    expect(await ask({ change: ['moved'] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await ask({ limit: -1 })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await ask({ limit: 20_000 })).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

test('a table without a key is compared, and not merged, with the way out', async () => {
  animals.table = 'keyless';
  await makeTable(animals.server.home, animals.table, { x: { type: 'int32', values: [1, 2, 3] } });
  await animals.branch('exp');
  const handle = await animals.server.home.connection.openTable(animals.table, [], { branch: 'exp' });
  await handle.update({ where: 'x = 2', values: { x: '9' } });
  await handle.delete('x = 3');
  expect(await animals.diff()).toMatchObject({
    rows: { added: 0, removed: 1, modified: 1 },
    mergeable: false,
    notices: [expect.stringContaining('key')],
  });
  expect((await animals.changedRows()).rows).toMatchObject([
    { _key: '1', _change: 'modified', base: { x: 2 }, from: { x: 9 } },
    { _key: '2', _change: 'removed' },
  ]);
  expect(await animals.problem('merge', { from: 'exp' })).toMatchObject({
    code: 'UNSUPPORTED',
    status: 422,
    detail: expect.stringContaining('key'),
  });
});
