import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EditOp } from '#shared/domain/edits.ts';
import type { MadeColumn } from '../testing/columns.ts';
import { makeTablePorts, type TablePorts } from '../testing/table-ports.ts';
import { makeTable } from '../testing/tables.ts';
import { editTable } from './edit-table.ts';
import { restoreBranch } from './restore-branch.ts';
import { undoEdit } from './undo-edit.ts';

const context = { signal: new AbortController().signal };
let ports: TablePorts;

const columns: Record<string, MadeColumn> = {
  id: { type: 'int64', values: [1n, 2n, 3n, 4n], nullable: false, metadata: { 'curio:key': '1' } },
  label: { type: 'utf8', values: ['cat', 'dog', null, 'cat'] },
  n: { type: 'int32', values: [10, 20, 30, 40] },
  tags: { type: 'list<utf8>', values: [['a'], [], null, ['a', 'b']] },
};

beforeEach(async () => {
  ports = await makeTablePorts();
  await makeTable(ports.home, 'pets', columns);
  await ports.writer.createBranch(
    { table: 'pets', name: 'exp', from: { branch: 'main', version: 1 } },
    context,
  );
});
afterEach(() => ports.close());

const edit = (ops: EditOp[], more: { branch?: string; expectedVersion?: number; message?: string } = {}) =>
  editTable(ports, { table: 'pets', branch: 'exp', ops, author: 'ann', ...more }, context);
const undo = (editId?: string) =>
  undoEdit(ports, { table: 'pets', branch: 'exp', editId, author: 'ann' }, context);
const restore = (ref: string) =>
  restoreBranch(ports, { table: 'pets', branch: 'exp', ref, author: 'ann' }, context);

async function rows(branch = 'exp'): Promise<Record<string, unknown>[]> {
  const handle = await ports.home.connection.openTable('pets', [], branch === 'main' ? {} : { branch });
  const all = (await handle.query().toArray()).map((row) =>
    JSON.parse(JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? Number(value) : value))),
  );
  return all.sort((a, b) => a.id - b.id);
}
const labels = async (branch?: string) => (await rows(branch)).map(({ label }) => label);
const edits = async () => {
  const { uuid, branches } = await ports.reader.readHeads({ table: 'pets' }, context);
  const branch = branches.find(({ name }) => name === 'exp');
  return ports.store.listEdits({ tableUuid: uuid, branch: 'exp', branchCreatedAt: branch?.createdAt ?? '' });
};

const label = (value: string | null, keys: number[] = [1]): EditOp => ({
  op: 'set',
  rows: { keys },
  values: { label: value },
});

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

