import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobInfo } from '#shared/api/jobs.ts';
import { Problem } from '#shared/api/problem.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let folder = '';

beforeAll(async () => {
  server = await makeTestServer();
  folder = await mkdtemp(join(tmpdir(), 'curio-sources-'));
  await writeFile(join(folder, 'a.csv'), 'id,name\n1,ann\n2,bob\n');
  await writeFile(join(folder, 'b.csv'), 'id,name\n3,cy\n');
  await writeFile(join(folder, 'bad.csv'), 'id,name\n1,ann\n2\n');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const send = async (response: Response): Promise<{ status: number; body: unknown }> => {
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
};

const importJson = (body: unknown) => server.post('/api/v1/tables', body).then(send);

const importForm = (parts: [string, string | File][]) => {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value as string);
  return server.get('/api/v1/tables', { method: 'POST', body: form }).then(send);
};

const file = (name: string, content: string | Uint8Array): File => new File([content as BlobPart], name);

async function ended({ status, body }: { status: number; body: unknown }): Promise<JobInfo> {
  expect([status, body]).toEqual([202, { job: { id: expect.any(String) } }]);
  const response = await server.get(`/api/v1/jobs/${(body as { job: { id: string } }).job.id}/events`);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const events = (await response.text())
    .trim()
    .split('\n\n')
    .map((event) => JobInfo.parse(JSON.parse(event.replace(/^data: /, ''))));
  return events.at(-1)!;
}

const problemOf = ({ status, body }: { status: number; body: unknown }) => {
  const { code, detail } = Problem.parse(body);
  return { status, code, detail };
};

const rowsOf = async (table: string): Promise<Record<string, unknown>[]> => {
  const response = await server.post(`/api/v1/tables/${table}/rows?format=json`, {});
  return ((await response.json()) as { rows: Record<string, unknown>[] }).rows;
};

describe('POST /api/v1/tables with JSON', () => {
  it('imports a path as a job, with a history', async () => {
    const job = await ended(
      await importJson({ name: 'people', key: 'id', sources: [{ path: join(folder, 'a.csv') }] }),
    );
    expect(job).toMatchObject({
      kind: 'import',
      title: 'Import people',
      state: 'done',
      done: 2,
      total: 2,
      unit: 'rows',
      result: { table: 'people', rows: 2, notices: [] },
    });
    expect(await rowsOf('people')).toMatchObject([
      { id: '1', name: 'ann' },
      { id: '2', name: 'bob' },
    ]);
    const edits = server.ports.store.listEdits({
      tableUuid: (
        await server.ports.reader.readHeads({ table: 'people' }, { signal: new AbortController().signal })
      ).uuid,
      branch: 'main',
      branchCreatedAt: '',
    });
    expect(edits).toMatchObject([
      {
        kind: 'import',
        author: 'you',
        message: 'Imported a.csv',
        changed: { inserted: 2, updated: 0, deleted: 0 },
      },
    ]);
  });

  it('imports what a glob matches', async () => {
    const job = await ended(
      await importJson({ name: 'globbed', sources: [{ path: join(folder, '[ab].csv') }] }),
    );
    expect(job.result).toMatchObject({ rows: 3 });
  });

  it('fails as a job that names file and line, and leaves nothing', async () => {
    const job = await ended(
      await importJson({ name: 'broken', sources: [{ path: join(folder, 'bad.csv') }] }),
    );
    expect(job).toMatchObject({
      state: 'failed',
      error: {
        code: 'INVALID_FILE',
        detail: expect.stringMatching(/bad\.csv, line 3: 1 value where the first line has 2\.$/),
        hint: expect.any(String),
      },
    });
    expect(
      (await readdir(server.settings.home)).filter(
        (name) => name.includes('broken') || name.startsWith('.importing'),
      ),
    ).toEqual([]);
    expect(
      (await ended(await importJson({ name: 'broken', sources: [{ path: join(folder, 'a.csv') }] }))).state,
    ).toBe('done');
  });

  it.each([
    ['a name that cannot be', { name: 'a/b', sources: [{ path: 'x' }] }, 400, 'BAD_REQUEST'],
    ['a name that begins with a dot', { name: '.hidden', sources: [{ path: 'x' }] }, 400, 'BAD_REQUEST'],
    ['no sources', { name: 'x', sources: [] }, 400, 'BAD_REQUEST'],
    ['an unknown field', { name: 'x', sources: [{ path: 'x' }], extra: 1 }, 400, 'BAD_REQUEST'],
    ['a source of two kinds', { name: 'x', sources: [{ path: 'x', url: 'y' }] }, 400, 'BAD_REQUEST'],
    [
      'an unknown format',
      { name: 'x', sources: [{ path: 'x' }], options: { format: 'xlsx' } },
      400,
      'BAD_REQUEST',
    ],
    ['a path that is not there', { name: 'x', sources: [{ path: 'no/such/file.csv' }] }, 404, 'NOT_FOUND'],
    ['a glob without matches', { name: 'x', sources: [{ path: 'no/such/*.csv' }] }, 404, 'NOT_FOUND'],
    ['another scheme', { name: 'x', sources: [{ url: 'file:///etc/passwd' }] }, 400, 'BAD_REQUEST'],
    [
      'an upload that is not there',
      { name: 'x', sources: [{ upload: '../../etc/passwd' }] },
      404,
      'NOT_FOUND',
    ],
  ])('refuses %s before a job starts', async (_name, body, status, code) => {
    const jobs = server.ports.jobs.list().length;
    expect(problemOf(await importJson(body))).toMatchObject({ status, code });
    expect(server.ports.jobs.list()).toHaveLength(jobs);
  });

  it('refuses a body that is no JSON', async () => {
    const response = await server.get('/api/v1/tables', {
      method: 'POST',
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(problemOf(await send(response))).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      detail: 'The body is not JSON.',
    });
  });

  it('refuses a name that is taken: by a table, by a running import, by the trash', async () => {
    const again = { name: 'people', sources: [{ path: join(folder, 'a.csv') }] };
    expect(problemOf(await importJson(again))).toMatchObject({
      status: 409,
      code: 'EXISTS',
      detail: 'There is a table people already.',
    });
    expect(problemOf(await importJson({ ...again, name: 'People' }))).toMatchObject({ code: 'EXISTS' });
    const body = { name: 'twice', sources: [{ path: join(folder, 'a.csv') }] };
    const first = await importJson(body);
    expect(problemOf(await importJson(body))).toMatchObject({ status: 409, code: 'EXISTS' });
    expect((await ended(first)).state).toBe('done');
    await server.get('/api/v1/tables/twice', { method: 'DELETE' });
    expect(problemOf(await importJson(body))).toMatchObject({
      status: 409,
      code: 'EXISTS',
      detail: 'There is a table twice in the trash.',
    });
  });

  it('does not fetch from this machine', async () => {
    const job = await ended(await importJson({ name: 'loop', sources: [{ url: `${server.url}/healthz` }] }));
    expect(job).toMatchObject({ state: 'failed', error: { code: 'FORBIDDEN' } });
  });
});

describe('POST /api/v1/tables with a form', () => {
  it('imports files that were sent, and keeps none of them', async () => {
    const job = await ended(
      await importForm([
        ['name', 'sent'],
        ['key', 'id'],
        ['file', file('a.csv', 'id,x\n1,a\n')],
        ['file', file('b.csv', 'x,id\nb,2\n')],
      ]),
    );
    expect(job.result).toMatchObject({ rows: 2 });
    expect(await rowsOf('sent')).toMatchObject([
      { id: '1', x: 'a' },
      { id: '2', x: 'b' },
    ]);
    expect(await readdir(join(server.settings.state, 'uploads'))).toEqual([]);
  });

  it('imports a folder of media with its metadata, by the paths of the parts', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
    const parts: [string, File][] = [
      ['file', file('pictures/one/a.svg', svg)],
      ['file', file('pictures/b.svg', svg)],
      ['file', file('pictures/metadata.csv', 'file,label\none/a.svg,first\nb.svg,second\n')],
    ];
    const job = await ended(
      await importForm([['name', 'pictures'], ['options', '{"description":"Drawings."}'], ...parts]),
    );
    expect(job).toMatchObject({ state: 'done', result: { rows: 2 } });
    expect(await rowsOf('pictures')).toMatchObject([
      { path: 'one/a.svg', label: 'first', media: { kind: 'image', sizeBytes: svg.length } },
      { path: 'b.svg', label: 'second', content_type: 'image/svg+xml' },
    ]);
  });

  it('keeps names inside of its own folder', async () => {
    const job = await ended(
      await importForm([
        ['name', 'climb'],
        ['file', file('../../../climb.csv', 'a\n1\n')],
      ]),
    );
    expect(job.state).toBe('done');
    expect(await readdir(server.settings.home)).not.toContain('climb.csv');
  });

  it.each([
    ['no name', [['file', 'a.csv']], 400, 'BAD_REQUEST'],
    ['no file', [['name', 'x']], 400, 'BAD_REQUEST'],
    [
      'a taken name',
      [
        ['name', 'people'],
        ['file', 'a.csv'],
      ],
      409,
      'EXISTS',
    ],
    [
      'a bad name',
      [
        ['name', '../x'],
        ['file', 'a.csv'],
      ],
      400,
      'BAD_REQUEST',
    ],
    [
      'options that are no JSON',
      [
        ['name', 'x'],
        ['options', '{'],
        ['file', 'a.csv'],
      ],
      400,
      'BAD_REQUEST',
    ],
    [
      'unknown options',
      [
        ['name', 'x'],
        ['options', '{"formt":"csv"}'],
        ['file', 'a.csv'],
      ],
      400,
      'BAD_REQUEST',
    ],
  ] as const)('refuses %s, and keeps nothing', async (_name, parts, status, code) => {
    const form = parts.map(([name, value]): [string, string | File] => [
      name,
      name === 'file' ? file(value, 'id\n1\n') : value,
    ]);
    expect(problemOf(await importForm(form))).toMatchObject({ status, code });
    expect(await readdir(join(server.settings.state, 'uploads')).catch(() => [])).toEqual([]);
  });

  it('refuses a form that is cut off', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const response = await server.get('/api/v1/tables', {
      method: 'POST',
      headers,
      body: '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\ncut',
    });
    expect(problemOf(await send(response))).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });
});

