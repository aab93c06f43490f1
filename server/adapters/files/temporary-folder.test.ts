import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer } from '../../testing/test-server.ts';
import { openTemporaryFolder } from './temporary-folder.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'curio-temporary-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

test('what a killed server left is removed, what others use is not', async () => {
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  await mkdir(join(parent, `${gone}-abc`, '.tmpX'), { recursive: true });
  await writeFile(join(parent, `${gone}-abc`, '.tmpX', 'spill'), 'x');
  await mkdir(join(parent, `${process.ppid}-used`));
  await mkdir(join(parent, 'notes'));
  const folder = openTemporaryFolder(parent);
  expect((await readdir(parent)).sort()).toEqual(
    [`${process.ppid}-used`, 'notes', folder.path.slice(parent.length + 1)].sort(),
  );
  await writeFile(join(folder.path, 'spill'), 'x');
  folder.remove();
  folder.remove();
  expect((await readdir(parent)).sort()).toEqual([`${process.ppid}-used`, 'notes'].sort());
});

test('engines put aside there what they need, and nothing of it stays', async () => {
  const cache = join(parent, 'cache');
  const server = await makeTestServer({ cache });
  const temporary = join(cache, 'tmp');
  await makeTable(server.home, 'pets', { id: { type: 'int64', values: [1n, 2n] } });
  expect((await server.post('/api/v1/tables/pets/count', { where: 'id > 1' })).status).toBe(200);
  const [own = ''] = await readdir(temporary);
  expect(own.startsWith(`${process.pid}-`)).toBe(true);
  expect(await readdir(join(temporary, own))).not.toEqual([]);
  await server.close();
  expect(await readdir(temporary)).toEqual([]);
});
