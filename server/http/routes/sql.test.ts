import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '#shared/api/problem.ts';
import type { SqlPlan } from '#shared/api/sql.ts';
import { arrowEndMarker, arrowStreamType, wire } from '#shared/api/wire.ts';
import { arrow } from '../../arrow/arrow.ts';
import { everyType, makeTable, mediaColumns } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;

const many = Array.from({ length: 20_000 }, (_, row) => row);

beforeAll(async () => {
  server = await makeTestServer();
  await makeTable(server.home, 'clips', {
    id: { type: 'int64', values: many.map((row) => BigInt(row)), metadata: { 'curio:key': '1' } },
    name: { type: 'utf8', values: many.map((row) => (row % 4 === 0 ? null : `clip ${row}`)) },
    score: { type: 'float64', values: many.map((row) => row / 2) },
  });
  const clips = await server.home.connection.openTable('clips');
  await (await clips.branches()).create('exp');
  await makeTable(server.home, 'media', mediaColumns);
  await makeTable(server.home, 'every', everyType);
});
afterAll(() => server.close());

const post = (path: string, body: unknown, init?: RequestInit) => server.post(path, body, init);
const json = async (sql: string, more: object = {}) =>
  (await post('/api/v1/sql?format=json', { sql, ...more })).json();
const problemOf = async (response: Response): Promise<Problem> => Problem.parse(await response.json());

