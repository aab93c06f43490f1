import { mkdir, readdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTable, makeTestHome, type TestHome } from '../../testing/tables.ts';
import { versionOfManifest } from './table-files.ts';
import { mendHome } from './write-mend.ts';

const { signal } = new AbortController();
const longAgo = new Date(Date.now() - 2 * 3600 * 1000);
let home: TestHome;

beforeEach(async () => {
  home = await makeTestHome();
  const table = await makeTable(home, 't', { id: { type: 'int64', values: [1n, 2n] } });
  const branch = await (await table.branches()).create('ann/exp');
  for (const each of [table, branch]) await each.delete('id = 2');
});
afterEach(() => home.remove());

const newestManifest = async (folder: string): Promise<string> => {
  const files = await readdir(join(home.path, folder, '_versions'));
  const newest = files
    .filter((file) => versionOfManifest(file) !== null)
    .sort((a, b) => versionOfManifest(b)! - versionOfManifest(a)!)[0]!;
  return join(home.path, folder, '_versions', newest);
};

const rowsOf = async (branch?: string) =>
  (await home.connection.openTable('t', [], branch ? { branch } : {})).countRows();

test('a whole home is left as it is', async () => {
  expect(await mendHome(home, signal)).toEqual({ removed: [] });
});

test.each([
  ['main', 't.lance', undefined],
  ['a branch', 't.lance/tree/ann/exp', 'ann/exp'],
])(
  'the newest manifest of %s that was never filled is removed, and the version before opens',
  async (_name, folder, branch) => {
    const manifest = await newestManifest(folder);
    await truncate(manifest);
    await utimes(manifest, longAgo, longAgo);
    await expect(rowsOf(branch)).rejects.toThrow();
    const { removed } = await mendHome(home, signal);
    expect(removed).toHaveLength(1);
    expect(await rowsOf(branch)).toBe(2);
  },
);

test('a manifest that another program may be writing, or that is cut off, is not touched', async () => {
  await truncate(await newestManifest('t.lance'));
  const other = await newestManifest('t.lance/tree/ann/exp');
  await truncate(other, 10);
  await utimes(other, longAgo, longAgo);
  expect(await mendHome(home, signal)).toEqual({ removed: [] });
});

test('scraps that a killed write left long ago are removed, newer ones and data are not', async () => {
  const data = join(home.path, 't.lance', 'data');
  const before = await readdir(data);
  for (const name of ['.tmpOld', '.tmpNew']) await writeFile(join(data, name), 'x');
  await mkdir(join(data, '.tmpFolder'));
  for (const name of ['.tmpOld', '.tmpFolder']) await utimes(join(data, name), longAgo, longAgo);
  const { removed } = await mendHome(home, signal);
  expect(removed.sort()).toEqual(['t.lance/data/.tmpFolder', 't.lance/data/.tmpOld']);
  expect((await readdir(data)).sort()).toEqual([...before, '.tmpNew'].sort());
});
