import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EditOp } from '#shared/domain/edits.ts';
import { cellToJson } from '../../arrow/cell-json.ts';
import type { MadeColumn } from '../../testing/columns.ts';
import { everyType, makeForeignTable, makeTable, makeTestHome, type TestHome } from '../../testing/tables.ts';
import { apply, countSteps } from './apply.ts';
import { planEdit } from './plan-edit.ts';

const context = { signal: new AbortController().signal };
let home: TestHome;

beforeEach(async () => {
  home = await makeTestHome();
});
afterEach(() => home.remove());

const headOf = async (table: string, branch = 'main') => {
  const handle = await home.connection.openTable(table, [], branch === 'main' ? {} : { branch });
  return { branch, version: await handle.version() };
};

async function edit(table: string, ops: EditOp[], branch = 'main') {
  const head = await headOf(table, branch);
  const { changeset, changed } = await planEdit(home, { table, head, ops }, context);
  const isEmpty =
    changeset.updates.length + changeset.inserts.length === 0 &&
    !changeset.deletes &&
    !changeset.addColumns &&
    changeset.dropColumns.length + changeset.renameColumns.length === 0;
  if (isEmpty) return { changed, steps: 0, version: head.version };
  const { steps } = await countSteps(home, { table, head, changeset }, context);
  const applied = await apply(home, { table, head, changeset }, context);
  expect(applied.changed).toEqual(changed);
  expect(applied.version).toBe(head.version + steps);
  return { changed, steps, version: applied.version };
}

async function rowsOf(table: string, columns: string[], key = 'id') {
  const handle = await home.connection.openTable(table);
  const rows = (
    await handle
      .query()
      .select([...new Set([key, ...columns])])
      .toArray()
  ).map((row) => JSON.parse(JSON.stringify(row, plain)));
  return rows.sort((a, b) => Number(a[key]) - Number(b[key]));
}

const plain = (_key: string, value: unknown) => {
  if (typeof value === 'bigint') return Number(value);
  return value;
};

interface Row {
  id: number;
  label: string | null;
  n: number | null;
  tags: string[] | null;
}

const start = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index * 3,
    label: index % 4 === 0 ? null : `l${index % 3}`,
    n: index % 5 === 0 ? null : index,
    tags: index % 3 === 0 ? null : ['a'],
  }));

const asColumns = (rows: Row[]): Record<string, MadeColumn> => ({
  id: {
    type: 'int64',
    values: rows.map(({ id }) => BigInt(id)),
    nullable: false,
    metadata: { 'curio:key': '1' },
  },
  label: { type: 'utf8', values: rows.map(({ label }) => label) },
  n: { type: 'int32', values: rows.map(({ n }) => n) },
  tags: { type: 'list<utf8>', values: rows.map(({ tags }) => tags) },
});

const withBlobs = (rows: Row[]): Record<string, MadeColumn> => ({
  ...asColumns(rows),
  picture: {
    type: 'blob',
    values: rows.map(({ id }) => (id % 2 === 0 ? { data: Buffer.from(`picture ${id}`), uri: null } : null)),
  },
});

