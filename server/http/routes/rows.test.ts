import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '#shared/api/problem.ts';
import { arrow } from '../../arrow/arrow.ts';
import { makeArrowTable } from '../../testing/columns.ts';
import { makeForeignTable, makeTable, mediaColumns } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let s: TestServer;
const rowCount = 3_000;
const wideRows = 400_000;

beforeAll(async () => {
  s = await makeTestServer();
  const table = await makeTable(s.home, 'clips', {
    id: {
      type: 'int64',
      values: BigInt64Array.from({ length: rowCount }, (_, i) => BigInt(i)),
      metadata: { 'curio:key': '1' },
    },
    label: { type: 'utf8', values: Array.from({ length: rowCount }, (_, i) => ['cat', 'dog', 'yak'][i % 3]) },
    score: { type: 'float64', values: Float64Array.from({ length: rowCount }, (_, i) => i / 7) },
  });
  await (await table.branches()).create('exp');
  await table.add(
    makeArrowTable({
      id: { type: 'int64', values: [9_007_199_254_740_993n] },
      label: { type: 'utf8', values: ['emu'] },
      score: { type: 'float64', values: [Number.NaN] },
    }),
  );
  await makeTable(s.home, 'media', mediaColumns);
  await makeForeignTable(s.home, 'large', {
    id: { type: 'int64', values: BigInt64Array.from({ length: wideRows }, (_, i) => BigInt(i)) },
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, c) => [
        `f${c}`,
        { type: 'float64', values: new Float64Array(wideRows).fill(c) },
      ]),
    ),
  });
});
afterAll(() => s.close());

const rowsAt = (table: string, query = '') => `/api/v1/tables/${table}/rows${query}`;
const asJson = async (body: object, table = 'clips') => {
  const response = await s.post(rowsAt(table, '?format=json'), body);
  return {
    status: response.status,
    body: (await response.json()) as {
      ref: string;
      total: number;
      scope: string;
      rows: Record<string, unknown>[];
    },
  };
};
const problemOf = async (response: Response): Promise<Problem> => {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  return (await response.json()) as Problem;
};

describe('rows over HTTP', () => {
  it('are one whole Arrow stream with its facts', async () => {
    const response = await s.post(rowsAt('clips'), { limit: 5 });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const table = arrow.tableFromIPC(bytes);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
    ]).toEqual([200, 'application/vnd.apache.arrow.stream', 'no-store']);
    expect([...bytes.subarray(-8)]).toEqual([255, 255, 255, 255, 0, 0, 0, 0]);
    expect(table.numRows).toBe(5);
    expect(Object.fromEntries(table.schema.metadata)).toMatchObject({
      'curio.ref': 'main:2',
      'curio.total': String(rowCount + 1),
      'curio.engine': 'lance',
    });
  });

  it('are the same as JSON', async () => {
    const { body } = await asJson({ offset: rowCount, limit: 5 });
    expect(body).toEqual({
      ref: 'main:2',
      total: rowCount + 1,
      scope: `rows ${rowCount + 1} to ${rowCount + 1} of ${rowCount + 1}`,
      engine: 'lance',
      elapsedMs: expect.any(Number),
      rows: [{ id: '9007199254740993', label: 'emu', score: 'NaN', _rowid: String(rowCount) }],
    });
  });

  it('come from the ref that is named', async () => {
    for (const [ref, pinned, total] of [
      ['main', 'main:2', rowCount + 1],
      ['main:1', 'main:1', rowCount],
      ['exp', 'exp:1', rowCount],
      ['', 'main:2', rowCount + 1],
    ] as const) {
      const { body } = await asJson({ ref, limit: 1 });
      expect([body.ref, body.total]).toEqual([pinned, total]);
    }
  });

  it('are filtered, sorted and cut', async () => {
    const { body } = await asJson({
      columns: ['id'],
      where: "label = 'dog' and id < 100",
      orderBy: [{ column: 'id', desc: true }],
      offset: 2,
      limit: 3,
    });
    expect([body.total, body.rows.map(({ id }) => id)]).toEqual([33, ['91', '88', '85']]);
  });

  it('an empty filter is no filter', async () => {
    for (const where of ['', '  \n'])
      expect((await asJson({ where, limit: 1 })).body.total).toBe(rowCount + 1);
  });

  it('of a pinned ref are cacheable by GET, and known again', async () => {
    const q = `?q=${encodeURIComponent(JSON.stringify({ ref: 'main:1', limit: 2 }))}`;
    const first = await s.get(rowsAt('clips', q));
    const etag = first.headers.get('etag')!;
    expect(first.headers.get('cache-control')).toMatch(/private/);
    expect(arrow.tableFromIPC(new Uint8Array(await first.arrayBuffer())).numRows).toBe(2);
    const again = await s.get(rowsAt('clips', q), { headers: { 'If-None-Match': etag } });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    const other = await s.get(
      rowsAt('clips', `?q=${encodeURIComponent(JSON.stringify({ ref: 'main:1', limit: 3 }))}`),
    );
    const json = await s.get(`${rowsAt('clips', q)}&format=json`);
    expect(new Set([etag, other.headers.get('etag'), json.headers.get('etag')]).size).toBe(3);
    const moving = await s.get(rowsAt('clips', `?q=${encodeURIComponent(JSON.stringify({ limit: 2 }))}`));
    expect([moving.headers.get('etag'), moving.headers.get('cache-control')]).toEqual([null, 'no-store']);
    await Promise.all([other, json, moving].map((response) => response.arrayBuffer()));
  });

  it('of a table that is made anew under its name are others', async () => {
    await makeTable(s.home, 'again', { n: { type: 'int32', values: [1] } });
    const q = `?q=${encodeURIComponent(JSON.stringify({ ref: 'main:1' }))}&format=json`;
    const before = await s.get(rowsAt('again', q));
    expect((await before.json()).rows).toEqual([{ n: 1, _rowid: '0' }]);
    await s.home.connection.dropTable('again');
    await makeTable(s.home, 'again', { n: { type: 'int32', values: [2] } });
    const after = await s.get(rowsAt('again', q), {
      headers: { 'If-None-Match': before.headers.get('etag')! },
    });
    expect([after.status, (await after.json()).rows]).toEqual([200, [{ n: 2, _rowid: '0' }]]);
  });

  it('never carry the bytes of media', async () => {
    const { body } = await asJson({ limit: 1 }, 'media');
    expect(body.rows[0]!.picture).toEqual({
      kind: 'image',
      sizeBytes: 70,
      contentType: 'image/png',
      hash: expect.any(String),
    });
  });

  it('are counted', async () => {
    const response = await s.post('/api/v1/tables/clips/count', { where: "label = 'cat'", ref: 'main:1' });
    expect(await response.json()).toEqual({ rows: 1_000, ref: { branch: 'main', version: 1 } });
  });
});