describe('POST /api/v1/sql', () => {
  test.each([
    ['application/json', '{"sql":', 400, 'BAD_REQUEST'],
    ['text/plain', 'select 1', 415, 'UNSUPPORTED_MEDIA'],
    ['application/sql', 'select 1', 415, 'UNSUPPORTED_MEDIA'],
    ['application/x-www-form-urlencoded', 'sql=select+1', 400, 'BAD_REQUEST'],
  ])('a body of %s that is no JSON', async (type, body, status, code) => {
    const response = await server.get('/api/v1/sql', {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    });
    expect(await problemOf(response)).toMatchObject({ status, code, hint: expect.any(String) });
  });

  test('JSON is read whatever curl calls it', async () => {
    const response = await server.get('/api/v1/sql?format=json', {
      method: 'POST',
      body: '{"sql":"select 1 a"}',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(await response.json()).toMatchObject({ rows: [{ a: 1 }] });
  });

  test('rows as Arrow, with facts and the end marker', async () => {
    const response = await post('/api/v1/sql', {
      sql: 'select id, name from clips where id < 3 order by id',
    });
    expect(response.headers.get('content-type')).toBe(arrowStreamType);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(-8)]).toEqual(arrowEndMarker);
    const table = arrow.tableFromIPC(bytes);
    expect(table.toArray().map((row) => [row?.id, row?.name])).toEqual([
      [0n, null],
      [1n, 'clip 1'],
      [2n, 'clip 2'],
    ]);
    const facts = table.schema.metadata;
    expect(
      Object.fromEntries([wire.ref, wire.total, wire.scope, wire.engine].map((key) => [key, facts.get(key)])),
    ).toEqual({
      [wire.ref]: 'main:1',
      [wire.total]: '3',
      [wire.scope]: 'all',
      [wire.engine]: 'duckdb',
    });
    expect(Number(facts.get(wire.elapsedMs))).toBeGreaterThan(0);
  });

  test('rows as JSON; refs by the name and by the request', async () => {
    expect(await json('select count(*) n from clips')).toMatchObject({
      ref: 'main:1',
      total: 1,
      scope: 'all',
      rows: [{ n: '20000' }],
    });
    expect(await json('select count(*)::int n from "clips@exp"')).toMatchObject({
      ref: expect.stringMatching(/^exp:\d+$/),
      rows: [{ n: 20_000 }],
    });
    expect(await json('select count(*)::int n from clips', { refs: { clips: 'exp' } })).toMatchObject({
      ref: expect.stringMatching(/^exp:/),
    });
    expect(await json('select count(*)::int n from CLIPS')).toMatchObject({ rows: [{ n: 20_000 }] });
    expect(await json('select 1 + $1 n', { params: [1] })).toMatchObject({ ref: null, rows: [{ n: '2' }] });
  });

  test('maxRows cuts and says so', async () => {
    expect(await json('select id from clips', { maxRows: 10 })).toMatchObject({
      scope: 'first 10',
      rows: expect.objectContaining({ length: 10 }),
    });
    const all = await json('select id from clips');
    expect(all).toMatchObject({ scope: 'first 10000', total: 20_000 });
    expect(all.rows).toHaveLength(10_000);
  });

  test('pictures come with their address, after joins too', async () => {
    const { rows } = await json(
      'select b.picture, a.caption from media a join media b using (id) where a.id = 1',
    );
    expect(rows[0]).toMatchObject({
      caption: 'one',
      picture: {
        kind: 'image',
        contentType: 'image/png',
        url: expect.stringMatching(/^\/api\/v1\/tables\/media\/blobs\/picture\/0\?ref=main%3A1&of=/),
      },
    });
    const picture = await server.get(rows[0].picture.url);
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toBe('image/png');
  });

  test('every type of a table arrives', async () => {
    const { rows } = await json('select * from every order by id');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      int64: '-9223372036854775808',
      uint64: '0',
      float16: 1.5,
      utf8: 'a “quote”, \n and 🐈',
      decimal128: '123.456',
      date32: '2024-02-29',
      timestamp_ns: '2024-02-29T00:00:00.123456789',
      list: ['a', null, 'b'],
      struct: { x: 1, y: 'one' },
      vector: [1, 2, 3],
      vector_half: [1, 2],
      dictionary: 'red',
    });
    expect(Object.values(rows[2]).filter((value) => value !== null)).toEqual(['3']);
  });

  test.each<{ name: string; body: unknown; status: number; code: string }>([
    { name: 'no statement', body: {}, status: 400, code: 'BAD_REQUEST' },
    { name: 'a number', body: { sql: 1 }, status: 400, code: 'BAD_REQUEST' },
    { name: 'no rows at most', body: { sql: 'select 1', maxRows: 0 }, status: 400, code: 'BAD_REQUEST' },
    { name: 'an unknown field', body: { sql: 'select 1', more: true }, status: 400, code: 'BAD_REQUEST' },
    { name: 'an empty statement', body: { sql: '' }, status: 400, code: 'SQL_SYNTAX' },
    { name: 'two statements', body: { sql: 'select 1; select 2' }, status: 400, code: 'SQL_SYNTAX' },
    { name: 'half a statement', body: { sql: 'select from' }, status: 400, code: 'SQL_SYNTAX' },
    { name: 'INSERT', body: { sql: 'insert into clips values (1)' }, status: 403, code: 'FORBIDDEN' },
    { name: 'ATTACH', body: { sql: "attach 'x.db'" }, status: 403, code: 'FORBIDDEN' },
    { name: 'COPY', body: { sql: "copy clips to 'x.csv'" }, status: 403, code: 'FORBIDDEN' },
    {
      name: 'read_csv',
      body: { sql: "select * from read_csv('/etc/passwd')" },
      status: 403,
      code: 'FORBIDDEN',
    },
    { name: 'PRAGMA', body: { sql: 'pragma version' }, status: 403, code: 'FORBIDDEN' },
    {
      name: 'a branch that is not there',
      body: { sql: 'select id from clips', refs: { clips: 'nope' } },
      status: 400,
      code: 'SQL_BIND',
    },
    {
      name: 'a version that is not there',
      body: { sql: 'select * from "clips@exp:999"' },
      status: 400,
      code: 'SQL_BIND',
    },
    {
      name: 'a ref that cannot be',
      body: { sql: 'select * from "clips@exp:x"' },
      status: 400,
      code: 'SQL_BIND',
    },
    {
      name: 'deep nesting',
      body: { sql: `select ${'abs('.repeat(5000)}1${')'.repeat(5000)}` },
      status: 400,
      code: 'SQL_SYNTAX',
    },
    {
      name: 'a long chain',
      body: { sql: `select ${'1+'.repeat(200_000)}1` },
      status: 400,
      code: 'SQL_SYNTAX',
    },
    {
      name: 'a long text',
      body: { sql: `select '${'x'.repeat(1_000_001)}'` },
      status: 413,
      code: 'TOO_LARGE',
    },
  ])('$code for $name', async ({ body, status, code }) => {
    const response = await post('/api/v1/sql', body);
    const problem = await problemOf(response);
    expect({ status: response.status, code: problem.code }).toEqual({ status, code });
    expect(JSON.stringify(problem)).not.toContain(server.settings.home);
  });

  test('an unknown table has a place and near names', async () => {
    const problem = await problemOf(await post('/api/v1/sql', { sql: 'select *\n  from clip c' }));
    expect(problem).toMatchObject({
      code: 'SQL_BIND',
      detail: 'There is no table “clip”.',
      hint: 'Did you mean “clips”?',
      at: { line: 2, column: 8 },
    });
    const branch = await problemOf(await post('/api/v1/sql', { sql: 'select * from "clips@exq"' }));
    expect(branch).toMatchObject({
      code: 'SQL_BIND',
      detail: 'The branch exq does not exist.',
      hint: 'Did you mean “exp”?',
      at: { line: 1, column: 15 },
    });
  });

  test('a client that goes away stops the statement, and others go on meanwhile', async () => {
    const controller = new AbortController();
    const long = post(
      '/api/v1/sql',
      { sql: 'select count(*) from clips a, clips b, clips c where a.id * b.id * c.id % 7 = 3' },
      { signal: controller.signal },
    );
    long.catch(() => undefined);
    expect(await json('select 1 a')).toMatchObject({ rows: [{ a: 1 }] });
    controller.abort();
    await expect(long).rejects.toThrow();
    const both = await Promise.all([json('select 2 a'), json('select 3 a')]);
    expect(both.map(({ rows }) => rows[0].a)).toEqual([2, 3]);
  });

  test('an engine that is killed fails only its own statement', async () => {
    const long = post('/api/v1/sql', {
      sql: 'select count(*) from clips a, clips b, clips c where a.id * b.id * c.id % 7 = 3',
    });
    await json('select 1 a');
    const killed = server.ports.pools.sql.pids();
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    expect((await problemOf(await long)).code).toBe('ENGINE_CRASHED');
    const left = () => server.ports.pools.sql.pids().filter((pid) => killed.includes(pid));
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
    expect(await json('select count(*)::int n from clips')).toMatchObject({ rows: [{ n: 20_000 }] });
  });
});