describe('uploads', () => {
  it('keeps files to be imported by their ids', async () => {
    const form = new FormData();
    form.append('file', file('a.csv', 'id\n1\n'));
    form.append('file', file('b.csv', 'id\n2\n'));
    const { status, body } = await send(await server.get('/api/v1/uploads', { method: 'POST', body: form }));
    const { uploads } = body as { uploads: { id: string; name: string; sizeBytes: number }[] };
    expect([status, uploads.map(({ name, sizeBytes }) => ({ name, sizeBytes }))]).toEqual([
      201,
      [
        { name: 'a.csv', sizeBytes: 5 },
        { name: 'b.csv', sizeBytes: 5 },
      ],
    ]);
    const job = await ended(
      await importJson({ name: 'uploaded', key: 'id', sources: uploads.map(({ id }) => ({ upload: id })) }),
    );
    expect(job.result).toMatchObject({ rows: 2 });
  });
});

describe('the trash', () => {
  it('hides a table, gives it back, and deletes it for good', async () => {
    await ended(await importJson({ name: 'leaving', sources: [{ path: join(folder, 'a.csv') }] }));
    const listed = async () =>
      ((await (await server.get('/api/v1/tables')).json()) as { tables: { name: string }[] }).tables.map(
        ({ name }) => name,
      );
    const trashed = async () =>
      (
        (await (await server.get('/api/v1/trash')).json()) as {
          tables: { name: string; deletedAt: string }[];
        }
      ).tables;
    expect((await server.get('/api/v1/trash/leaving', { method: 'DELETE' })).status).toBe(404);
    expect((await server.get('/api/v1/tables/leaving', { method: 'DELETE' })).status).toBe(204);
    expect(await listed()).not.toContain('leaving');
    expect(await trashed()).toContainEqual({ name: 'leaving', deletedAt: expect.stringMatching(/^\d{4}-/) });
    expect(problemOf(await send(await server.get('/api/v1/tables/leaving')))).toMatchObject({
      status: 410,
      code: 'GONE',
    });
    expect(
      problemOf(await send(await server.get('/api/v1/tables/leaving', { method: 'DELETE' }))),
    ).toMatchObject({ status: 410 });
    expect((await server.get('/api/v1/trash/leaving/restore', { method: 'POST' })).status).toBe(204);
    expect(await listed()).toContain('leaving');
    expect((await server.get('/api/v1/trash/leaving/restore', { method: 'POST' })).status).toBe(404);
    await server.get('/api/v1/tables/leaving', { method: 'DELETE' });
    expect((await server.get('/api/v1/trash/leaving', { method: 'DELETE' })).status).toBe(204);
    expect([
      await trashed(),
      (await readdir(server.settings.home)).filter(
        (name) => name.includes('leaving') || name.startsWith('.importing'),
      ),
    ]).toEqual([expect.not.arrayContaining([expect.objectContaining({ name: 'leaving' })]), []]);
    expect(
      (await ended(await importJson({ name: 'leaving', sources: [{ path: join(folder, 'b.csv') }] }))).result,
    ).toMatchObject({ rows: 1 });
    expect(await rowsOf('leaving')).toHaveLength(1);
  });

  it('takes what is broken, and frees its name', async () => {
    const shell = join(server.settings.home, 'shell.lance');
    await mkdir(shell);
    expect(problemOf(await send(await server.get('/api/v1/tables/shell')))).toMatchObject({
      status: 422,
      code: 'INVALID_FILE',
    });
    expect((await server.get('/api/v1/tables/shell', { method: 'DELETE' })).status).toBe(204);
    expect((await server.get('/api/v1/trash/shell', { method: 'DELETE' })).status).toBe(204);
    expect(await readdir(server.settings.home)).not.toContain('shell.lance');
  });

  it('knows no other tables', async () => {
    expect((await server.get('/api/v1/tables/nope', { method: 'DELETE' })).status).toBe(404);
    expect((await server.get('/api/v1/trash/nope', { method: 'DELETE' })).status).toBe(404);
  });
});