describe('bad requests for rows', () => {
  it.each<[string, object, number, string]>([
    ['an unknown field', { rows: 3 }, 400, 'BAD_REQUEST'],
    ['a negative limit', { limit: -1 }, 400, 'BAD_REQUEST'],
    ['a limit that is text', { limit: 'all' }, 400, 'BAD_REQUEST'],
    ['a bad ref', { ref: 'main:zero' }, 400, 'BAD_REQUEST'],
    ['an unknown branch', { ref: 'exq' }, 404, 'NOT_FOUND'],
    ['a version that never was', { ref: 'main:99' }, 404, 'NOT_FOUND'],
    ['an unknown column', { columns: ['lable'] }, 400, 'SQL_BIND'],
    ['an unknown column to sort by', { orderBy: [{ column: 'lable' }] }, 400, 'SQL_BIND'],
    ['an unknown column in the filter', { where: 'lable = 1' }, 400, 'SQL_BIND'],
    ['a syntax error', { where: 'id = ' }, 400, 'SQL_SYNTAX'],
    ['a trailing statement', { where: 'id = 1; drop table clips' }, 400, 'SQL_SYNTAX'],
    ['a wrong type', { where: "score > 'high'" }, 400, 'SQL_BIND'],
    ['3,000 plus signs', { where: `id ${'+ 1 '.repeat(3_000)} > 3` }, 400, 'SQL_SYNTAX'],
  ])('%s', async (_what, body, status, code) => {
    const problem = await problemOf(await s.post(rowsAt('clips'), body));
    expect([problem.status, problem.code]).toEqual([status, code]);
    expect(problem.detail.length).toBeGreaterThan(10);
    expect(problem.requestId).toBeTruthy();
  });

  it('a filter’s problem points at its place', async () => {
    const problem = await problemOf(await s.post(rowsAt('clips'), { where: 'id > 1 and\n  lable = 1' }));
    expect([problem.at, problem.hint]).toEqual([{ line: 2, column: 3 }, expect.stringContaining('label')]);
  });

  it.each([
    ['not JSON', '?q={'],
    ['not a query', '?q=[1]'],
    ['an unknown field', `?q=${encodeURIComponent('{"limt":1}')}`],
  ])('q is %s', async (_what, query) => {
    expect(await problemOf(await s.get(rowsAt('clips', query)))).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      detail: expect.stringContaining('“q”'),
    });
  });

  it('an unknown table has near names', async () => {
    expect(await problemOf(await s.post(rowsAt('clip'), {}))).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      hint: 'Did you mean “clips”?',
    });
  });

  it('a body beyond 32 MB', async () => {
    expect(
      await problemOf(await s.post(rowsAt('clips'), { where: 'x'.repeat(33 * 1024 * 1024) })),
    ).toMatchObject({ status: 413, code: 'TOO_LARGE' });
  });
});

