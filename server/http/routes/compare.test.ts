import { Index } from '@lancedb/lancedb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DiffSummary, MergeResult } from '#shared/api/edits.ts';
import { arrowEndMarker, wire } from '#shared/api/wire.ts';
import { arrow } from '../../arrow/arrow.ts';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await makeTestServer();
});
afterAll(() => server.close());

const animals = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen'];

let made = 0;
let table: string;

beforeEach(async () => {
  table = `animals${made++}`;
  const handle = await makeTable(server.home, table, {
    name: { type: 'utf8', values: animals, metadata: { 'curio:key': '1' } },
    legs: { type: 'int64', values: animals.map(() => 4n) },
    weight: { type: 'float64', values: animals.map((_name, at) => at + 0.5) },
    tags: { type: 'list<utf8>', values: animals.map(() => ['animal']) },
  });
  await handle.createIndex('name', { config: Index.btree() });
  await ok('branches', { name: 'exp' }, 201);
});

async function call(
  route: string,
  body: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await server.post(`/api/v1/tables/${table}/${route}`, body);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function ok<T = Record<string, unknown>>(route: string, body: unknown, status = 200): Promise<T> {
  const answer = await call(route, body);
  expect([answer.status, answer.status === status ? null : answer.body]).toEqual([status, null]);
  return answer.body as T;
}

async function problem(route: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await call(route, body);
  expect(answer.body).toMatchObject({ status: answer.status, detail: expect.any(String) });
  return answer.body;
}

const edit = (branch: string, ...ops: unknown[]) => ok<{ version: number }>('edits', { branch, ops });
const set = (name: string, values: Record<string, unknown>) => ({
  op: 'set',
  rows: { keys: [name] },
  values,
});
const remove = (name: string) => ({ op: 'delete', rows: { keys: [name] } });
const insert = (name: string, legs: number) => ({ op: 'insert', rows: [{ name, legs }] });

/** Rows move on main by merges only. */
async function editMain(...ops: unknown[]): Promise<void> {
  const branch = `work${made++}`;
  await ok('branches', { name: branch }, 201);
  await edit(branch, ...ops);
  expect(await ok('merge', { from: branch })).toMatchObject({ status: 'merged' });
}

const diff = (body: Record<string, unknown> = {}) => ok<DiffSummary>('diff', { from: 'exp', ...body });
const merge = (body: Record<string, unknown> = {}) => ok<MergeResult>('merge', { from: 'exp', ...body });

async function rowsOf(ref: string): Promise<Record<string, [string | null, number | null]>> {
  const response = await server.post(`/api/v1/tables/${table}/rows?format=json`, { ref });
  const { rows } = (await response.json()) as {
    rows: { name: string; legs: string | null; weight: number | null }[];
  };
  return Object.fromEntries(rows.map(({ name, legs, weight }) => [name, [legs, weight]]));
}

interface ChangedRow {
  _key: unknown;
  _rowids: Record<'base' | 'from' | 'into', string | null>;
  _change: string;
  _columns: string[];
  _conflict: string[];
  base: Record<string, unknown> | null;
  from: Record<string, unknown> | null;
  into: Record<string, unknown> | null;
}

async function changedRows(
  body: Record<string, unknown> = {},
): Promise<{ total: number; rows: ChangedRow[] }> {
  const response = await server.post(`/api/v1/tables/${table}/diff/rows?format=json`, {
    from: 'exp',
    ...body,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { total: number; rows: ChangedRow[] };
}

const keysOf = async (body: Record<string, unknown>) =>
  (await changedRows(body)).rows.map(({ _key }) => _key);

/** Three conflicts: a cell, a row that exp removed, a row that main removed; and one that both added. */
async function plantConflicts(): Promise<void> {
  await edit(
    'exp',
    set('ant', { legs: 6, weight: 0.1 }),
    remove('bee'),
    set('cat', { legs: 5 }),
    insert('yak', 4),
  );
  await editMain(
    set('ant', { legs: 8 }),
    set('bee', { legs: 6 }),
    remove('cat'),
    insert('yak', 3),
    set('dog', { legs: 7 }),
  );
}

describe('diff', () => {
  test('tells in numbers what the branch changed since it left', async () => {
    await edit(
      'exp',
      set('ant', { legs: 6 }),
      set('bee', { legs: 6, weight: 0.1 }),
      remove('cat'),
      insert('yak', 4),
    );
    await editMain(set('dog', { legs: 3 }));
    const summary = await diff();
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
    await edit('exp', set('ant', { legs: 6 }));
    await edit('exp', set('ant', { legs: 4 }));
    expect((await diff()).rows).toEqual({ added: 0, removed: 0, modified: 0 });
    expect((await diff({ into: 'exp' })).rows).toEqual({ added: 0, removed: 0, modified: 0 });
  });

  test('compares any two refs: versions, tags, and what main has that the branch has not', async () => {
    const { version } = await edit('exp', set('ant', { legs: 6 }));
    await edit('exp', set('bee', { legs: 6 }));
    await ok('tags', { name: 'golden', ref: `exp:${version}` }, 201);
    expect(await diff({ into: 'tag:golden' })).toMatchObject({
      rows: { modified: 1 },
      base: { branch: 'exp', version },
    });
    await editMain(set('dog', { legs: 3 }));
    expect(await diff({ from: 'main', into: 'exp' })).toMatchObject({
      rows: { modified: 1 },
      cells: { legs: 1 },
    });
    expect(await diff({ from: 'exp', into: 'main', base: `exp:${version}` })).toMatchObject({
      base: { branch: 'exp', version },
      rows: { modified: 1 },
    });
  });

  test('counts conflicts', async () => {
    await plantConflicts();
    expect(await diff()).toMatchObject({ conflicts: { rows: 4, cells: 4 }, mergeable: false, notices: [] });
  });

  test('says what is wrong with what it was asked', async () => {
    expect(await problem('diff', { from: 'epx' })).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.any(String),
    });
    expect(await problem('diff', { from: 'exp:0' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await problem('diff', {})).toMatchObject({ code: 'BAD_REQUEST', status: 400 });
    expect(await problem('diff', { from: 'exp', more: 1 })).toMatchObject({ code: 'BAD_REQUEST' });
    table = 'nothing';
    expect(await problem('diff', { from: 'exp' })).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('diff/rows', () => {
  test('carries keys, ids, old and new cells, in the order of the keys', async () => {
    await plantConflicts();
    const { total, rows } = await changedRows();
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
    await plantConflicts();
    const response = await server.post(`/api/v1/tables/${table}/diff/rows`, { from: 'exp', limit: 2 });
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
    expect(JSON.parse(schema.metadata.get(wire.summary)!)).toEqual(await diff());
    expect(schema.metadata.get(wire.from)).toMatch(/^exp:\d+$/);
    expect(schema.metadata.get(wire.base)).toMatch(/^main:\d+$/);
  });

  test('filters by kind, column, conflict and predicate, and pages', async () => {
    await edit('exp', set('ant', { legs: 6 }), set('bee', { weight: 0.1 }), remove('cat'), insert('yak', 4));
    await editMain(set('ant', { legs: 8 }));
    expect(await keysOf({ change: ['added', 'removed'] })).toEqual(['cat', 'yak']);
    expect(await keysOf({ column: 'weight' })).toEqual(['bee']);
    expect(await keysOf({ conflictsOnly: true })).toEqual(['ant']);
    expect(await keysOf({ where: 'legs > 5' })).toEqual(['ant']);
    expect(await keysOf({ where: "name = 'cat'" })).toEqual(['cat']);
    expect(await changedRows({ offset: 1, limit: 2 })).toMatchObject({
      total: 4,
      rows: [{ _key: 'bee' }, { _key: 'cat' }],
    });
    expect(await changedRows({ offset: 9 })).toMatchObject({ total: 4, rows: [] });
    expect(await changedRows({ limit: 0 })).toMatchObject({ total: 4, rows: [] });
  });

  test('says what is wrong with a filter', async () => {
    await edit('exp', set('ant', { legs: 6 }));
    const ask = (body: object) => problem('diff/rows', { from: 'exp', ...body });
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

describe('merge', () => {
  test('lands the changes on main, keeps those of main, and is known by history', async () => {
    await edit('exp', set('ant', { legs: 6 }), remove('cat'), insert('yak', 4));
    await editMain(set('dog', { legs: 3 }));
    const before = await diff();
    const result = await merge({ message: 'Counted legs' });
    expect(result).toMatchObject({
      status: 'merged',
      version: expect.any(Number),
      base: before.base,
      from: before.from,
      rows: { inserted: 1, updated: 1, deleted: 1 },
      columns: { added: [] },
      conflicts: [],
      conflictCount: 0,
      toBackfill: 0,
    });
    const rows = await rowsOf('main');
    expect([rows.ant, rows.cat, rows.dog, rows.yak]).toEqual([
      ['6', 0.5],
      undefined,
      ['3', 3.5],
      ['4', null],
    ]);
    const response = await server.get(`/api/v1/tables/${table}/history?ref=main`);
    const { versions } = (await response.json()) as { versions: Record<string, unknown>[] };
    expect(versions[0]).toMatchObject({
      version: result.version,
      kind: 'merge',
      message: 'Counted legs',
      mergedFrom: before.from,
    });
  });

  test('again is up to date and writes nothing; what comes after is the new difference', async () => {
    const { version } = await edit('exp', set('ant', { legs: 6 }));
    const first = await merge();
    expect(await merge()).toMatchObject({
      status: 'up-to-date',
      base: { branch: 'exp', version },
      rows: { updated: 0 },
    });
    await edit('exp', set('ant', { legs: 5 }));
    await editMain(set('bee', { legs: 6 }));
    expect(await diff()).toMatchObject({
      base: { branch: 'exp', version },
      rows: { modified: 1 },
      conflicts: { rows: 0 },
    });
    expect(await merge()).toMatchObject({ status: 'merged' });
    expect((await rowsOf('main')).ant).toEqual(['5', 0.5]);
    expect(first.version).toBeGreaterThan(0);
  });

  test('lists conflicts and writes nothing', async () => {
    await plantConflicts();
    const before = await rowsOf('main');
    const result = await merge();
    expect(result).toMatchObject({ status: 'conflicts', conflictCount: 4 });
    expect(result.version).toBeUndefined();
    expect(result.conflicts).toEqual([
      { key: 'ant', kind: 'cell', column: 'legs', base: '4', from: '6', into: '8' },
      {
        key: 'bee',
        kind: 'removed-modified',
        column: null,
        base: { legs: '4' },
        from: null,
        into: { legs: '6' },
      },
      {
        key: 'cat',
        kind: 'modified-removed',
        column: null,
        base: { legs: '4' },
        from: { legs: '5' },
        into: null,
      },
      { key: 'yak', kind: 'added-added', column: 'legs', base: null, from: '4', into: '3' },
    ]);
    expect(await rowsOf('main')).toEqual(before);
  });

  test.each([
    ['from', { ant: ['6', 0.1], bee: undefined, cat: ['5', 2.5], dog: ['7', 3.5], yak: ['4', null] }],
    ['into', { ant: ['8', 0.1], bee: ['6', 1.5], cat: undefined, dog: ['7', 3.5], yak: ['3', null] }],
  ] as const)('settles all for %s', async (take, wanted) => {
    await plantConflicts();
    expect(await merge({ take })).toMatchObject({ status: 'merged' });
    const rows = await rowsOf('main');
    expect({ ant: rows.ant, bee: rows.bee, cat: rows.cat, dog: rows.dog, yak: rows.yak }).toEqual(wanted);
    expect(await merge()).toMatchObject({ status: 'up-to-date' });
  });

  test('settles by row, by cell and by a typed value; the last choice counts', async () => {
    await plantConflicts();
    const choices = [
      { key: 'ant', take: 'into' },
      { key: 'ant', column: 'legs', value: '10' },
      { key: 'bee', take: 'base' },
      { key: ['cat'], take: 'from' },
      { key: 'yak', column: 'legs', take: 'into' },
      { key: 'yak', column: 'legs', take: 'from' },
    ];
    expect(await merge({ choices, dryRun: true })).toMatchObject({ status: 'ready' });
    expect(await merge({ choices })).toMatchObject({ status: 'merged' });
    const rows = await rowsOf('main');
    expect([rows.ant, rows.bee, rows.cat, rows.yak]).toEqual([
      ['10', 0.1],
      ['4', 1.5],
      ['5', 2.5],
      ['4', null],
    ]);
  });

  test('of conflicts that were all settled for main is remembered', async () => {
    await edit('exp', set('ant', { legs: 6 }));
    await editMain(set('ant', { legs: 8 }));
    const before = await rowsOf('main');
    expect(await merge({ take: 'into' })).toMatchObject({
      status: 'merged',
      rows: { inserted: 0, updated: 0, deleted: 0 },
    });
    expect(await rowsOf('main')).toEqual(before);
    expect(await merge()).toMatchObject({ status: 'up-to-date' });
  });

  test('names the choice that cannot be followed', async () => {
    await plantConflicts();
    const choose = (...choices: object[]) => problem('merge', { from: 'exp', choices });
    expect(await choose({ key: 'owl', take: 'from' })).toMatchObject({
      code: 'BAD_REQUEST',
      detail: expect.stringContaining('owl'),
    });
    expect(await choose({ key: 'ant', column: 'leggs', take: 'from' })).toMatchObject({
      code: 'BAD_REQUEST',
      hint: expect.stringContaining('legs'),
    });
    expect(await choose({ key: 'ant', column: 'tags', take: 'from' })).toMatchObject({
      detail: expect.stringContaining('tags'),
    });
    expect(await choose({ key: 'ant', column: 'name', take: 'from' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await choose({ key: 'ant' })).toMatchObject({ detail: expect.stringContaining('ant') });
    expect(await choose({ key: 'ant', value: 1 })).toMatchObject({
      detail: expect.stringContaining('column'),
    });
    expect(await choose({ key: 'bee', column: 'legs', take: 'from' })).toMatchObject({
      hint: expect.stringContaining('whole'),
    });
    expect(await choose({ key: 'ant', column: 'legs', value: 'six' })).toMatchObject({
      code: 'BAD_REQUEST',
      detail: expect.stringContaining('legs'),
    });
    expect(await choose({ key: 'ant', take: 'theirs' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await choose({ key: ['ant', 'bee'], take: 'from' })).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('refuses heads that moved, and refs that are no heads', async () => {
    await edit('exp', set('ant', { legs: 6 }));
    const { from, into } = await diff();
    await edit('exp', set('bee', { legs: 6 }));
    const moved = await problem('merge', {
      from: 'exp',
      expected: { from: from.version, into: into.version },
    });
    expect(moved).toMatchObject({ code: 'HEAD_MOVED', status: 409, hint: expect.any(String) });
    expect(await problem('merge', { from: 'exp', expected: { into: into.version + 5 } })).toMatchObject({
      code: 'HEAD_MOVED',
    });
    await editMain(set('dog', { legs: 3 }));
    expect(await problem('merge', { from: 'exp', into: `main:${into.version}` })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    await ok('tags', { name: 'golden', ref: 'main' }, 201);
    expect(await problem('merge', { from: 'exp', into: 'tag:golden' })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await merge({ expected: { from: (await diff()).from.version } })).toMatchObject({
      status: 'merged',
    });
  });

  test('adds a column for the rows of the branch and counts those that stay empty', async () => {
    await edit(
      'exp',
      { op: 'addColumn', name: 'loud', type: 'bool' },
      { op: 'set', rows: { all: true }, values: { loud: false } },
    );
    await edit('exp', set('ant', { legs: 6 }));
    await editMain(insert('yak', 4), set('dog', { legs: 3 }), remove('hen'));
    expect(await diff()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      columns: { added: ['loud'] },
      cells: { legs: 1 },
    });
    expect(await merge()).toMatchObject({
      status: 'merged',
      columns: { added: ['loud'] },
      rows: { inserted: 0, updated: 1, deleted: 0 },
      toBackfill: 1,
    });
    const response = await server.post(`/api/v1/tables/${table}/rows?format=json`, { where: 'loud is null' });
    const { rows } = (await response.json()) as { rows: { name: string }[] };
    expect(rows.map(({ name }) => name)).toEqual(['yak']);
    expect([(await rowsOf('main')).ant, (await rowsOf('main')).dog]).toEqual([
      ['6', 0.5],
      ['3', 3.5],
    ]);
  });

  test('drops and renames columns, and asks where main changed a column that the branch dropped', async () => {
    await edit(
      'exp',
      { op: 'dropColumn', name: 'weight' },
      { op: 'renameColumn', name: 'tags', to: 'labels' },
    );
    expect((await diff()).columns).toMatchObject({
      added: [],
      removed: ['weight'],
      changed: [{ name: 'labels', before: 'tags list<utf8>', after: 'labels list<utf8>' }],
    });
    await editMain(set('ant', { weight: 9, tags: ['insect'] }));
    expect(await merge()).toMatchObject({
      status: 'conflicts',
      conflicts: [
        {
          key: null,
          kind: 'cell',
          column: 'weight',
          base: 'weight float64',
          from: null,
          into: 'weight float64',
        },
      ],
    });
    expect(await merge({ choices: [{ key: null, column: 'weight', take: 'from' }] })).toMatchObject({
      status: 'merged',
    });
    const response = await server.post(`/api/v1/tables/${table}/rows?format=json`, { where: "name = 'ant'" });
    const { rows } = (await response.json()) as { rows: object[] };
    expect(rows[0]).toEqual({ name: 'ant', legs: '4', labels: ['insect'], _rowid: expect.any(String) });
  });

  test('goes through nested branches', async () => {
    await edit('exp', set('ant', { legs: 6 }));
    await ok('branches', { name: 'exp/deep', from: 'exp' }, 201);
    await edit('exp/deep', set('bee', { legs: 6 }));
    await edit('exp', set('cat', { legs: 3 }));
    await editMain(set('dog', { legs: 3 }));
    expect(await diff({ from: 'exp/deep' })).toMatchObject({ rows: { modified: 2 } });
    expect(await diff({ from: 'exp/deep', into: 'exp' })).toMatchObject({
      rows: { modified: 1 },
      base: { branch: 'exp' },
    });
    expect(await merge({ from: 'exp/deep' })).toMatchObject({ status: 'merged', rows: { updated: 2 } });
    expect(await diff()).toMatchObject({ rows: { modified: 1 }, cells: { legs: 1 } });
  });

  test('of two branches at once leaves both on main', async () => {
    await ok('branches', { name: 'other' }, 201);
    await edit('exp', set('ant', { legs: 6 }));
    await edit('other', set('bee', { legs: 6 }));
    const results = await Promise.all([merge(), merge({ from: 'other' })]);
    expect(results.map(({ status }) => status)).toEqual(['merged', 'merged']);
    const rows = await rowsOf('main');
    expect([rows.ant, rows.bee]).toEqual([
      ['6', 0.5],
      ['6', 1.5],
    ]);
  });
});

describe('rebase', () => {
  test('brings main onto the branch, so that the branch shows only its own changes', async () => {
    await edit('exp', set('ant', { legs: 6 }));
    await editMain(set('bee', { legs: 6 }), insert('yak', 4));
    expect(await ok('rebase', { branch: 'exp' })).toMatchObject({
      status: 'merged',
      rows: { inserted: 1, updated: 1 },
    });
    expect(await diff()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      base: { branch: 'main' },
    });
    expect(await ok('rebase', { branch: 'exp' })).toMatchObject({ status: 'up-to-date' });
    expect(await merge()).toMatchObject({ status: 'merged', rows: { inserted: 0, updated: 1, deleted: 0 } });
  });

  test('reports conflicts, with from being what comes from main', async () => {
    await plantConflicts();
    expect(await ok('rebase', { branch: 'exp' })).toMatchObject({
      status: 'conflicts',
      conflictCount: 4,
      conflicts: [{ from: '8', into: '6' }, {}, {}, {}],
    });
    expect(await ok('rebase', { branch: 'exp', take: 'into' })).toMatchObject({ status: 'merged' });
    expect((await diff()).conflicts).toEqual({ rows: 0, cells: 0 });
  });

  test('does not touch a protected branch', async () => {
    await edit('exp', set('ant', { legs: 6 }));
    expect(await problem('rebase', { branch: 'main', onto: 'exp' })).toMatchObject({
      code: 'PROTECTED_BRANCH',
      status: 403,
    });
  });
});

describe('cherry-pick', () => {
  beforeEach(async () => {
    await ok('branches', { name: 'other' }, 201);
  });

  test('brings chosen rows', async () => {
    await edit('exp', set('ant', { legs: 6 }), set('bee', { legs: 6, weight: 1 }), insert('yak', 4));
    const { rows } = await changedRows();
    const rowIds = rows.filter(({ _key }) => _key !== 'ant').map(({ _rowids }) => _rowids.from);
    expect(await ok('cherry-pick', { from: 'exp', into: 'other', rowIds })).toMatchObject({
      status: 'merged',
      rows: { inserted: 1, updated: 1, deleted: 0 },
    });
    const picked = await rowsOf('other');
    expect([picked.ant, picked.bee, picked.yak]).toEqual([
      ['4', 0.5],
      ['6', 1],
      ['4', null],
    ]);
    expect(await diff({ into: 'other' })).toMatchObject({
      base: { branch: 'main' },
      rows: { added: 1, modified: 2 },
    });
  });

  test('brings chosen columns, also new ones', async () => {
    await edit(
      'exp',
      { op: 'addColumn', name: 'loud', type: 'utf8' },
      set('ant', { legs: 6, weight: 9, loud: 'no' }),
      remove('cat'),
    );
    expect(
      await ok('cherry-pick', { from: 'exp', into: 'other', columns: ['weight', 'loud'] }),
    ).toMatchObject({
      status: 'merged',
      rows: { inserted: 0, updated: 1, deleted: 0 },
      columns: { added: ['loud'] },
    });
    const picked = await rowsOf('other');
    expect([picked.ant, picked.cat]).toEqual([
      ['4', 9],
      ['4', 2.5],
    ]);
  });

  test('brings chosen versions, together or not at all', async () => {
    const first = await edit('exp', set('ant', { legs: 6 }));
    await edit('exp', set('bee', { legs: 6 }));
    const third = await edit('exp', set('cat', { legs: 3 }));
    const versions = [third.version, first.version];
    expect(await ok('cherry-pick', { from: 'exp', into: 'other', versions, dryRun: true })).toMatchObject({
      status: 'ready',
    });
    expect(await ok('cherry-pick', { from: 'exp', into: 'other', versions })).toMatchObject({
      status: 'merged',
      rows: { updated: 2 },
    });
    const picked = await rowsOf('other');
    expect([picked.ant, picked.bee, picked.cat]).toEqual([
      ['6', 0.5],
      ['4', 1.5],
      ['3', 2.5],
    ]);
    const response = await server.get(`/api/v1/tables/${table}/branches`);
    const { branches } = (await response.json()) as { branches: { name: string }[] };
    expect(branches.map(({ name }) => name)).toEqual(['main', 'exp', 'other']);
  });

  test('says what is wrong with what was chosen', async () => {
    await edit('exp', set('ant', { legs: 6 }));
    const pick = (body: object) => problem('cherry-pick', { from: 'exp', into: 'other', ...body });
    expect(await pick({})).toMatchObject({ code: 'BAD_REQUEST', hint: expect.any(String) });
    expect(await pick({ rowIds: [] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await pick({ rowIds: [999] })).toMatchObject({
      code: 'BAD_REQUEST',
      detail: expect.stringContaining('999'),
    });
    expect(await pick({ columns: ['leggs'] })).toMatchObject({
      code: 'BAD_REQUEST',
      hint: expect.stringContaining('legs'),
    });
    expect(await pick({ versions: [99] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await pick({ into: 'main', columns: ['legs'] })).toMatchObject({ code: 'PROTECTED_BRANCH' });
  });
});

describe('revert', () => {
  test('undoes a version that is not the last, and keeps what came after', async () => {
    const first = await edit('exp', set('ant', { legs: 6 }), remove('cat'), insert('yak', 4));
    await edit('exp', set('bee', { legs: 6 }));
    expect(await ok('revert', { branch: 'exp', versions: [first.version] })).toMatchObject({
      status: 'merged',
      rows: { inserted: 1, updated: 1, deleted: 1 },
    });
    const rows = await rowsOf('exp');
    expect([rows.ant, rows.bee, rows.cat, rows.yak]).toEqual([['4', 0.5], ['6', 1.5], ['4', 2.5], undefined]);
  });

  test('of the last version gives the one before, and several versions go together', async () => {
    const before = await rowsOf('exp');
    const first = await edit('exp', set('ant', { legs: 6 }));
    const second = await edit('exp', set('bee', { legs: 6 }));
    await edit('exp', set('cat', { legs: 3 }));
    const fourth = await edit('exp', set('dog', { legs: 3 }));
    await ok('revert', { branch: 'exp', versions: [fourth.version] });
    expect((await rowsOf('exp')).dog).toEqual(before.dog);
    await ok('revert', { branch: 'exp', versions: [first.version, second.version] });
    const rows = await rowsOf('exp');
    expect([rows.ant, rows.bee, rows.cat]).toEqual([before.ant, before.bee, ['3', 2.5]]);
  });

  test('reports cells that changed again since', async () => {
    const first = await edit('exp', set('ant', { legs: 6 }));
    await edit('exp', set('ant', { legs: 8 }));
    const versions = [first.version];
    expect(await ok('revert', { branch: 'exp', versions })).toMatchObject({
      status: 'conflicts',
      conflicts: [{ key: 'ant', column: 'legs', base: '6', from: '4', into: '8' }],
    });
    expect(await ok('revert', { branch: 'exp', versions, take: 'from' })).toMatchObject({ status: 'merged' });
    expect((await rowsOf('exp')).ant).toEqual(['4', 0.5]);
  });

  test('of a merge makes it possible to merge again', async () => {
    await ok('branches', { name: 'other' }, 201);
    await edit('exp', set('ant', { legs: 6 }));
    const merged = await merge({ into: 'other' });
    await ok('revert', { branch: 'other', versions: [merged.version] });
    expect((await rowsOf('other')).ant).toEqual(['4', 0.5]);
    expect(await merge({ into: 'other' })).toMatchObject({ status: 'merged', rows: { updated: 1 } });
  });

  test('says what cannot be reverted', async () => {
    const { version } = await edit('exp', set('ant', { legs: 6 }));
    const revert = (body: object) => problem('revert', { branch: 'exp', ...body });
    expect(await revert({ versions: [version + 1] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await revert({ versions: [1] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await revert({ versions: [] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await revert({ branch: 'main', versions: [2] })).toMatchObject({ code: 'PROTECTED_BRANCH' });
    expect(await revert({ branch: 'nope', versions: [2] })).toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('a table without a key is compared, and not merged, with the way out', async () => {
  table = `keyless${made++}`;
  await makeTable(server.home, table, { x: { type: 'int32', values: [1, 2, 3] } });
  await ok('branches', { name: 'exp' }, 201);
  const handle = await server.home.connection.openTable(table, [], { branch: 'exp' });
  await handle.update({ where: 'x = 2', values: { x: '9' } });
  await handle.delete('x = 3');
  expect(await diff()).toMatchObject({
    rows: { added: 0, removed: 1, modified: 1 },
    mergeable: false,
    notices: [expect.stringContaining('key')],
  });
  expect((await changedRows()).rows).toMatchObject([
    { _key: '1', _change: 'modified', base: { x: 2 }, from: { x: 9 } },
    { _key: '2', _change: 'removed' },
  ]);
  expect(await problem('merge', { from: 'exp' })).toMatchObject({
    code: 'UNSUPPORTED',
    status: 422,
    detail: expect.stringContaining('key'),
  });
});
