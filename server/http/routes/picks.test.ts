import { beforeEach, describe, expect, test } from 'vitest';
import type { MergeResult } from '#shared/api/edits.ts';
import { insert, remove, serveAnimals, set } from '../../testing/animals.ts';

const animals = serveAnimals();

describe('rebase', () => {
  test('brings main onto the branch, so that the branch shows only its own changes', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.editMain(set('bee', { legs: 6 }), insert('yak', 4));
    expect(await animals.ok('rebase', { branch: 'exp' })).toMatchObject({
      status: 'merged',
      rows: { inserted: 1, updated: 1 },
    });
    expect(await animals.diff()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      base: { branch: 'main' },
    });
    expect(await animals.ok('rebase', { branch: 'exp' })).toMatchObject({ status: 'up-to-date' });
    expect(await animals.merge()).toMatchObject({
      status: 'merged',
      rows: { inserted: 0, updated: 1, deleted: 0 },
    });
  });

  test('reports conflicts, with from being what comes from main', async () => {
    await animals.plantConflicts();
    expect(await animals.ok('rebase', { branch: 'exp' })).toMatchObject({
      status: 'conflicts',
      conflictCount: 4,
      conflicts: [{ from: '8', into: '6' }, {}, {}, {}],
    });
    expect(await animals.ok('rebase', { branch: 'exp', take: 'into' })).toMatchObject({ status: 'merged' });
    expect((await animals.diff()).conflicts).toEqual({ rows: 0, cells: 0 });
  });

  test('settled wholly for the branch makes no version and offers nothing to undo, and is remembered', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.editMain(set('ant', { legs: 8 }));
    const settled = await animals.ok<MergeResult>('rebase', { branch: 'exp', take: 'into' });
    expect(settled).toMatchObject({ status: 'merged', rows: { inserted: 0, updated: 0, deleted: 0 } });
    expect(settled.version).toBe(settled.into.version);
    expect(settled.editId).toBeUndefined();
    expect(await animals.ok('rebase', { branch: 'exp' })).toMatchObject({ status: 'up-to-date' });
    expect(await animals.diff()).toMatchObject({ rows: { modified: 1 }, conflicts: { rows: 0, cells: 0 } });
    expect(await animals.ok('undo', { branch: 'exp' })).toMatchObject({ changed: { updated: 1 } });
  });

  test('does not touch a protected branch', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    expect(await animals.problem('rebase', { branch: 'main', onto: 'exp' })).toMatchObject({
      code: 'PROTECTED_BRANCH',
      status: 403,
    });
  });
});