describe('trouble while rows are sent', () => {
  /** Reads the first bytes of a large answer, then goes away. */
  const readAndLeave = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(s.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.once('error', reject).once('data', (data) => {
        socket.destroy();
        resolve(data.length);
      });
      socket.write(`GET ${rowsAt('large')} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    });

  it('a client that goes away stops the engine, and nobody else notices', async () => {
    for (let i = 0; i < 40; i++) expect(await readAndLeave()).toBeGreaterThan(0);
    const bytes = await (await s.get(rowsAt('large'))).arrayBuffer();
    expect(arrow.tableFromIPC(new Uint8Array(bytes)).numRows).toBe(wideRows);
    expect(s.ports.pools.reader.pids()).toHaveLength(1);
  });

  it('large answers carry the same headers as small ones, and break visibly with their engine', async () => {
    const [large, small] = await Promise.all([s.get(rowsAt('large')), s.post(rowsAt('large'), { limit: 1 })]);
    const named = (response: Response) =>
      [...response.headers.keys()]
        .filter((name) => !/^(connection|keep-alive|transfer-encoding|content-length|date)$/.test(name))
        .sort();
    expect(named(large)).toEqual(named(small));
    await small.arrayBuffer();
    for (const pid of s.ports.pools.reader.pids()) process.kill(pid, 'SIGKILL');
    await expect(large.arrayBuffer()).rejects.toThrow();
    while ((await s.post(rowsAt('clips'), { limit: 1 })).status !== 200);
    const head = await s.get(rowsAt('large'), { method: 'HEAD' });
    expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
  });

  it('an engine that dies while it filters fails that request only, and the next one works', async () => {
    await asJson({ where: 'id = 1' });
    const pids = s.ports.pools.filter.pids();
    expect(pids.length).toBeGreaterThan(0);
    const abandoned = s.post(rowsAt('large'), { where: `${'f1 >= 0 and '.repeat(150)}id >= 0` });
    const others = [s.get('/api/v1/session'), s.post(rowsAt('clips'), { limit: 3 })];
    let isOver = false;
    void abandoned.finally(() => {
      isOver = true;
    });
    const killed = (async () => {
      while (!isOver) {
        for (const pid of s.ports.pools.filter.pids()) process.kill(pid, 'SIGKILL');
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const [response, ...rest] = await Promise.all([abandoned, ...others, killed]);
    expect((await problemOf(response)).code).toBe('ENGINE_CRASHED');
    expect(response.status).toBe(503);
    for (const other of rest.slice(0, 2)) expect((other as Response).status).toBe(200);
    await Promise.all(rest.slice(0, 2).map((other) => (other as Response).arrayBuffer()));
    expect((await asJson({ where: 'id = 1' })).body.total).toBe(1);
  });
});

describe('long texts', () => {
  const long = 'ü'.repeat(50_000);
  const made = async (name: string, more: Parameters<typeof makeTable>[2] = {}) =>
    makeTable(s.home, name, {
      id: { type: 'int64', values: [1n, 2n, 3n], metadata: { 'curio:key': '1' } },
      text: { type: 'utf8', values: ['short', long, null] },
      js: { type: 'json', values: [JSON.stringify({ long }), '{}', null] },
      ...more,
    });

  it('come cut where that was asked for, with what was cut; whole without', async () => {
    await made('texts');
    await made('pictured', { tint: { type: 'dictionary<int32, utf8>', values: ['a', 'b', null] } });
    for (const table of ['texts', 'pictured']) {
      const { body } = await asJson({ maxCellBytes: 1001, limit: 10 }, table);
      expect(body.rows[1]).toMatchObject({ id: '2', text: 'ü'.repeat(500), _cut: '{"text":100000}' });
      expect(JSON.parse(String(body.rows[0]!._cut))).toEqual({ js: expect.any(Number) });
      expect(body.rows[2]).toMatchObject({ text: null, _cut: null });
      const whole = await asJson({ limit: 10 }, table);
      expect([whole.body.rows[1]!.text, '_cut' in whole.body.rows[1]!]).toEqual([long, false]);
    }
    const sorted = await asJson({ maxCellBytes: 1000, orderBy: [{ column: 'id', desc: true }] }, 'texts');
    expect(sorted.body.rows[1]).toMatchObject({ id: '2', text: 'ü'.repeat(500) });
    const none = await asJson({ maxCellBytes: 200_000 }, 'texts');
    expect([none.body.rows[1]!.text, '_cut' in none.body.rows[1]!]).toEqual([long, false]);
  });
});
