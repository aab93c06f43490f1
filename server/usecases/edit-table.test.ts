import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EditOp } from '#shared/domain/edits.ts';
import { setLabel as label, makePets, type Pets } from '../testing/pets.ts';
import { makeTable } from '../testing/tables.ts';
import { editTable } from './edit-table.ts';

const context = { signal: new AbortController().signal };
let ports: Pets['ports'];
let edit: Pets['edit'];
let undo: Pets['undo'];
let restore: Pets['restore'];
let rows: Pets['rows'];
let labels: Pets['labels'];
let edits: Pets['edits'];

beforeEach(async () => {
  ({ ports, edit, undo, restore, rows, labels, edits } = await makePets());
});
afterEach(() => ports.close());

describe('edits', () => {
  test('change the branch and nothing else, and are kept with their author', async () => {
    const result = await edit([label('lion', [1, 4])]);
    expect(result).toEqual({
      version: 2,
      changed: { inserted: 0, updated: 2, deleted: 0 },
      editId: expect.any(String),
    });
    expect(await labels()).toEqual(['lion', 'dog', null, 'lion']);
    expect(await labels('main')).toEqual(['cat', 'dog', null, 'cat']);
    expect(await edits()).toMatchObject([
      {
        id: result.editId,
        kind: 'edit',
        author: 'ann',
        message: 'Set label on 2 rows',
        fromVersion: 1,
        toVersion: 2,
        changed: result.changed,
      },
    ]);
    expect(ports.store.listOpenGroups()).toEqual([]);
  });

  test('that change nothing make no version and no record', async () => {
    expect(await edit([label('cat', [1, 4])])).toEqual({
      version: 1,
      changed: { inserted: 0, updated: 0, deleted: 0 },
      editId: '',
    });
    expect(await edits()).toEqual([]);
  });

  test('take a message, and filters and expressions as people write them', async () => {
    const result = await edit(
      [
        { op: 'setSql', rows: { where: "label = 'cat' and n > 5" }, values: { n: 'n * 2 + 1' } },
        { op: 'delete', rows: { where: 'label is null' } },
      ],
      { message: 'Twice as many' },
    );
    expect(result.changed).toEqual({ inserted: 0, updated: 2, deleted: 1 });
    expect((await rows()).map(({ n }) => n)).toEqual([21, 20, 81]);
    expect(await edits()).toMatchObject([{ message: 'Twice as many' }]);
  });

  test.each<[string, EditOp[], object]>([
    [
      'a syntax error',
      [{ op: 'delete', rows: { where: 'label =' } }],
      { code: 'SQL_SYNTAX', at: { line: 1, column: expect.any(Number) } },
    ],
    [
      'an unknown column in a filter',
      [{ op: 'delete', rows: { where: 'lable = 1' } }],
      { code: 'SQL_BIND', hint: expect.stringContaining('label') },
    ],
    [
      'an empty filter',
      [{ op: 'delete', rows: { where: ' ' } }],
      { code: 'BAD_REQUEST', hint: expect.stringContaining('all') },
    ],
    [
      'an unknown column',
      [{ op: 'set', rows: { all: true }, values: { lable: 'x' } }],
      { code: 'BAD_REQUEST', hint: 'Did you mean “label”?' },
    ],
    [
      'a wrong type',
      [label('x'), { op: 'set', rows: { all: true }, values: { label: 3 } }],
      { code: 'BAD_REQUEST', message: 'Operation 2: label: expected text, got 3.' },
    ],
    [
      'a wrong type in an inserted row',
      [{ op: 'insert', rows: [{ id: 9 }, { id: 10, n: 'x' }] }],
      { code: 'BAD_REQUEST', message: 'Row 2, n: expected a whole number, got "x".' },
    ],
    [
      'an expression of another type',
      [{ op: 'setSql', rows: { all: true }, values: { tags: 'n + 1' } }],
      { code: 'BAD_REQUEST' },
    ],
    [
      'an expression that fails on a row',
      [{ op: 'setSql', rows: { all: true }, values: { n: 'cast(label as int)' } }],
      { code: 'SQL_BIND' },
    ],
    [
      'an expression with an unknown column',
      [{ op: 'setSql', rows: { all: true }, values: { n: 'm + 1' } }],
      { code: 'SQL_BIND', message: expect.stringContaining('n: ') },
    ],
    ['no values', [{ op: 'set', rows: { all: true }, values: {} }], { code: 'BAD_REQUEST' }],
    [
      'an unknown key',
      [label('x', [1, 77])],
      { code: 'NOT_FOUND', message: 'exp of pets has no row with the key 77.' },
    ],
    [
      'an unknown id',
      [{ op: 'delete', rows: { ids: [0, 400] } }],
      { code: 'NOT_FOUND', message: 'exp of pets has no row with the row id 400.' },
    ],
    ['a key of another shape', [{ op: 'delete', rows: { keys: [[1, 2]] } }], { code: 'BAD_REQUEST' }],
    [
      'a key of another type',
      [{ op: 'delete', rows: { keys: ['one'] } }],
      { code: 'BAD_REQUEST', message: 'Key 1, id: expected a whole number, got "one".' },
    ],
    [
      'a key that is taken',
      [{ op: 'insert', rows: [{ id: 2 }] }],
      { code: 'CONFLICT', message: 'The key 2 is there already.' },
    ],
    ['a key set', [{ op: 'set', rows: { all: true }, values: { id: 5 } }], { code: 'UNSUPPORTED' }],
    ['the key dropped', [{ op: 'dropColumn', name: 'id' }], { code: 'UNSUPPORTED' }],
    [
      'tags on a column of no tags',
      [{ op: 'tag', rows: { all: true }, column: 'label', add: ['x'] }],
      { code: 'BAD_REQUEST' },
    ],
    ['a column that is there', [{ op: 'addColumn', name: 'Label', type: 'utf8' }], { code: 'EXISTS' }],
    ['a column with a dot', [{ op: 'addColumn', name: 'a.b', type: 'utf8' }], { code: 'BAD_REQUEST' }],
    ['a reserved column', [{ op: 'renameColumn', name: 'label', to: '_rowid' }], { code: 'BAD_REQUEST' }],
    ['no such type', [{ op: 'addColumn', name: 'x', type: 'texxt' }], { code: 'BAD_REQUEST' }],
    ['neither type nor values', [{ op: 'addColumn', name: 'x' }], { code: 'BAD_REQUEST' }],
    [
      'a computed column that fails on a row',
      [
        { op: 'addColumn', name: 'first', type: 'utf8' },
        { op: 'addColumn', name: 'x', sql: 'cast(label as int)' },
      ],
      { code: 'SQL_BIND' },
    ],
    [
      'a column that the edit itself adds in a filter',
      [
        { op: 'addColumn', name: 'x', type: 'int32' },
        { op: 'delete', rows: { where: 'x > 1' } },
      ],
      { code: 'SQL_BIND', hint: expect.stringContaining('another') },
    ],
  ])('with %s are refused, and nothing is written', async (_name, ops, problem) => {
    await expect(edit(ops)).rejects.toMatchObject(problem);
    expect(
      (await ports.reader.readHeads({ table: 'pets' }, context)).branches.find(({ name }) => name === 'exp')
        ?.version,
    ).toBe(1);
    expect(ports.store.listOpenGroups()).toEqual([]);
  });

  test('on protected branches are refused, with the way out', async () => {
    await expect(edit([label('x')], { branch: 'main' })).rejects.toMatchObject({
      code: 'PROTECTED_BRANCH',
      hint: expect.stringContaining('branch'),
    });
    const { uuid } = await ports.reader.readHeads({ table: 'pets' }, context);
    ports.store.setProtectedBranch(uuid, 'exp', true);
    await expect(edit([label('x')])).rejects.toMatchObject({ code: 'PROTECTED_BRANCH' });
    await expect(undo()).rejects.toMatchObject({ code: 'PROTECTED_BRANCH' });
    await expect(restore('main')).rejects.toMatchObject({ code: 'PROTECTED_BRANCH' });
    ports.store.setProtectedBranch(uuid, 'exp', false);
    expect((await edit([label('x')])).version).toBe(2);
  });

  test('are refused when the branch is not at the expected version', async () => {
    await edit([label('x')], { expectedVersion: 1 });
    await expect(edit([label('y')], { expectedVersion: 1 })).rejects.toMatchObject({ code: 'HEAD_MOVED' });
    expect(await labels()).toEqual(['x', 'dog', null, 'cat']);
    await edit([label('y')], { expectedVersion: 2 });
  });

  test('of a branch, table or version that is not there', async () => {
    await expect(edit([label('x')], { branch: 'nope' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(edit([label('x')], { branch: 'exp:1' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(
      editTable(ports, { table: 'pet', branch: 'exp', ops: [label('x')], author: 'ann' }, context),
    ).rejects.toMatchObject({ code: 'NOT_FOUND', hint: 'Did you mean “pets”?' });
  });

  test('at once all land, one after the other', async () => {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        edit([
          { op: 'setSql', rows: { all: true }, values: { n: 'n + 1' } },
          { op: 'insert', rows: [{ id: 100 + index, n: 0 }] },
        ]),
      ),
    );
    expect(new Set(results.map(({ version }) => version)).size).toBe(8);
    const after = await rows();
    expect(after.slice(0, 4).map(({ n }) => n)).toEqual([18, 28, 38, 48]);
    expect(
      after
        .slice(4)
        .map(({ n }) => n)
        .sort(),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('whose request is given up before its turn are not made', async () => {
    const first = edit([label('first')]);
    const controller = new AbortController();
    const second = editTable(
      ports,
      { table: 'pets', branch: 'exp', ops: [label('second')], author: 'ann' },
      { signal: controller.signal },
    );
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
    await first;
    expect(await labels()).toEqual(['first', 'dog', null, 'cat']);
  });

  test('show nothing of themselves before they are whole', async () => {
    const { apply } = ports.writer;
    const seen: unknown[] = [];
    ports.writer.apply = (input, inner) =>
      apply(input, {
        ...inner,
        onProgress: () => {
          seen.push(ports.store.listOpenGroups().map(({ branch, fromVersion }) => ({ branch, fromVersion })));
        },
      });
    const { version } = await edit([
      { op: 'addColumn', name: 'score', type: 'float32' },
      { op: 'set', rows: { keys: [1] }, values: { score: 1 } },
    ]);
    expect(seen).toEqual([[{ branch: 'exp', fromVersion: 1 }], [{ branch: 'exp', fromVersion: 1 }]]);
    expect(version).toBe(3);
  });

  test('that fail half way are finished, or the next edit finishes them', async () => {
    const { apply, settle } = ports.writer;
    const dieAfterFirst: typeof apply = (input, inner) =>
      apply(input, {
        ...inner,
        onProgress: () => {
          throw new Error('the engine died');
        },
      });
    const ops: EditOp[] = [
      { op: 'addColumn', name: 'score', type: 'float32' },
      { op: 'set', rows: { keys: [1] }, values: { score: 1 } },
    ];
    ports.writer.apply = dieAfterFirst;
    expect(await edit(ops)).toMatchObject({ version: 3, changed: { updated: 1 } });
    ports.writer.settle = () => Promise.reject(new Error('it died again'));
    await expect(edit([{ op: 'dropColumn', name: 'score' }, label('x')])).rejects.toThrow();
    expect(await labels()).toEqual(['cat', 'dog', null, 'cat']);
    ports.writer.apply = apply;
    ports.writer.settle = settle;
    await edit([label('y', [2])]);
    expect((await rows()).map((row) => [row.label, 'score' in row])).toEqual([
      ['x', false],
      ['y', false],
      [null, false],
      ['cat', false],
    ]);
    expect((await edits()).map(({ message }) => message)).toEqual([
      'Set label on 1 row',
      'Dropped the column score; set label on 1 row',
      'Added the column score; set score on 1 row',
    ]);
    expect(ports.store.listOpenGroups()).toEqual([]);
  });

  test('other programs that commit at the same moment are not overwritten', async () => {
    const { apply } = ports.writer;
    let isFirst = true;
    ports.writer.apply = async (input, inner) => {
      if (isFirst) {
        isFirst = false;
        const other = await ports.home.connection.openTable('pets', [], { branch: 'exp' });
        await other.update({ where: 'id = 1', values: { n: 99 } });
      }
      return apply(input, inner);
    };
    await expect(edit([label('x')], { expectedVersion: 1 })).rejects.toMatchObject({ code: 'HEAD_MOVED' });
    isFirst = true;
    expect((await edit([label('x')])).version).toBe(4);
    expect((await rows())[0]).toMatchObject({ label: 'x', n: 99 });
  });
});

describe('hidden keys', () => {
  beforeEach(async () => {
    await makeTable(ports.home, 'notes', {
      _key: { type: 'int64', values: [0n, 1n], nullable: false },
      text: { type: 'utf8', values: ['a', 'b'] },
    });
    for (const name of ['x', 'y'])
      await ports.writer.createBranch(
        { table: 'notes', name, from: { branch: 'main', version: 1 } },
        context,
      );
  });
  const insert = (branch: string, text: string) =>
    editTable(
      ports,
      { table: 'notes', branch, ops: [{ op: 'insert', rows: [{ text }] }], author: 'ann' },
      context,
    );
  const keys = async (branch: string) => {
    const handle = await ports.home.connection.openTable('notes', [], { branch });
    return (await handle.query().toArray()).map(({ _key }) => Number(_key)).sort();
  };

  test('are never given twice, on no branch, nor after a restart', async () => {
    await insert('x', 'on x');
    await insert('y', 'on y');
    ports.reopenStore();
    await insert('x', 'on x again');
    await editTable(
      ports,
      { table: 'notes', branch: 'x', ops: [{ op: 'delete', rows: { keys: [4] } }], author: 'ann' },
      context,
    );
    await insert('x', 'after a delete');
    expect(await keys('x')).toEqual([0, 1, 2, 5]);
    expect(await keys('y')).toEqual([0, 1, 3]);
  });

  test('cannot be chosen', async () => {
    await expect(
      editTable(
        ports,
        {
          table: 'notes',
          branch: 'x',
          ops: [{ op: 'insert', rows: [{ _key: 9, text: 'c' }] }],
          author: 'ann',
        },
        context,
      ),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
