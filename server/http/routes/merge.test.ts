import { describe, expect, test } from 'vitest';
import { insert, remove, serveAnimals, set } from '../../testing/animals.ts';

const animals = serveAnimals();

describe('merge', () => {
  test('lands the changes on main, keeps those of main, and is known by history', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }), remove('cat'), insert('yak', 4));
    await animals.editMain(set('dog', { legs: 3 }));
    const before = await animals.diff();
    const result = await animals.merge({ message: 'Counted legs' });
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
    const rows = await animals.rows('main');
    expect([rows.ant, rows.cat, rows.dog, rows.yak]).toEqual([
      ['6', 0.5],
      undefined,
      ['3', 3.5],
      ['4', null],
    ]);
    const response = await animals.server.get(`/api/v1/tables/${animals.table}/history?ref=main`);
    const { versions } = (await response.json()) as { versions: Record<string, unknown>[] };
    expect(versions[0]).toMatchObject({
      version: result.version,
      kind: 'merge',
      message: 'Counted legs',
      mergedFrom: before.from,
    });
  });

  test('again is up to date and writes nothing; what comes after is the new difference', async () => {
    const { version } = await animals.edit('exp', set('ant', { legs: 6 }));
    const first = await animals.merge();
    expect(await animals.merge()).toMatchObject({
      status: 'up-to-date',
      base: { branch: 'exp', version },
      rows: { updated: 0 },
    });
    await animals.edit('exp', set('ant', { legs: 5 }));
    await animals.editMain(set('bee', { legs: 6 }));
    expect(await animals.diff()).toMatchObject({
      base: { branch: 'exp', version },
      rows: { modified: 1 },
      conflicts: { rows: 0 },
    });
    expect(await animals.merge()).toMatchObject({ status: 'merged' });
    expect((await animals.rows('main')).ant).toEqual(['5', 0.5]);
    expect(first.version).toBeGreaterThan(0);
  });

  test('lists conflicts and writes nothing', async () => {
    await animals.plantConflicts();
    const before = await animals.rows('main');
    const result = await animals.merge();
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
    expect(await animals.rows('main')).toEqual(before);
  });

  test.each([
    ['from', { ant: ['6', 0.1], bee: undefined, cat: ['5', 2.5], dog: ['7', 3.5], yak: ['4', null] }],
    ['into', { ant: ['8', 0.1], bee: ['6', 1.5], cat: undefined, dog: ['7', 3.5], yak: ['3', null] }],
  ] as const)('settles all for %s', async (take, wanted) => {
    await animals.plantConflicts();
    expect(await animals.merge({ take })).toMatchObject({ status: 'merged' });
    const rows = await animals.rows('main');
    expect({ ant: rows.ant, bee: rows.bee, cat: rows.cat, dog: rows.dog, yak: rows.yak }).toEqual(wanted);
    expect(await animals.merge()).toMatchObject({ status: 'up-to-date' });
  });

  test('settles by row, by cell and by a typed value; the last choice counts', async () => {
    await animals.plantConflicts();
    const choices = [
      { key: 'ant', take: 'into' },
      { key: 'ant', column: 'legs', value: '10' },
      { key: 'bee', take: 'base' },
      { key: ['cat'], take: 'from' },
      { key: 'yak', column: 'legs', take: 'into' },
      { key: 'yak', column: 'legs', take: 'from' },
    ];
    expect(await animals.merge({ choices, dryRun: true })).toMatchObject({ status: 'ready' });
    expect(await animals.merge({ choices })).toMatchObject({ status: 'merged' });
    const rows = await animals.rows('main');
    expect([rows.ant, rows.bee, rows.cat, rows.yak]).toEqual([
      ['10', 0.1],
      ['4', 1.5],
      ['5', 2.5],
      ['4', null],
    ]);
  });

  test('of conflicts that were all settled for main is remembered', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.editMain(set('ant', { legs: 8 }));
    const before = await animals.rows('main');
    expect(await animals.merge({ take: 'into' })).toMatchObject({
      status: 'merged',
      rows: { inserted: 0, updated: 0, deleted: 0 },
    });
    expect(await animals.rows('main')).toEqual(before);
    expect(await animals.merge()).toMatchObject({ status: 'up-to-date' });
  });

  test('names the choice that cannot be followed', async () => {
    await animals.plantConflicts();
    const choose = (...choices: object[]) => animals.problem('merge', { from: 'exp', choices });
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
    await animals.edit('exp', set('ant', { legs: 6 }));
    const { from, into } = await animals.diff();
    await animals.edit('exp', set('bee', { legs: 6 }));
    const moved = await animals.problem('merge', {
      from: 'exp',
      expected: { from: from.version, into: into.version },
    });
    expect(moved).toMatchObject({ code: 'HEAD_MOVED', status: 409, hint: expect.any(String) });
    expect(
      await animals.problem('merge', { from: 'exp', expected: { into: into.version + 5 } }),
    ).toMatchObject({
      code: 'HEAD_MOVED',
    });
    await animals.editMain(set('dog', { legs: 3 }));
    expect(await animals.problem('merge', { from: 'exp', into: `main:${into.version}` })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    await animals.ok('tags', { name: 'golden', ref: 'main' }, 201);
    expect(await animals.problem('merge', { from: 'exp', into: 'tag:golden' })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await animals.merge({ expected: { from: (await animals.diff()).from.version } })).toMatchObject({
      status: 'merged',
    });
  });

  test('adds a column for the rows of the branch and counts those that stay empty', async () => {
    await animals.edit(
      'exp',
      { op: 'addColumn', name: 'loud', type: 'bool' },
      { op: 'set', rows: { all: true }, values: { loud: false } },
    );
    await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.editMain(insert('yak', 4), set('dog', { legs: 3 }), remove('hen'));
    expect(await animals.diff()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      columns: { added: ['loud'] },
      cells: { legs: 1 },
    });
    expect(await animals.merge()).toMatchObject({
      status: 'merged',
      columns: { added: ['loud'] },
      rows: { inserted: 0, updated: 1, deleted: 0 },
      toBackfill: 1,
    });
    const history = await animals.server.get(`/api/v1/tables/${animals.table}/history?ref=main`);
    const { versions } = (await history.json()) as { versions: { rows: object }[] };
    expect(versions[0]?.rows).toEqual({ inserted: 0, updated: 1, deleted: 0 });
    const response = await animals.server.post(`/api/v1/tables/${animals.table}/rows?format=json`, {
      where: 'loud is null',
    });
    const { rows } = (await response.json()) as { rows: { name: string }[] };
    expect(rows.map(({ name }) => name)).toEqual(['yak']);
    expect([(await animals.rows('main')).ant, (await animals.rows('main')).dog]).toEqual([
      ['6', 0.5],
      ['3', 3.5],
    ]);
  });

  test('drops and renames columns, and asks where main changed a column that the branch dropped', async () => {
    await animals.edit(
      'exp',
      { op: 'dropColumn', name: 'weight' },
      { op: 'renameColumn', name: 'tags', to: 'labels' },
    );
    expect((await animals.diff()).columns).toMatchObject({
      added: [],
      removed: ['weight'],
      changed: [{ name: 'labels', before: 'tags list<utf8>', after: 'labels list<utf8>' }],
    });
    await animals.editMain(set('ant', { weight: 9, tags: ['insect'] }));
    expect(await animals.merge()).toMatchObject({
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
    expect(await animals.merge({ choices: [{ key: null, column: 'weight', take: 'from' }] })).toMatchObject({
      status: 'merged',
    });
    const response = await animals.server.post(`/api/v1/tables/${animals.table}/rows?format=json`, {
      where: "name = 'ant'",
    });
    const { rows } = (await response.json()) as { rows: object[] };
    expect(rows[0]).toEqual({ name: 'ant', legs: '4', labels: ['insect'], _rowid: expect.any(String) });
  });

  test('goes through nested branches', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.branch('exp/deep', 'exp');
    await animals.edit('exp/deep', set('bee', { legs: 6 }));
    await animals.edit('exp', set('cat', { legs: 3 }));
    await animals.editMain(set('dog', { legs: 3 }));
    expect(await animals.diff({ from: 'exp/deep' })).toMatchObject({ rows: { modified: 2 } });
    expect(await animals.diff({ from: 'exp/deep', into: 'exp' })).toMatchObject({
      rows: { modified: 1 },
      base: { branch: 'exp' },
    });
    expect(await animals.merge({ from: 'exp/deep' })).toMatchObject({
      status: 'merged',
      rows: { updated: 2 },
    });
    expect(await animals.diff()).toMatchObject({ rows: { modified: 1 }, cells: { legs: 1 } });
  });

  test('of two branches at once leaves both on main', async () => {
    await animals.branch('other');
    await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.edit('other', set('bee', { legs: 6 }));
    const results = await Promise.all([animals.merge(), animals.merge({ from: 'other' })]);
    expect(results.map(({ status }) => status)).toEqual(['merged', 'merged']);
    const rows = await animals.rows('main');
    expect([rows.ant, rows.bee]).toEqual([
      ['6', 0.5],
      ['6', 1.5],
    ]);
  });
});
