import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EditOp } from '#shared/domain/edits.ts';
import {
  asColumns,
  type EditedRow,
  editRows,
  headOf,
  plainRows,
  startRows,
  withBlobs,
} from '../../testing/edits.ts';
import { makeTable, makeTestHome, type TestHome } from '../../testing/tables.ts';
import { apply } from './apply.ts';
import { planEdit } from './plan-edit.ts';

const context = { signal: new AbortController().signal };
let home: TestHome;

beforeEach(async () => {
  home = await makeTestHome();
});
afterEach(() => home.remove());

const edit = (table: string, ops: EditOp[], branch?: string) => editRows(home, table, ops, branch);
const rowsOf = (table: string, columns: string[], key?: string) => plainRows(home, table, columns, key);

function model(rows: EditedRow[], op: EditOp): EditedRow[] {
  const isSelected = (row: EditedRow): boolean => {
    const selection = 'rows' in op && !Array.isArray(op.rows) ? op.rows : { all: true };
    if ('keys' in selection) return selection.keys.map(Number).includes(row.id);
    if ('where' in selection) return row.n !== null && row.n > Number(selection.where.split('>')[1]);
    return true;
  };
  const change = (by: (row: EditedRow) => EditedRow) => rows.map((row) => (isSelected(row) ? by(row) : row));
  switch (op.op) {
    case 'set':
      return change((row) => ({ ...row, ...(op.values as Partial<EditedRow>) }));
    case 'setSql':
      return change((row) => ({ ...row, n: row.n === null ? null : row.n + 1 }));
    case 'tag':
      return change((row) => {
        const kept = (row.tags ?? []).filter((tag) => !op.remove?.includes(tag));
        const added = (op.add ?? []).filter((tag) => !kept.includes(tag) && !op.remove?.includes(tag));
        return { ...row, tags: row.tags === null && added.length === 0 ? null : [...kept, ...added] };
      });
    case 'delete':
      return rows.filter((row) => !isSelected(row));
    case 'insert':
      return [
        ...rows,
        ...op.rows.map((row) => ({
          id: Number(row.id),
          label: (row.label as string) ?? null,
          n: (row.n as number) ?? null,
          tags: null,
        })),
      ];
    default:
      return rows;
  }
}

const selection = fc.oneof(
  fc.subarray([0, 3, 6, 9, 12, 15], { minLength: 1 }).map((keys) => ({ keys })),
  fc.integer({ min: -1, max: 12 }).map((least) => ({ where: `\`n\` > ${least}` })),
  fc.constant({ all: true as const }),
);
const operation: fc.Arbitrary<EditOp> = fc.oneof(
  fc.record({
    op: fc.constant('set' as const),
    rows: selection,
    values: fc.oneof(
      fc.record({ label: fc.constantFrom('x', 'l1', null) }),
      fc.record({ label: fc.constant('y'), n: fc.constantFrom(7, null) }),
    ),
  }),
  fc.record({ op: fc.constant('setSql' as const), rows: selection, values: fc.constant({ n: '`n` + 1' }) }),
  fc.record({
    op: fc.constant('tag' as const),
    rows: selection,
    column: fc.constant('tags'),
    add: fc.subarray(['a', 'b', 'c']),
    remove: fc.subarray(['a', 'c'], { minLength: 1 }),
  }),
  fc.record({ op: fc.constant('delete' as const), rows: selection }),
  fc
    .integer({ min: 100, max: 104 })
    .chain((id) =>
      fc.constantFrom<EditOp>(
        { op: 'insert', rows: [{ id, label: 'new' }] },
        { op: 'insert', rows: [{ id }, { id: String(id + 50), n: 3 }] },
      ),
    ),
);

/** Leaves out what an edit would refuse: unknown keys and keys that are taken. */
function possible(rows: EditedRow[], ops: EditOp[]): EditOp[] {
  const kept: EditOp[] = [];
  let state = rows;
  for (const op of ops) {
    const ids = new Set(state.map(({ id }) => id));
    const isRefused =
      (op.op === 'insert' && op.rows.some((row) => ids.has(Number(row.id)))) ||
      (op.op !== 'insert' &&
        'rows' in op &&
        'keys' in op.rows &&
        op.rows.keys.some((key) => !ids.has(Number(key))));
    if (isRefused) continue;
    kept.push(op);
    state = model(state, op);
  }
  return kept;
}

const countChanges = (before: EditedRow[], after: EditedRow[]) => {
  const old = new Map(before.map((row) => [row.id, JSON.stringify(row)]));
  const ids = new Set(after.map(({ id }) => id));
  return {
    inserted: after.filter(({ id }) => !old.has(id)).length,
    updated: after.filter((row) => old.has(row.id) && old.get(row.id) !== JSON.stringify(row)).length,
    deleted: before.filter(({ id }) => !ids.has(id)).length,
  };
};