/** What an operation does, in plain words, to compare with. */
function model(rows: Row[], op: EditOp): Row[] {
  const isSelected = (row: Row): boolean => {
    const selection = 'rows' in op && !Array.isArray(op.rows) ? op.rows : { all: true };
    if ('keys' in selection) return selection.keys.map(Number).includes(row.id);
    if ('where' in selection) return row.n !== null && row.n > Number(selection.where.split('>')[1]);
    return true;
  };
  const change = (by: (row: Row) => Row) => rows.map((row) => (isSelected(row) ? by(row) : row));
  switch (op.op) {
    case 'set':
      return change((row) => ({ ...row, ...(op.values as Partial<Row>) }));
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
function possible(rows: Row[], ops: EditOp[]): EditOp[] {
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

const countChanges = (before: Row[], after: Row[]) => {
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
        let rows = start(6);
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
    await makeTable(home, 'b', withBlobs(start(6)));
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

describe('every type survives being written', () => {
  const values: Record<string, unknown> = {
    bool: true,
    int8: -5,
    int16: 300,
    int32: 7,
    int64: '9007199254740993',
    uint8: 200,
    uint16: 60_000,
    uint32: 4_000_000_000,
    uint64: '18446744073709551615',
    float16: 0.5,
    float32: 1.25,
    float64: 'NaN',
    utf8: 'ü',
    large_utf8: 'large',
    binary: 'AAE=',
    fixed_size_binary: 'AAECAw==',
    decimal128: '-12.345',
    date32: '2024-05-01',
    date64: '1969-12-31',
    timestamp_s: '2024-05-01T10:00:00',
    timestamp_ms: '2024-05-01T10:00:00.123Z',
    timestamp_us: '2024-05-01T10:00:00.123456Z',
    timestamp_ns: '2024-05-01T10:00:00.123456789',
    time32: '10:00:01',
    time64: '10:00:01.000000001',
    duration: 'PT1.500S',
    list: ['a', null],
    list_list: [[1], null, []],
    struct: { x: 1, y: 'one' },
    list_struct: [{ label: 'cat', score: 0.5 }],
    map: { a: 1 },
    vector: [1, 2, 3],
    vector_half: [0.5, 1],
    dictionary: 'blue',
    json: '{"a":[1]}',
  };

  test.each(['set', 'insert'] as const)('by %s, and the other rows stay as they are', async (op) => {
    await makeTable(home, 'e', everyType);
    const read = async () => {
      const handle = await home.connection.openTable('e');
      const table = await handle.query().toArrow();
      const ids = Array.from({ length: table.numRows }, (_, row) => cellToJson(table.getChild('id')!, row));
      return new Map(
        ids.map((id, row) => [
          id,
          Object.fromEntries(
            table.schema.fields.map(({ name }) => [name, cellToJson(table.getChild(name)!, row)]),
          ),
        ]),
      );
    };
    const before = await read();
    if (op === 'set') await edit('e', [{ op, rows: { keys: ['3'] }, values }]);
    else await edit('e', [{ op, rows: [{ id: 3_000, ...values }] }]);
    const after = await read();
    const id = op === 'set' ? '3' : '3000';
    expect(after.get(id)).toEqual({ id, ...values });
    after.delete(id);
    before.delete(id);
    expect(after).toEqual(before);
  });

  test('all emptied again', async () => {
    await makeTable(home, 'e', everyType);
    const nulls = Object.fromEntries(Object.keys(values).map((name) => [name, null]));
    await edit('e', [{ op: 'set', rows: { keys: [1, 2] }, values: nulls }]);
    expect(await rowsOf('e', Object.keys(values))).toEqual([1, 2, 3].map((id) => ({ id, ...nulls })));
  });
});

describe('columns', () => {
  test('are added empty and by expressions, renamed and dropped, together with rows', async () => {
    await makeTable(home, 't', asColumns(start(3)));
    const { changed, steps } = await edit('t', [
      { op: 'set', rows: { keys: [3] }, values: { label: 'three' } },
      { op: 'addColumn', name: 'score', type: 'float32' },
      { op: 'addColumn', name: 'upper', sql: 'upper(`label`)' },
      { op: 'renameColumn', name: 'n', to: 'number' },
      { op: 'dropColumn', name: 'tags' },
      { op: 'set', rows: { keys: [6] }, values: { score: 0.5, number: 60 } },
    ]);
    expect(changed).toEqual({ inserted: 0, updated: 2, deleted: 0 });
    expect(steps).toBe(5);
    expect(await rowsOf('t', ['label', 'score', 'upper', 'number'])).toEqual([
      { id: 0, label: null, score: null, upper: null, number: null },
      { id: 3, label: 'three', score: null, upper: 'THREE', number: 1 },
      { id: 6, label: 'l2', score: 0.5, upper: 'L2', number: 60 },
    ]);
  });

  test('an added column changes no row', async () => {
    await makeTable(home, 't', asColumns(start(3)));
    expect(await edit('t', [{ op: 'addColumn', name: 'twice', sql: '`n` * 2' }])).toEqual({
      changed: { inserted: 0, updated: 0, deleted: 0 },
      steps: 1,
      version: 2,
    });
  });

  test('a blob column can be added and filled', async () => {
    await makeTable(home, 't', asColumns(start(3)));
    await edit('t', [
      { op: 'addColumn', name: 'picture', type: 'blob' },
      { op: 'set', rows: { keys: [0] }, values: { picture: { base64: 'aGk=' }, label: 'has one' } },
    ]);
    const handle = await home.connection.openTable('t');
    const rows = await handle.query().select(['id', 'label']).withRowId().toArray();
    const ids = rows.sort((a, b) => Number(a.id - b.id)).map((row) => row._rowid);
    expect(await handle.fetchBlobs('picture', ids)).toEqual([Buffer.from('hi'), null, null]);
    expect(rows[0].label).toBe('has one');
  });
});

describe('cost', () => {
  const sizeOf = async (folder: string): Promise<number> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name))),
    );
    return sizes.reduce((sum, { size }) => sum + size, 0);
  };

  test('a label on 100 rows of a table with 6 MB of blobs adds less than 100 KB, however often', async () => {
    const rows = start(600);
    await makeTable(home, 'b', {
      ...asColumns(rows),
      picture: {
        type: 'blob',
        values: rows.map(({ id }) => ({ data: Buffer.alloc(10_000, id % 251), uri: null })),
      },
    });
    for (let round = 0; round < 5; round++) {
      const before = await sizeOf(home.path);
      const keys = rows.filter((_, index) => index % 6 === round).map(({ id }) => id);
      await edit('b', [{ op: 'set', rows: { keys }, values: { label: `round ${round}` } }]);
      expect((await sizeOf(home.path)) - before).toBeLessThan(100_000);
    }
    expect((await rowsOf('b', ['label'])).filter(({ label }) => label?.startsWith('round'))).toHaveLength(
      500,
    );
  });

  test('updates, inserts and deletes of a small table are one version', async () => {
    await makeTable(home, 't', asColumns(start(20)));
    const { steps, changed } = await edit('t', [
      { op: 'set', rows: { keys: [3, 6] }, values: { label: 'x' } },
      { op: 'insert', rows: [{ id: 1000 }] },
      { op: 'delete', rows: { keys: [9] } },
    ]);
    expect({ steps, changed }).toEqual({ steps: 1, changed: { inserted: 1, updated: 2, deleted: 1 } });
  });

  test('a larger table gets an index on its key, once', async () => {
    await makeTable(home, 't', asColumns(start(6000)));
    const first = await edit('t', [{ op: 'set', rows: { keys: [3] }, values: { label: 'x' } }]);
    const second = await edit('t', [
      { op: 'set', rows: { keys: [6] }, values: { label: 'x' } },
      { op: 'insert', rows: [{ id: 1 }] },
    ]);
    expect([first.steps, second.steps]).toEqual([2, 1]);
    const handle = await home.connection.openTable('t');
    expect((await handle.listIndices()).map(({ columns }) => columns)).toEqual([['id']]);
  });

  test('many rows are written in parts', async () => {
    await makeTable(home, 't', asColumns(start(120_000)));
    const { steps, changed } = await edit('t', [
      { op: 'set', rows: { all: true }, values: { label: 'all' } },
    ]);
    expect({ steps, changed }).toEqual({ steps: 3, changed: { inserted: 0, updated: 120_000, deleted: 0 } });
    const handle = await home.connection.openTable('t');
    expect(await handle.countRows("label = 'all'")).toBe(120_000);
    expect(await handle.countRows()).toBe(120_000);
  });
});