describe('jobs', () => {
  it('answers 404 for jobs that it does not know', async () => {
    for (const [path, method] of [
      ['/api/v1/jobs/none', 'GET'],
      ['/api/v1/jobs/none/events', 'GET'],
      ['/api/v1/jobs/none', 'DELETE'],
    ] as const)
      expect(problemOf(await send(await server.get(path, { method })))).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
      });
  });

  it('lists, shows and cancels', async () => {
    const many = Array.from({ length: 300_000 }, (_, row) => `${row},${'x'.repeat(50)}`).join('\n');
    await mkdir(join(folder, 'many'), { recursive: true });
    for (const part of [1, 2, 3]) await writeFile(join(folder, 'many', `${part}.csv`), `id,t\n${many}\n`);
    const { body } = await importJson({ name: 'cancelled', sources: [{ path: join(folder, 'many') }] });
    const { id } = (body as { job: { id: string } }).job;
    const { jobs } = (await (await server.get('/api/v1/jobs')).json()) as { jobs: JobInfo[] };
    expect(jobs[0]).toMatchObject({ id, kind: 'import' });
    expect(JobInfo.parse(await (await server.get(`/api/v1/jobs/${id}`)).json()).id).toBe(id);
    expect((await server.get(`/api/v1/jobs/${id}`, { method: 'DELETE' })).status).toBe(200);
    const last = await ended({ status: 202, body: { job: { id } } });
    expect(last.state).toBe('cancelled');
    expect(
      JobInfo.parse(await (await server.get(`/api/v1/jobs/${id}`, { method: 'DELETE' })).json()),
    ).toEqual(last);
    expect(
      (await readdir(server.settings.home)).filter(
        (name) => name.includes('cancelled') || name.startsWith('.importing'),
      ),
    ).toEqual([]);
  });
});
