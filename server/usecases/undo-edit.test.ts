import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EditOp } from '#shared/domain/edits.ts';
import { setLabel as label, makePets, type Pets } from '../testing/pets.ts';
import { undoEdit } from './undo-edit.ts';

const context = { signal: new AbortController().signal };
let ports: Pets['ports'];
let edit: Pets['edit'];
let undo: Pets['undo'];
let rows: Pets['rows'];
let labels: Pets['labels'];
let edits: Pets['edits'];

beforeEach(async () => {
  ({ ports, edit, undo, rows, labels, edits } = await makePets());
});
afterEach(() => ports.close());

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