describe('tables without a key', () => {
  const foreign = {
    a: { type: 'int32', values: [1, 2, 3] },
    s: { type: 'utf8', values: ['x', 'y', "z'"] },
    t: { type: 'timestamp[us, UTC]', values: [0n, 1n, null] },
    f: { type: 'float32', values: [1, 2, 3] },
    l: { type: 'list<utf8>', values: [['a'], [], null] },
  };

  test('rows are set and deleted by their ids, and added', async () => {
    await makeForeignTable(home, 'f', foreign);
    await edit('f', [
      {
        op: 'set',
        rows: { where: '`a` > 1' },
        values: { s: "q'", t: '2024-01-01T00:00:00.000001Z', f: 'NaN', l: ['p', null] },
      },
      { op: 'delete', rows: { ids: [0] } },
      { op: 'insert', rows: [{ a: 4 }] },
    ]);
    const handle = await home.connection.openTable('f');
    expect(await rowsOf('f', ['a', 's', 'l'], 'a')).toEqual([
      { a: 2, s: "q'", l: ['p', null] },
      { a: 3, s: "q'", l: ['p', null] },
      { a: 4, s: null, l: null },
    ]);
    expect(await handle.countRows("t = timestamp '2024-01-01T00:00:00.000001Z' and isnan(f)")).toBe(2);
  });

  test('too many different values ask for a key', async () => {
    const many = Array.from({ length: 150 }, (_, index) => index);
    await makeForeignTable(home, 'f', { a: { type: 'int32', values: many } });
    await expect(
      edit('f', [{ op: 'setSql', rows: { all: true }, values: { a: '`a` + 1000' } }]),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED', hint: expect.stringContaining('key') });
    expect(await headOf('f')).toEqual({ branch: 'main', version: 1 });
  });
});

test('a head that moved is refused, and nothing is written', async () => {
  await makeTable(home, 't', asColumns(start(3)));
  const head = await headOf('t');
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
  await makeTable(home, 't', asColumns(start(6)));
  const head = await headOf('t');
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
  await makeTable(home, 't', asColumns(start(3)));
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
