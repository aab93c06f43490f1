import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setLabel as label, makePets, type Pets } from '../testing/pets.ts';

let ports: Pets['ports'];
let edit: Pets['edit'];
let undo: Pets['undo'];
let restore: Pets['restore'];
let rows: Pets['rows'];
let edits: Pets['edits'];

beforeEach(async () => {
  ({ ports, edit, undo, restore, rows, edits } = await makePets());
});
afterEach(() => ports.close());

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
