import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EditOp } from '#shared/domain/edits.ts';
import { asColumns, editRows, plainRows, startRows } from '../../testing/edits.ts';
import { makeTable, makeTestHome, type TestHome } from '../../testing/tables.ts';

let home: TestHome;

beforeEach(async () => {
  home = await makeTestHome();
});
afterEach(() => home.remove());

const edit = (table: string, ops: EditOp[], branch?: string) => editRows(home, table, ops, branch);
const rowsOf = (table: string, columns: string[], key?: string) => plainRows(home, table, columns, key);

describe('cost', () => {
  const sizeOf = async (folder: string): Promise<number> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name))),
    );
    return sizes.reduce((sum, { size }) => sum + size, 0);
  };

  test('a label on 100 rows of a table with 6 MB of blobs adds less than 100 KB, however often', async () => {
    const rows = startRows(600);
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
    expect(
      (await rowsOf('b', ['label'])).filter(({ label }) => String(label).startsWith('round')),
    ).toHaveLength(500);
  });

  test('pictures in plain binary columns are not written again either', async () => {
    const rows = startRows(300);
    const picture = (seed: number) => randomBytes(20_000).fill(seed % 251, 0, 1);
    const bytes = { type: 'binary', values: rows.map(({ id }) => picture(id)) };
    await makeTable(home, 'p', { ...asColumns(rows), bytes });
    const before = await sizeOf(home.path);
    const { changed } = await edit('p', [
      { op: 'set', rows: { keys: rows.slice(0, 100).map(({ id }) => id) }, values: { label: 'x' } },
    ]);
    expect(changed.updated).toBe(100);
    expect((await sizeOf(home.path)) - before).toBeLessThan(100_000);
  });

  test('wide rows are merged in smaller parts', async () => {
    const rows = startRows(4900);
    const wide = new Uint8Array(15_000);
    const bytes = { type: 'fixed_size_binary[15000]', values: rows.map(() => wide) };
    await makeTable(home, 'w', { ...asColumns(rows), bytes });
    const { steps } = await edit('w', [{ op: 'set', rows: { all: true }, values: { label: 'x' } }]);
    expect(steps).toBe(2);
    expect((await rowsOf('w', ['label'])).every(({ label }) => label === 'x')).toBe(true);
  });

  test('updates, inserts and deletes of a small table are one version', async () => {
    await makeTable(home, 't', asColumns(startRows(20)));
    const { steps, changed } = await edit('t', [
      { op: 'set', rows: { keys: [3, 6] }, values: { label: 'x' } },
      { op: 'insert', rows: [{ id: 1000 }] },
      { op: 'delete', rows: { keys: [9] } },
    ]);
    expect({ steps, changed }).toEqual({ steps: 1, changed: { inserted: 1, updated: 2, deleted: 1 } });
  });

  test('a larger table gets an index on its key, once', async () => {
    await makeTable(home, 't', asColumns(startRows(6000)));
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
    await makeTable(home, 't', asColumns(startRows(120_000)));
    const { steps, changed } = await edit('t', [
      { op: 'set', rows: { all: true }, values: { label: 'all' } },
    ]);
    expect({ steps, changed }).toEqual({ steps: 3, changed: { inserted: 0, updated: 120_000, deleted: 0 } });
    const handle = await home.connection.openTable('t');
    expect(await handle.countRows("label = 'all'")).toBe(120_000);
    expect(await handle.countRows()).toBe(120_000);
  });
});