describe('an edit does what its operations say, one after the other, and counts it exactly', () => {
  const edits = fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
  test.each([
    ['in a plain table', asColumns, 25],
    ['in a table with blobs', withBlobs, 15],
  ])('%s', async (_name, columnsOf, numRuns) => {
    let table = 0;
    await fc.assert(
      fc.asyncProperty(edits, async (steps) => {
        const name = `t${table++}`;
        let rows = startRows(6);
        await makeTable(home, name, columnsOf(rows));
        for (const ops of steps.map((each) => possible(rows, each))) {
          const kept = possible(rows, ops);
          if (kept.length === 0) continue;
          const after = kept.reduce(model, rows);
          const { changed } = await edit(name, kept);
          expect(changed).toEqual(countChanges(rows, after));
          rows = after;
          expect(await rowsOf(name, ['label', 'n', 'tags'])).toEqual([...rows].sort((a, b) => a.id - b.id));
        }
      }),
      { numRuns },
    );
  });

  test('blobs are as before after edits of other columns', async () => {
    await makeTable(home, 'b', withBlobs(startRows(6)));
    const handle = await home.connection.openTable('b');
    const before = await handle.fetchBlobs('picture', [0, 1, 2, 3, 4, 5]);
    await edit('b', [{ op: 'set', rows: { all: true }, values: { label: 'z' } }]);
    await edit('b', [
      { op: 'set', rows: { keys: [3] }, values: { n: 9 } },
      { op: 'insert', rows: [{ id: 99, picture: { base64: 'aGk=' } }] },
      { op: 'delete', rows: { keys: [0] } },
    ]);
    const after = await handle.fetchBlobs('picture', [1, 2, 3, 4, 5, 6]);
    expect(after).toEqual([...before.slice(1), Buffer.from('hi')]);
  });
});

test('a head that moved is refused, and nothing is written', async () => {
  await makeTable(home, 't', asColumns(startRows(3)));
  const head = await headOf(home, 't');
  const { changeset } = await planEdit(
    home,
    { table: 't', head, ops: [{ op: 'set', rows: { all: true }, values: { label: 'x' } }] },
    context,
  );
  const handle = await home.connection.openTable('t');
  await handle.update({ where: 'id = 0', values: { label: 'other' } });
  await expect(apply(home, { table: 't', head, changeset }, context)).rejects.toMatchObject({
    code: 'HEAD_MOVED',
  });
  expect(await handle.countRows("label = 'x'")).toBe(0);
});

test('cells that another program changes in the middle of a merge are kept', async () => {
  await makeTable(home, 't', asColumns(startRows(6)));
  const head = await headOf(home, 't');
  const ops: EditOp[] = [{ op: 'set', rows: { keys: [3, 6] }, values: { label: 'ours' } }];
  const { changeset } = await planEdit(home, { table: 't', head, ops }, context);
  const other = await home.connection.openTable('t');
  let isFirst = true;
  const interrupted = new Proxy(home.connection, {
    get(connection, name) {
      if (name !== 'openTable') return Reflect.get(connection, name);
      return async (...args: Parameters<typeof connection.openTable>) => {
        const handle = await connection.openTable(...args);
        const mergeInsert = handle.mergeInsert.bind(handle);
        handle.mergeInsert = (key) => {
          const merge = mergeInsert(key).useIndex(false).whenMatchedUpdateAll();
          const execute = merge.execute.bind(merge);
          merge.useIndex = () => merge;
          merge.whenMatchedUpdateAll = () => merge;
          merge.execute = async (data, options) => {
            if (isFirst) {
              isFirst = false;
              await other.update({ where: 'id in (3, 9)', values: { label: 'theirs', n: 77 } });
            }
            return execute(data, options);
          };
          return merge;
        };
        return handle;
      };
    },
  });
  await apply({ ...home, connection: interrupted }, { table: 't', head, changeset }, context);
  expect(await rowsOf('t', ['label', 'n'])).toMatchObject([
    { id: 0 },
    { id: 3, label: 'ours', n: 77 },
    { id: 6, label: 'ours', n: 2 },
    { id: 9, label: 'theirs', n: 77 },
    { id: 12 },
    { id: 15 },
  ]);
});

test('branches are written apart from each other', async () => {
  await makeTable(home, 't', asColumns(startRows(3)));
  const handle = await home.connection.openTable('t');
  await (await handle.branches()).create('ann/fix');
  await edit('t', [{ op: 'set', rows: { all: true }, values: { label: 'x' } }], 'ann/fix');
  expect(await handle.countRows("label = 'x'")).toBe(0);
  const branch = await home.connection.openTable('t', [], { branch: 'ann/fix' });
  expect(await branch.countRows("label = 'x'")).toBe(3);
});

test('composite and textual keys', async () => {
  await makeTable(home, 't', {
    part: { type: 'utf8', values: ["o'b", 'a', 'a'], nullable: false, metadata: { 'curio:key': '2' } },
    no: { type: 'int32', values: [1, 1, 2], nullable: false, metadata: { 'curio:key': '1' } },
    label: { type: 'utf8', values: ['x', 'y', 'z'] },
  });
  const { changed } = await edit('t', [
    {
      op: 'set',
      rows: {
        keys: [
          [1, "o'b"],
          [2, 'a'],
        ],
      },
      values: { label: 'set' },
    },
    { op: 'insert', rows: [{ part: 'b', no: 1, label: 'new' }] },
    { op: 'delete', rows: { keys: [[1, 'a']] } },
  ]);
  expect(changed).toEqual({ inserted: 1, updated: 2, deleted: 1 });
  const handle = await home.connection.openTable('t');
  const rows = (await handle.query().select(['part', 'no', 'label']).toArray()).map(
    (row) => `${row.no} ${row.part} ${row.label}`,
  );
  expect(rows.sort()).toEqual(['1 b new', "1 o'b set", '2 a set']);
});
