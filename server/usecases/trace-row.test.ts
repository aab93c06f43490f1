import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RowEvent, RowHistoryBody } from '#shared/api/history.ts';
import { makePets, type Pets, setLabel } from '../testing/pets.ts';
import { makeForeignTable } from '../testing/tables.ts';
import { createBranch, deleteBranch } from './branches.ts';
import { mergeBranches } from './merge-branches.ts';
import { rebaseBranch } from './rebase-branch.ts';
import { resolveRef } from './resolve-ref.ts';
import { RowWalk } from './row-walk.ts';
import { traceRow } from './trace-row.ts';
import { VersionLog } from './version-log.ts';

const context = { signal: new AbortController().signal };
let pets: Pets;

beforeEach(async () => {
  pets = await makePets();
});
afterEach(() => pets.ports.close());

const trace = (input: Partial<RowHistoryBody> = {}, table = 'pets') =>
  traceRow(
    pets.ports,
    { table, ref: 'exp', limit: 20, ...(input.rowId === undefined ? { key: 1 } : {}), ...input },
    context,
  );

/** `exp:3 modified cat→dog`, what a merge brought in brackets behind it. */
const lineOf = (event: RowEvent, column = 'label'): string => {
  const cell = event.cells.find((one) => one.column === column);
  const { branch, version } = event.ref;
  const values = cell ? ` ${cell.before}→${cell.after}` : '';
  const origin = event.origin.length > 0 ? ` [${event.origin.map((each) => lineOf(each, column))}]` : '';
  return `${branch}:${version} ${event.kind} ${event.change}${values}${origin}`;
};
const lines = async (input: Partial<RowHistoryBody> = {}, table?: string) =>
  (await trace(input, table)).events.map((event) => lineOf(event));

const rawHandle = (branch?: string) =>
  pets.ports.home.connection.openTable('pets', [], branch ? { branch } : {});