describe('undo', () => {
  test.each<[string, EditOp[]]>([
    ['cells', [label('lion'), { op: 'setSql', rows: { all: true }, values: { n: 'n + 1' } }]],
    ['tags', [{ op: 'tag', rows: { all: true }, column: 'tags', add: ['z'], remove: ['a'] }]],
    ['inserted rows', [{ op: 'insert', rows: [{ id: 9, label: 'new' }] }]],
    ['deleted rows', [{ op: 'delete', rows: { keys: [1, 4] } }]],
    ['all of it', [label('x'), { op: 'insert', rows: [{ id: 9 }] }, { op: 'delete', rows: { keys: [2] } }]],
    ['an added column', [{ op: 'addColumn', name: 'score', sql: 'n * 2' }]],
    ['a dropped column', [{ op: 'dropColumn', name: 'label' }]],
    ['a renamed column', [{ op: 'renameColumn', name: 'label', to: 'name' }]],
  ])('takes %s back, and undoing that does it again', async (_name, ops) => {
    const before = await rows();
    const edited = await edit(ops);
    const after = await rows();
    const undone = await undo();
    expect(await rows()).toEqual(before);
    const redone = await undo(undone.editId);
    expect(await rows()).toEqual(after);
    expect(new Set([edited.version, undone.version, redone.version]).size).toBe(3);
    await undo(redone.editId);
    expect(await rows()).toEqual(before);
  });

  test('goes back edit by edit, and ends', async () => {
    await edit([label('one')]);
    await edit([label('two')]);
    await edit([label('three')]);
    const seen: unknown[] = [];
    for (let step = 0; step < 3; step++) {
      await undo();
      seen.push((await labels())[0]);
    }
    expect(seen).toEqual(['two', 'one', 'cat']);
    await expect(undo()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'There is nothing to undo on exp of pets.',
    });
    expect((await edits()).slice(0, 3).map(({ message }) => message)).toEqual(
      Array(3).fill('Undid: Set label on 1 row'),
    );
  });

  test('after an undo was undone the edit can be undone again', async () => {
    await edit([label('one')]);
    const undone = await undo();
    await undo(undone.editId);
    await undo();
    expect((await labels())[0]).toBe('cat');
  });

  test('of an earlier edit keeps the later ones', async () => {
    const { editId } = await edit([label('lion', [1])]);
    await edit([label('wolf', [2]), { op: 'set', rows: { keys: [1] }, values: { n: 11 } }]);
    const { changed } = await undo(editId);
    expect(changed).toEqual({ inserted: 0, updated: 1, deleted: 0 });
    expect(await labels()).toEqual(['cat', 'wolf', null, 'cat']);
    expect((await rows())[0]).toMatchObject({ n: 11 });
  });

  test('is refused with the cells that were changed again since', async () => {
    const { editId } = await edit([label('lion', [1, 4])]);
    await edit([label('tiger', [1])]);
    await expect(undo(editId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: '“Set label on 2 rows” cannot be undone: 1 cell was changed again since.',
      issues: [{ path: expect.stringContaining('label'), message: expect.stringContaining('tiger') }],
    });
    expect(await labels()).toEqual(['tiger', 'dog', null, 'lion']);
  });

  test('passes over edits that have nothing left to take back, unless they are named', async () => {
    await edit([label('wolf', [2])]);
    const { editId } = await edit([label('lion', [1])]);
    const other = await ports.home.connection.openTable('pets', [], { branch: 'exp' });
    await other.update({ where: 'id = 1', values: { label: 'cat' } });
    await expect(undo(editId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('nothing left'),
    });
    await undo();
    expect(await labels()).toEqual(['cat', 'dog', null, 'cat']);
    await expect(undo()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'There is nothing to undo on exp of pets.',
    });
  });

  test('of an edit that is undone, of another branch, or that never was', async () => {
    const { editId } = await edit([label('lion')]);
    await undo(editId);
    await expect(undo(editId)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(undo('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await ports.writer.createBranch(
      { table: 'pets', name: 'other', from: { branch: 'exp', version: 3 } },
      context,
    );
    await expect(
      undoEdit(ports, { table: 'pets', branch: 'other', editId, author: 'ann' }, context),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      undoEdit(ports, { table: 'pets', branch: 'other', author: 'ann' }, context),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('restore', () => {
  test('makes the branch as an earlier version of its own, as one version that can be undone', async () => {
    await edit([label('lion')]);
    await edit([
      { op: 'insert', rows: [{ id: 9 }] },
      { op: 'delete', rows: { keys: [2] } },
    ]);
    const before = await rows();
    const restored = await restore('exp:1');
    expect(restored).toEqual({
      version: 4,
      changed: { inserted: 1, updated: 1, deleted: 1 },
      editId: expect.any(String),
    });
    expect(await rows()).toEqual(await rows('main'));
    expect((await edits())[0]).toMatchObject({ kind: 'restore', message: 'Restored exp to exp:1' });
    await undo();
    expect(await rows()).toEqual(before);
  });

  test('makes the branch as another ref', async () => {
    await edit([label('lion'), { op: 'addColumn', name: 'extra', type: 'utf8' }]);
    const { changed } = await restore('main');
    expect(changed).toEqual({ inserted: 0, updated: 1, deleted: 0 });
    expect(await rows()).toEqual(await rows('main'));
  });

  test('of what it is already makes nothing', async () => {
    expect(await restore('exp')).toEqual({
      version: 1,
      changed: { inserted: 0, updated: 0, deleted: 0 },
      editId: '',
    });
    expect(await restore('main')).toMatchObject({ version: 1, editId: '' });
    expect(await edits()).toEqual([]);
  });

  test('of a version that is not there', async () => {
    await expect(restore('exp:99')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