describe('cherry-pick', () => {
  beforeEach(async () => {
    await animals.branch('other');
  });

  test('brings chosen rows', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }), set('bee', { legs: 6, weight: 1 }), insert('yak', 4));
    const { rows } = await animals.changedRows();
    const rowIds = rows.filter(({ _key }) => _key !== 'ant').map(({ _rowids }) => _rowids.from);
    expect(await animals.ok('cherry-pick', { from: 'exp', into: 'other', rowIds })).toMatchObject({
      status: 'merged',
      rows: { inserted: 1, updated: 1, deleted: 0 },
    });
    const picked = await animals.rows('other');
    expect([picked.ant, picked.bee, picked.yak]).toEqual([
      ['4', 0.5],
      ['6', 1],
      ['4', null],
    ]);
    expect(await animals.diff({ into: 'other' })).toMatchObject({
      base: { branch: 'main' },
      rows: { added: 1, modified: 2 },
    });
  });

  test('brings chosen columns, also new ones', async () => {
    await animals.edit(
      'exp',
      { op: 'addColumn', name: 'loud', type: 'utf8' },
      set('ant', { legs: 6, weight: 9, loud: 'no' }),
      remove('cat'),
    );
    expect(
      await animals.ok('cherry-pick', { from: 'exp', into: 'other', columns: ['weight', 'loud'] }),
    ).toMatchObject({
      status: 'merged',
      rows: { inserted: 0, updated: 1, deleted: 0 },
      columns: { added: ['loud'] },
    });
    const picked = await animals.rows('other');
    expect([picked.ant, picked.cat]).toEqual([
      ['4', 9],
      ['4', 2.5],
    ]);
  });

  test('brings chosen versions, together or not at all', async () => {
    const first = await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.edit('exp', set('bee', { legs: 6 }));
    const third = await animals.edit('exp', set('cat', { legs: 3 }));
    const versions = [third.version, first.version];
    expect(
      await animals.ok('cherry-pick', { from: 'exp', into: 'other', versions, dryRun: true }),
    ).toMatchObject({
      status: 'ready',
    });
    expect(await animals.ok('cherry-pick', { from: 'exp', into: 'other', versions })).toMatchObject({
      status: 'merged',
      rows: { updated: 2 },
    });
    const picked = await animals.rows('other');
    expect([picked.ant, picked.bee, picked.cat]).toEqual([
      ['6', 0.5],
      ['4', 1.5],
      ['3', 2.5],
    ]);
    const response = await animals.server.get(`/api/v1/tables/${animals.table}/branches`);
    const { branches } = (await response.json()) as { branches: { name: string }[] };
    expect(branches.map(({ name }) => name)).toEqual(['main', 'exp', 'other']);
  });

  test('says what is wrong with what was chosen', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    const pick = (body: object) => animals.problem('cherry-pick', { from: 'exp', into: 'other', ...body });
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
    const first = await animals.edit('exp', set('ant', { legs: 6 }), remove('cat'), insert('yak', 4));
    await animals.edit('exp', set('bee', { legs: 6 }));
    expect(await animals.ok('revert', { branch: 'exp', versions: [first.version] })).toMatchObject({
      status: 'merged',
      rows: { inserted: 1, updated: 1, deleted: 1 },
    });
    const rows = await animals.rows('exp');
    expect([rows.ant, rows.bee, rows.cat, rows.yak]).toEqual([['4', 0.5], ['6', 1.5], ['4', 2.5], undefined]);
  });

  test('of the last version gives the one before, and several versions go together', async () => {
    const before = await animals.rows('exp');
    const first = await animals.edit('exp', set('ant', { legs: 6 }));
    const second = await animals.edit('exp', set('bee', { legs: 6 }));
    await animals.edit('exp', set('cat', { legs: 3 }));
    const fourth = await animals.edit('exp', set('dog', { legs: 3 }));
    await animals.ok('revert', { branch: 'exp', versions: [fourth.version] });
    expect((await animals.rows('exp')).dog).toEqual(before.dog);
    await animals.ok('revert', { branch: 'exp', versions: [first.version, second.version] });
    const rows = await animals.rows('exp');
    expect([rows.ant, rows.bee, rows.cat]).toEqual([before.ant, before.bee, ['3', 2.5]]);
  });

  test('reports cells that changed again since', async () => {
    const first = await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.edit('exp', set('ant', { legs: 8 }));
    const versions = [first.version];
    expect(await animals.ok('revert', { branch: 'exp', versions })).toMatchObject({
      status: 'conflicts',
      conflicts: [{ key: 'ant', column: 'legs', base: '6', from: '4', into: '8' }],
    });
    expect(await animals.ok('revert', { branch: 'exp', versions, take: 'from' })).toMatchObject({
      status: 'merged',
    });
    expect((await animals.rows('exp')).ant).toEqual(['4', 0.5]);
  });

  test('of a merge makes it possible to merge again', async () => {
    await animals.branch('other');
    await animals.edit('exp', set('ant', { legs: 6 }));
    const merged = await animals.merge({ into: 'other' });
    await animals.ok('revert', { branch: 'other', versions: [merged.version] });
    expect((await animals.rows('other')).ant).toEqual(['4', 0.5]);
    expect(await animals.merge({ into: 'other' })).toMatchObject({ status: 'merged', rows: { updated: 1 } });
  });

  test('of a version from before the branch began takes back what its origin did', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }), remove('cat'));
    const merged = await animals.merge();
    await animals.branch('undo');
    await animals.edit('undo', set('bee', { legs: 6 }));
    expect(await animals.ok('revert', { branch: 'undo', versions: [merged.version] })).toMatchObject({
      status: 'merged',
    });
    const rows = await animals.rows('undo');
    expect([rows.ant, rows.bee, rows.cat]).toEqual([
      ['4', 0.5],
      ['6', 1.5],
      ['4', 2.5],
    ]);
    expect(await animals.ok('merge', { from: 'undo' })).toMatchObject({ status: 'merged' });
    expect((await animals.rows('main')).ant).toEqual(['4', 0.5]);
  });

  test('says what cannot be reverted', async () => {
    const { version } = await animals.edit('exp', set('ant', { legs: 6 }));
    const revert = (body: object) => animals.problem('revert', { branch: 'exp', ...body });
    expect(await revert({ versions: [version + 1] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await revert({ versions: [1] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await revert({ versions: [] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await revert({ branch: 'main', versions: [2] })).toMatchObject({ code: 'PROTECTED_BRANCH' });
    expect(await revert({ branch: 'nope', versions: [2] })).toMatchObject({ code: 'NOT_FOUND' });
  });
});
