import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobInfo } from '#shared/api/jobs.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import { makeTestServer, type TestServer } from '../testing/test-server.ts';
import { demoTables } from './demo-tables.ts';
import { makeDemoTables } from './make-demo.ts';

const never = new AbortController().signal;
const small = demoTables.filter(({ name }) => name !== 'flights');
let server: TestServer;

beforeAll(async () => {
  server = await makeTestServer();
});
afterAll(() => server.close());

async function makeDemo(): Promise<JobInfo[]> {
  const before = new Set(server.ports.jobs.list().map(({ id }) => id));
  await makeDemoTables(server.ports, { signal: never }, small);
  const started = server.ports.jobs.list().filter(({ id }) => !before.has(id));
  return Promise.all(
    started.map(async ({ id }) => {
      let last: JobInfo | null = null;
      for await (const job of server.ports.jobs.follow(id, never)) last = job;
      return last!;
    }),
  );
}

const detailOf = async (table: string): Promise<TableDetail> =>
  (await (await server.get(`/api/v1/tables/${table}`)).json()) as TableDetail;

it('makes the tables once, with keys, roles and credits, and leaves them alone from then on', async () => {
  const jobs = await makeDemo();
  expect(jobs.map(({ title, state }) => [title, state]).sort()).toEqual([
    ['Import clips', 'done'],
    ['Import openmoji', 'done'],
    ['Import wonders', 'done'],
  ]);
  const [wonders, clips, openmoji] = (await Promise.all(['wonders', 'clips', 'openmoji'].map(detailOf))) as [
    TableDetail,
    TableDetail,
    TableDetail,
  ];
  expect([wonders.rows, clips.rows, openmoji.rows]).toEqual([218, 8, 2328]);
  expect([wonders.key, clips.key, openmoji.key]).toEqual([['id'], ['id'], ['id']]);
  for (const table of [wonders, clips, openmoji]) {
    const wanted = small.find(({ name }) => name === table.name)!;
    expect(table.description).toBe(wanted.description);
    expect(table.columns.map(({ name, role, description }) => ({ name, role, description }))).toEqual(
      wanted.columns
        .filter(({ drop }) => !drop)
        .map(({ from, name, role, description }) => ({ name: name ?? from, role, description })),
    );
  }
  expect(Object.fromEntries(wonders.columns.map(({ name, type }) => [name, type]))).toMatchObject({
    image: 'blob',
    taken: 'timestamp[us]',
    iso: 'int32',
    f_number: 'float64',
    image_vector: 'fixed_size_list<float32>[1280]',
    text_vector: 'fixed_size_list<float32>[512]',
  });
  expect(await makeDemo()).toEqual([]);
  await server.get('/api/v1/tables/clips', { method: 'DELETE' });
  await server.get('/api/v1/trash/clips', { method: 'DELETE' });
  expect(await makeDemo()).toEqual([]);
});
