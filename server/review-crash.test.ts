import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Review } from '#shared/api/reviews.ts';
import { type ServerProcess, startServerProcess } from './testing/server-process.ts';
import { makeTable, makeTestHome, type TestHome } from './testing/tables.ts';

let home: TestHome;
const started: ServerProcess[] = [];

const restart = async (failpoint?: string): Promise<ServerProcess> => {
  const server = await startServerProcess(home.path, failpoint);
  started.push(server);
  return server;
};

beforeAll(async () => {
  home = await makeTestHome();
  const ids = Array.from({ length: 20 }, (_, at) => BigInt(at));
  const table = await makeTable(home, 'rows', {
    id: { type: 'int64', values: ids, nullable: false, metadata: { 'curio:key': '1' } },
    label: { type: 'utf8', values: ids.map(() => 'start') },
  });
  for (const branch of ['exp', 'work']) await (await table.branches()).create(branch);
});

afterAll(async () => {
  await Promise.all(started.map((each) => each.kill()));
  await home.remove();
});

const post = async <T>(server: ServerProcess, path: string, body: unknown): Promise<T> => {
  const response = await server.post(`/api/v1${path}`, body);
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as T;
};

const edit = (server: ServerProcess, branch: string, key: number, label: string) =>
  post(server, '/tables/rows/edits', {
    branch,
    ops: [{ op: 'set', rows: { keys: [key] }, values: { label } }],
  });

const scratchBranches = async (): Promise<string[]> =>
  (await readdir(join(home.path, 'rows.lance', '_refs', 'branches'))).filter((file) =>
    file.includes('check-'),
  );

test('a review is merged when its merge landed before the server was killed, and scratch of checks is removed', async () => {
  let server = await restart();
  await edit(server, 'exp', 1, 'cat');
  await edit(server, 'work', 2, 'dog');
  const first = await post<Review>(server, '/reviews', { table: 'rows', from: 'exp', title: 'Cats' });
  const second = await post<Review>(server, '/reviews', { table: 'rows', from: 'work', title: 'Dogs' });
  await server.kill();

  server = await restart('sealGroup:after');
  await expect(server.post(`/api/v1/reviews/${first.id}/merge`, {})).rejects.toThrow();
  await server.ended;

  server = await restart('commit:1');
  const merged = (await server.get(`/api/v1/reviews/${first.id}`)) as Review;
  expect(merged).toMatchObject({
    state: 'merged',
    ended: { by: 'you' },
    refs: { from: first.refs.from, into: first.refs.into, base: first.refs.base },
    changes: { rows: { modified: 1 } },
    timeline: [{ kind: 'opened' }, { kind: 'merged', version: merged.merged?.version }],
  });

  const response = await fetch(`${server.url}/api/v1/tables/rows/checks`, {
    method: 'PUT',
    body: JSON.stringify({ checks: [{ name: 'said', where: "label <> 'start'" }] }),
    headers: { 'Content-Type': 'application/json' },
  });
  expect(response.status).toBe(200);
  await server.post(`/api/v1/reviews/${second.id}/checks`, {}).catch(() => undefined);
  await server.ended;
  expect(await scratchBranches()).toHaveLength(1);

  server = await restart();
  expect(await scratchBranches()).toEqual([]);
  expect(await server.get(`/api/v1/reviews/${second.id}`)).toMatchObject({
    state: 'open',
    checkRun: null,
    checkJob: null,
    blockers: [{ code: 'checks-not-run' }],
  });
}, 120_000);