describe('a row on its branch', () => {
  test('every change with old and new value, and those of other rows left out', async () => {
    await pets.edit([setLabel('kitten')]);
    await pets.edit([setLabel('puppy', [2])]);
    await pets.edit([{ op: 'set', rows: { keys: [1] }, values: { n: 11 } }], { message: 'Count' });
    const history = await trace();
    expect(history.events.map((event) => lineOf(event))).toEqual([
      'exp:4 edit modified',
      'exp:2 edit modified cat→kitten',
      'main:1 create added null→cat',
    ]);
    expect(history).toMatchObject({ key: '1', isThere: true, end: 'begin', cursor: null });
    expect(history.events[0]).toMatchObject({
      author: 'ann',
      message: 'Count',
      cells: [{ column: 'n', before: 10, after: 11, hadColumn: true }],
      before: { ref: { branch: 'exp', version: 3 } },
      after: { ref: { branch: 'exp', version: 4 } },
    });
  });

  test('of one cell: what changed others is left out; by key and by row id alike', async () => {
    await pets.edit([setLabel('kitten')]);
    await pets.edit([{ op: 'set', rows: { keys: [1] }, values: { n: 11 } }]);
    await pets.edit([setLabel('cat')]);
    const byKey = await lines({ column: 'label' });
    expect(byKey).toEqual([
      'exp:4 edit modified kitten→cat',
      'exp:2 edit modified cat→kitten',
      'main:1 create added null→cat',
    ]);
    expect(await lines({ rowId: '0', column: 'label' })).toEqual(byKey);
  });

  test('compaction, and writing the same value again, are no change', async () => {
    await pets.edit([setLabel('kitten')]);
    await (await rawHandle('exp')).optimize();
    await (await rawHandle('exp')).update({ where: 'id = 1', valuesSql: { label: "'kitten'" } });
    expect(await lines()).toEqual(['exp:2 edit modified cat→kitten', 'main:1 create added null→cat']);
  });

  test('versions of other programs are told with their time and without an author', async () => {
    await (await rawHandle('exp')).update({ where: 'id = 1', valuesSql: { label: "'lion'" } });
    const { events } = await trace();
    expect(events[0]).toMatchObject({ kind: 'edit', author: null, at: expect.stringMatching(/^20/) });
    expect(lineOf(events[0]!)).toBe('exp:2 edit modified cat→lion');
  });

  test('a row that was deleted and added again under its key is one history', async () => {
    await pets.edit([{ op: 'delete', rows: { keys: [1] } }]);
    expect(await trace()).toMatchObject({ isThere: false });
    await pets.edit([setLabel('puppy', [2])]);
    await pets.edit([{ op: 'insert', rows: [{ id: 1, label: 'tiger' }] }]);
    const wanted = [
      'exp:4 edit added null→tiger',
      'exp:2 edit removed cat→null',
      'main:1 create added null→cat',
    ];
    expect(await lines()).toEqual(wanted);
  });

  test('a row that nobody ever had gives an empty history', async () => {
    expect(await trace({ key: 99 })).toMatchObject({ isThere: false, events: [], end: 'begin' });
  });

  test('undo and restore bring the old value back as changes of their own', async () => {
    await pets.edit([setLabel('kitten')]);
    await pets.undo();
    await pets.edit([setLabel('lion')]);
    await pets.restore('exp:2');
    expect(await lines()).toEqual([
      'exp:5 restore modified lion→kitten',
      'exp:4 edit modified cat→lion',
      'exp:3 undo modified kitten→cat',
      'exp:2 edit modified cat→kitten',
      'main:1 create added null→cat',
    ]);
  });

  test('a restore by another program is found too, also one that brings a row back', async () => {
    const handle = await rawHandle('exp');
    await handle.update({ where: 'id = 1', valuesSql: { label: "'lion'" } });
    await handle.delete('id = 1');
    await handle.checkout(1);
    await handle.restore();
    expect(await lines()).toEqual([
      'exp:4 restore added null→cat',
      'exp:3 edit removed lion→null',
      'exp:2 edit modified cat→lion',
      'main:1 create added null→cat',
    ]);
  });

  test('a cell is followed through a new name of its column', async () => {
    await pets.edit([setLabel('kitten')]);
    await pets.edit([{ op: 'renameColumn', name: 'label', to: 'kind' }]);
    await pets.edit([{ op: 'set', rows: { keys: [1] }, values: { kind: 'lion' } }]);
    const { events } = await trace({ column: 'kind' });
    expect(events.map(({ ref, cells }) => [ref.version, cells[0]?.column, cells[0]?.after])).toEqual([
      [4, 'kind', 'lion'],
      [2, 'label', 'kitten'],
      [1, 'label', 'cat'],
    ]);
  });

  test('a column that was added with values is told from one whose value changed', async () => {
    await pets.edit([{ op: 'addColumn', name: 'double', sql: 'n * 2' }]);
    const { events } = await trace({ column: 'double' });
    expect(events[0]?.cells).toMatchObject([
      { column: 'double', hadColumn: false, before: null, after: '20' },
    ]);
    expect(events).toHaveLength(1);
  });

  test('comes in pages that go on where they ended', async () => {
    for (const label of ['a', 'b', 'c', 'd']) await pets.edit([setLabel(label)]);
    const first = await trace({ limit: 2 });
    const second = await trace({ limit: 10, cursor: first.cursor! });
    expect([...first.events, ...second.events].map((event) => event.ref.version)).toEqual([5, 4, 3, 2, 1]);
    expect([first.end, first.lookedBackTo, second.end]).toEqual([
      'more',
      { branch: 'exp', version: 3 },
      'begin',
    ]);
    await expect(trace({ cursor: 'bm8' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('merges are followed to where a value was set', () => {
  const merge = (from = 'exp', more = {}) =>
    mergeBranches(pets.ports, { table: 'pets', from, into: 'main', author: 'bob', ...more }, context);

  test('by whom, on which branch, in which edit', async () => {
    await pets.edit([setLabel('kitten')]);
    await pets.edit([setLabel('lion')], { message: 'It is a lion' });
    await merge();
    const { events } = await trace({ ref: 'main', column: 'label' });
    expect(events.map((event) => lineOf(event))).toEqual([
      'main:2 merge modified cat→lion [exp:3 edit modified kitten→lion,exp:2 edit modified cat→kitten]',
      'main:1 create added null→cat',
    ]);
    expect(events[0]).toMatchObject({ author: 'bob', settled: [] });
    expect(events[0]?.origin[0]).toMatchObject({ author: 'ann', message: 'It is a lion' });
  });

  test('through nested branches and a rebase, each change once', async () => {
    await createBranch(pets.ports, { table: 'pets', name: 'exp/deep', from: 'exp' }, context);
    await pets.edit([setLabel('deep')], { branch: 'exp/deep' });
    await mergeBranches(pets.ports, { table: 'pets', from: 'exp/deep', into: 'exp', author: 'ann' }, context);
    await createBranch(pets.ports, { table: 'pets', name: 'other', from: 'main' }, context);
    await pets.edit([{ op: 'set', rows: { keys: [1] }, values: { n: 5 } }], { branch: 'other' });
    await merge('other');
    await rebaseBranch(pets.ports, { table: 'pets', branch: 'exp', onto: 'main', author: 'ann' }, context);
    await merge();
    expect(await lines({ ref: 'main', column: 'label' })).toEqual([
      'main:3 merge modified cat→deep [exp:2 merge modified cat→deep [exp/deep:2 edit modified cat→deep]]',
      'main:1 create added null→cat',
    ]);
    expect((await lines({ ref: 'exp', column: 'n' }))[0]).toBe(
      'exp:3 rebase modified [main:2 merge modified [other:2 edit modified]]',
    );
  });

  test('a value that was settled in the merge is not given to the branch', async () => {
    await createBranch(pets.ports, { table: 'pets', name: 'other', from: 'main' }, context);
    await pets.edit([setLabel('mine')], { branch: 'other' });
    await merge('other');
    await pets.edit([setLabel('theirs')]);
    await merge('exp', { choices: [{ key: 1, column: 'label', value: 'both' }] });
    const { events } = await trace({ ref: 'main', column: 'label' });
    expect(lineOf(events[0]!)).toBe('main:3 merge modified mine→both');
    expect(events[0]).toMatchObject({ settled: ['label'] });
  });

  test('a deleted branch, or one that was made again, is said to be gone', async () => {
    await pets.edit([setLabel('lion')]);
    await merge();
    await deleteBranch(pets.ports, { table: 'pets', name: 'exp' }, context);
    const gone = await trace({ ref: 'main' });
    expect(gone.events[0]).toMatchObject({
      origin: [],
      note: expect.stringContaining('exp has been deleted'),
    });
  });

  test('rows that a branch added have their story there', async () => {
    await pets.edit([{ op: 'insert', rows: [{ id: 9, label: 'new' }] }]);
    await pets.edit([setLabel('newer', [9])]);
    await merge();
    expect(await lines({ ref: 'main', key: 9 })).toEqual([
      'main:2 merge added null→newer [exp:3 edit modified new→newer,exp:2 edit added null→new]',
    ]);
  });
});

describe('tables of other programs', () => {
  test('without stable ids are followed by their key, version by version', async () => {
    const handle = await makeForeignTable(pets.ports.home, 'foreign', {
      id: { type: 'int64', values: [1n, 2n], nullable: false, metadata: { 'curio:key': '1' } },
      label: { type: 'utf8', values: ['cat', 'dog'] },
    });
    await handle.update({ where: 'id = 1', valuesSql: { label: "'lion'" } });
    await handle.update({ where: 'id = 2', valuesSql: { label: "'wolf'" } });
    await handle.optimize();
    expect(await lines({ ref: 'main' }, 'foreign')).toEqual([
      'main:2 edit modified cat→lion',
      'main:1 create added null→cat',
    ]);
  });

  test('without stable ids and without a key cannot be followed, and say why', async () => {
    await makeForeignTable(pets.ports.home, 'bare', { label: { type: 'utf8', values: ['cat'] } });
    await expect(trace({ ref: 'main', rowId: '0' }, 'bare')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(trace({ ref: 'main', key: 1 }, 'bare')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  test('what was cleaned up is said, not made up', async () => {
    const handle = await rawHandle();
    await handle.update({ where: 'id = 1', valuesSql: { label: "'lion'" } });
    await handle.update({ where: 'id = 2', valuesSql: { label: "'wolf'" } });
    await deleteBranch(pets.ports, { table: 'pets', name: 'exp' }, context);
    await handle.optimize({ cleanupOlderThan: new Date() });
    const history = await trace({ ref: 'main' });
    expect(history.end).toBe('cleaned-up');
    expect(history.events).toMatchObject([
      { change: 'unknown', note: expect.stringContaining('cleaned up') },
    ]);
  });
});

test('bad questions are answered with what to do', async () => {
  await expect(trace({ rowId: '0', key: 1 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(trace({ column: 'labl' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    hint: expect.stringContaining('label'),
  });
  await expect(trace({ rowId: '77' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(trace({ key: [1, 2] })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('many versions of other programs are looked at in several requests, none twice', async () => {
  const handle = await rawHandle('exp');
  await handle.update({ where: 'id = 1', valuesSql: { label: "'lion'" } });
  for (let n = 0; n < 6; n++) await handle.update({ where: 'id = 2', valuesSql: { label: `'${n}'` } });
  const asked: number[] = [];
  const { ports } = pets;
  const restores = ports.trace.restores.bind(ports.trace);
  ports.trace = {
    ...ports.trace,
    restores: (input, at) => {
      asked.push(...input.versions);
      return restores(input, at);
    },
  };
  const { heads, ref } = await resolveRef(ports, 'pets', 'exp', context);
  const log = new VersionLog(ports, 'pets', heads);
  const read = await ports.trace.rowStep(
    { table: 'pets', before: null, after: ref, row: { key: 1 }, isOneLine: true },
    context,
  );
  const row = { table: 'pets', column: null, key: 1, rowId: null, isHiddenKey: false, hasStableRowIds: true };
  const spent = new RowWalk(ports, { log, row, budget: { reads: 5, manifests: 0 }, context });
  expect(await spent.back({ at: ref, stamp: read.after, clear: 5 })).toEqual({
    event: null,
    next: { at: ref, stamp: read.after, clear: 5 },
    end: null,
  });
  const walk = new RowWalk(ports, { log, row, budget: { reads: 5, manifests: 9 }, context });
  const { event } = await walk.back({ at: ref, stamp: read.after, clear: 5 });
  expect([event?.found.ref.version, asked]).toEqual([2, [5, 4, 3]]);
});