describe('POST /api/v1/sql/plan', () => {
  const plan = async (sql: string, more: object = {}): Promise<SqlPlan> =>
    (await post('/api/v1/sql/plan', { sql, ...more })).json();

  test('tables, columns, rows, bytes and where it runs', async () => {
    const { tables, ...rest } = await plan(
      'select a.name, sum(a.score) s from clips a join "clips@exp" b using (id) group by a.name',
    );
    expect(
      tables.map(({ name, table, ref, columns, rows }) => ({
        name,
        table,
        branch: ref.branch,
        columns,
        rows,
      })),
    ).toEqual([
      { name: 'clips', table: 'clips', branch: 'main', columns: ['id', 'name', 'score'], rows: 20_000 },
      { name: 'clips@exp', table: 'clips', branch: 'exp', columns: ['id'], rows: 20_000 },
    ]);
    expect(rest).toMatchObject({
      engine: 'browser',
      serverOnlyBecause: null,
      columns: [
        { name: 'name', type: 'VARCHAR' },
        { name: 's', type: 'DOUBLE' },
      ],
    });
    expect(rest.bytes).toBe(tables.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(rest.reason).toMatch(/fetch/);
  });

  test('what only the server can run', async () => {
    expect(await plan("select json_extract(name, '$.a') from clips")).toMatchObject({
      engine: 'server',
      reason: expect.stringContaining('json_extract'),
    });
    expect(await plan('select vector_half from every')).toMatchObject({
      engine: 'server',
      reason: expect.stringContaining('half floats'),
    });
  });

  test('errors are those of running it', async () => {
    const problem = await problemOf(await post('/api/v1/sql/plan', { sql: 'select nam from clips' }));
    expect(problem).toMatchObject({
      code: 'SQL_BIND',
      hint: 'Did you mean “name”?',
      at: { line: 1, column: 8 },
    });
    expect((await problemOf(await post('/api/v1/sql/plan', { sql: 'drop table clips' }))).code).toBe(
      'FORBIDDEN',
    );
  });
});

describe('GET /api/v1/sql/export', () => {
  const get = (format: string, q: unknown) =>
    server.get(
      `/api/v1/sql/export?format=${format}&q=${encodeURIComponent(typeof q === 'string' ? q : JSON.stringify(q))}`,
    );

  test('CSV of all rows', async () => {
    const response = await get('csv', {
      sql: `select id, case when id = 1 then 'a "b", c' when id = 2 then '' end t, [id, null] l from clips order by id`,
    });
    expect(response.headers.get('content-disposition')).toContain('result.csv');
    const lines = (await response.text()).split('\r\n');
    expect(lines.slice(0, 4)).toEqual([
      'id,t,l',
      '0,,"[""0"",null]"',
      '1,"a ""b"", c","[""1"",null]"',
      '2,"","[""2"",null]"',
    ]);
    expect(lines).toHaveLength(20_002);
  });

  test('Arrow of all rows', async () => {
    const response = await get('arrow', { sql: 'select id from clips' });
    expect(arrow.tableFromIPC(new Uint8Array(await response.arrayBuffer())).numRows).toBe(20_000);
  });

  test.each([
    ['csv', '{', 'BAD_REQUEST'],
    ['csv', { statement: 'select 1' }, 'BAD_REQUEST'],
    ['xlsx', { sql: 'select 1' }, 'BAD_REQUEST'],
    ['csv', { sql: 'select nope from clips' }, 'SQL_BIND'],
  ])('%s of %j is a problem', async (format, q, code) => {
    expect((await problemOf(await get(format, q))).code).toBe(code);
  });
});

describe('POST /api/v1/sql/check', () => {
  const check = async (body: object) => (await post('/api/v1/sql/check', body)).json();

  test('the plan of a good statement', async () => {
    expect(await check({ sql: 'select name from clips' })).toMatchObject({
      problem: null,
      plan: { tables: [{ name: 'clips', columns: ['name'] }], columns: [{ name: 'name' }] },
    });
  });

  test('what is wrong with another, at its place', async () => {
    expect(await check({ sql: 'select nam from clips' })).toMatchObject({
      plan: null,
      problem: { code: 'SQL_BIND', at: { line: 1, column: 8 } },
    });
  });
});

describe('statements that wait for an engine', () => {
  const endless = 'SELECT count(*) AS n FROM range(10000000000) a, range(1000000) b';
  const activity = async (runId: string) =>
    (await server.get(`/api/v1/sql/activity?runId=${runId}`)).json() as Promise<{
      engines: number;
      running: number;
      waiting: number;
      run: string | null;
    }>;
  const until = async (runId: string, state: string | null): Promise<void> => {
    for (;;) {
      if ((await activity(runId)).run === state) return;
    }
  };

  test('the third says that it waits, runs when one is cancelled, and is forgotten at the end', async () => {
    const leave = [new AbortController(), new AbortController()];
    const runs = leave.map(({ signal }, index) =>
      post('/api/v1/sql', { sql: endless, runId: `long-${index}` }, { signal }).catch(() => null),
    );
    await Promise.all([until('long-0', 'running'), until('long-1', 'running')]);
    const third = post('/api/v1/sql?format=json', { sql: 'SELECT 3 AS n', runId: 'third' });
    await until('third', 'waiting');
    expect(await activity('third')).toEqual({ engines: 2, running: 2, waiting: 1, run: 'waiting' });
    leave[0]?.abort();
    expect(await (await third).json()).toMatchObject({ rows: [{ n: 3 }] });
    leave[1]?.abort();
    await Promise.all(runs);
    await until('long-1', null);
    expect(await activity('third')).toMatchObject({ waiting: 0, run: null });
  });

  test('large results come whole, also at once, and their runs are over with the last byte or when they are left', async () => {
    const sql = `SELECT range AS i, repeat('x', 1000) AS t FROM range(30000)`;
    const large = (runId: string, signal?: AbortSignal) =>
      post('/api/v1/sql', { sql, runId }, signal ? { signal } : {});
    const whole = await Promise.all(['large-0', 'large-1', 'large-2'].map((runId) => large(runId)));
    for (const response of whole) {
      const table = arrow.tableFromIPC(new Uint8Array(await response.arrayBuffer()));
      expect(table.numRows).toBe(30_000);
      expect(table.get(29_999)?.toJSON()).toEqual({ i: 29_999n, t: 'x'.repeat(1000) });
    }
    const left = new AbortController();
    const reader = (await large('left', left.signal)).body?.getReader();
    await reader?.read();
    expect((await activity('left')).run).toBe('running');
    left.abort();
    for (const runId of ['large-0', 'large-1', 'large-2', 'left']) await until(runId, null);
    expect(await activity('left')).toMatchObject({ running: 0, waiting: 0 });
  });
});

test('rows of a long statement come while it goes on', async () => {
  const slow =
    'SELECT i, (SELECT count(*) FROM range(200000000) b WHERE b.range % (i + 2) = 0) AS n FROM range(1) t(i) UNION ALL SELECT range, range FROM range(100000000000)';
  const response = await post('/api/v1/sql', { sql: slow, maxRows: 10_000_000 });
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(value?.byteLength).toBeGreaterThan(0);
  await reader?.cancel();
});
