import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobInfo } from '#shared/api/jobs.ts';
import type { TableSummary } from '#shared/api/tables.ts';
import { arrow } from './arrow/arrow.ts';
import { type ServerProcess, startServerProcess } from './testing/server-process.ts';

let home = '';
let files = '';

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'curio-crash-'));
  files = await mkdtemp(join(tmpdir(), 'curio-crash-files-'));
  const rows = arrow.tableToIPC(
    arrow.tableFromArrays({ a: new Float64Array(3_000_000), b: new Float64Array(3_000_000) }),
    'file',
  );
  for (const part of [1, 2, 3]) await writeFile(join(files, `${part}.arrow`), rows);
  await writeFile(join(files, 'small.csv'), 'id\n1\n2\n');
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
  await rm(files, { recursive: true, force: true });
});

const tablesOf = async (server: ServerProcess): Promise<(string | number)[][]> => {
  const { tables } = (await server.get('/api/v1/tables')) as { tables: TableSummary[] };
  return tables.map(({ name, rows }) => [name, rows]);
};

const importFiles = (server: ServerProcess, name: string, paths: string[]) =>
  server.post('/api/v1/tables', { name, sources: paths.map((path) => ({ path: join(files, path) })) });

async function untilDone(server: ServerProcess, response: Response): Promise<void> {
  const { job } = (await response.json()) as { job: { id: string } };
  await (await fetch(`${server.url}/api/v1/jobs/${job.id}/events`)).text();
}

const jobsOf = async (server: ServerProcess) =>
  ((await server.get('/api/v1/jobs')) as { jobs: JobInfo[] }).jobs;

/** What everybody who asks for the job by its id is told: by looking, following and cancelling. */
async function waysToAsk(server: ServerProcess, id: string): Promise<JobInfo[]> {
  const address = `/api/v1/jobs/${id}`;
  const events = await (await fetch(`${server.url}${address}/events`)).text();
  const followed = [...events.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(String(data)));
  const cancelled = await (await fetch(server.url + address, { method: 'DELETE' })).json();
  return [(await server.get(address)) as JobInfo, ...followed, cancelled];
}

const staged = async () => (await readdir(home)).filter((name) => name.startsWith('.importing'));

it('kill -9 in the middle of an import loses nothing that was there, shows nothing of it, leaves nothing behind, and is told', async () => {
  const first = await startServerProcess(home);
  await untilDone(first, await importFiles(first, 'small', ['small.csv']));
  await importFiles(first, 'large', ['1.arrow', '2.arrow', '3.arrow']);
  while ((await staged()).length === 0) await turn();
  expect(await tablesOf(first)).toEqual([['small', 2]]);
  const [running, small] = await jobsOf(first);
  expect([running, small]).toMatchObject([{ state: 'running' }, { state: 'done', result: { rows: 2 } }]);
  await first.kill();
  const second = await startServerProcess(home);
  try {
    expect([await tablesOf(second), await staged()]).toEqual([[['small', 2]], []]);
    const interrupted = {
      ...{ id: running?.id, title: 'Import large', createdAt: running?.createdAt, state: 'failed' },
      error: { code: 'UPSTREAM', detail: expect.stringContaining('stopped'), hint: 'Start it again.' },
    };
    const earlier = await jobsOf(second);
    expect(earlier).toEqual([expect.objectContaining(interrupted), small]);
    for (const job of earlier) expect(await waysToAsk(second, job.id)).toEqual([job, job, job]);
    await untilDone(second, await importFiles(second, 'large', ['1.arrow']));
    expect(await jobsOf(second)).toEqual([expect.objectContaining({ state: 'done' }), ...earlier]);
    expect(await tablesOf(second)).toEqual([
      ['large', 3_000_000],
      ['small', 2],
    ]);
  } finally {
    await second.kill();
  }
});
