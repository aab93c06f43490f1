import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '#shared/api/problem.ts';
import type { ImportOutcome, SavedQuery } from '#shared/api/queries.ts';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await makeTestServer();
  await makeTable(server.home, 'clips', {
    id: { type: 'int64', values: [1n, 2n, 3n], metadata: { 'curio:key': '1' } },
    label: { type: 'utf8', values: ['cat', 'dog', null] },
  });
});
afterAll(() => server.close());

const send = (method: string, path: string, body?: unknown) =>
  server.get(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
const saved = async (response: Response, status = 200): Promise<SavedQuery> => {
  expect([response.status, response.status === status ? null : await response.text()]).toEqual([
    status,
    null,
  ]);
  return (await response.json()) as SavedQuery;
};
const problem = async (response: Response): Promise<Problem> => Problem.parse(await response.json());
const create = async (body: unknown) => saved(await send('POST', '/api/v1/queries', body), 201);
const edit = async (branch: string, label: string): Promise<void> => {
  const ops = [{ op: 'set', rows: { keys: [1] }, values: { label } }];
  const response = await send('POST', '/api/v1/tables/clips/edits', { branch, ops });
  expect(response.status).toBe(200);
};
const rowsOf = async (sql: string, refs: Record<string, string>) =>
  send('POST', '/api/v1/sql?format=json', { sql, refs });
const pinBranches = async (): Promise<string[]> => {
  const clips = await server.home.connection.openTable('clips');
  return Object.keys(await (await clips.branches()).list()).filter((name) => name.startsWith('curio-pin/'));
};

describe('saved queries', () => {
  test('save, list, find, change, look back, delete, bring back', async () => {
    const made = await create({
      name: 'Cats',
      sql: "SELECT * FROM clips WHERE label = 'cat'",
      description: 'All of them',
    });
    expect(made).toMatchObject({
      revision: 1,
      refs: { clips: 'main:1' },
      visibility: 'shared',
      origin: null,
      history: [],
    });

    const changed = await saved(
      await send('PUT', `/api/v1/queries/${made.id}`, {
        name: 'Cats and dogs',
        sql: "SELECT * FROM clips WHERE label IN ('cat', 'dog')",
        refs: made.refs,
        revision: 1,
      }),
    );
    expect(changed).toMatchObject({ revision: 2, name: 'Cats and dogs', description: '' });
    expect(changed.history).toEqual([
      {
        revision: 1,
        at: made.at,
        author: 'you',
        name: 'Cats',
        sql: made.sql,
        refs: { clips: 'main:1' },
        description: 'All of them',
        visibility: 'shared',
        params: [],
      },
    ]);
    const same = await saved(
      await send('PUT', `/api/v1/queries/${made.id}`, {
        name: changed.name,
        sql: changed.sql,
        refs: changed.refs,
      }),
    );
    expect(same.revision).toBe(2);
    const { name, sql, refs } = changed;
    const body = { name, sql, refs, charts: { '': 'bar;x:label' } };
    const drawn = await saved(await send('PUT', `/api/v1/queries/${made.id}`, body));
    expect([drawn.revision, drawn.charts]).toEqual([3, body.charts]);
    const plain = await saved(await send('PUT', `/api/v1/queries/${made.id}`, { name, sql, refs }));
    expect([plain.revision, plain.charts, plain.history[0]?.charts]).toEqual([4, undefined, body.charts]);

    const late = await send('PUT', `/api/v1/queries/${made.id}`, { name: 'x', sql: 'SELECT 1', revision: 1 });
    expect(await problem(late)).toMatchObject({ status: 409, code: 'CONFLICT' });

    const find = async (query: string) => {
      const { queries } = (await (await server.get(`/api/v1/queries${query}`)).json()) as {
        queries: SavedQuery[];
      };
      return queries.map(({ name }) => name);
    };
    expect(await find('?q=DOG%20label')).toEqual(['Cats and dogs']);
    expect(await find('?q=zebra')).toEqual([]);
    expect(await find('?table=clips')).toEqual(['Cats and dogs']);
    expect(await find('?table=others')).toEqual([]);
    expect(await find('?table=constructor')).toEqual([]);

    expect((await send('DELETE', `/api/v1/queries/${made.id}`)).status).toBe(204);
    expect(await find('')).toEqual([]);
    expect(await problem(await server.get(`/api/v1/queries/${made.id}`))).toMatchObject({
      status: 410,
      hint: expect.stringContaining('restored'),
    });
    const back = await saved(await send('POST', `/api/v1/queries/${made.id}/restore`));
    expect(back).toMatchObject({ name: 'Cats and dogs', revision: 4 });
    await send('DELETE', `/api/v1/queries/${made.id}`);
  });

  test('a fork knows its origin; a name is there once', async () => {
    const made = await create({ name: 'Origin', sql: 'SELECT 1 AS one' });
    const fork = await create({ name: 'Fork', sql: 'SELECT 2 AS two', origin: made.id });
    expect(fork.origin).toEqual({ id: made.id, name: 'Origin', revision: 1 });
    expect(
      await problem(await send('POST', '/api/v1/queries', { name: 'ORIGIN', sql: 'SELECT 3' })),
    ).toMatchObject({
      status: 409,
      code: 'EXISTS',
    });
  });

  test.each<[string, object, string]>([
    ['no text', { name: 'x' }, 'BAD_REQUEST'],
    ['two texts', { name: 'x', sql: 'SELECT 1', view: { table: 'clips', query: '' } }, 'BAD_REQUEST'],
    ['no name', { name: '  ', sql: 'SELECT 1' }, 'BAD_REQUEST'],
    ['a name of two lines', { name: 'a\nb', sql: 'SELECT 1' }, 'BAD_REQUEST'],
    ['an unknown field', { name: 'x', sql: 'SELECT 1', colour: 'red' }, 'BAD_REQUEST'],
    ['a ref of no table', { name: 'x', sql: 'SELECT * FROM clips', refs: { clip: 'main' } }, 'BAD_REQUEST'],
    ['a view of no table', { name: 'x', view: { table: 'nothing', query: '' } }, 'NOT_FOUND'],
    ['a fork of nothing', { name: 'x', sql: 'SELECT 1', origin: 'nobody' }, 'NOT_FOUND'],
    [
      'a bad parameter',
      { name: 'x', sql: 'SELECT 1', params: [{ name: 'a b', type: 'text', value: '' }] },
      'BAD_REQUEST',
    ],
  ])('refuses %s', async (_what, body, code) => {
    expect((await problem(await send('POST', '/api/v1/queries', body))).code).toBe(code);
  });

  test('a text that is not right yet can be saved', async () => {
    const made = await create({ name: 'Half', sql: 'SELECT FROM WHERE' });
    expect(made.refs).toEqual({});
  });

  test('cells of a notebook are read each for itself', async () => {
    const sql = '-- %% big\nSELECT * FROM clips WHERE id > $least\n-- %% n\nSELECT count(*) AS n FROM big';
    expect((await create({ name: 'Cells', sql })).refs).toEqual({ clips: 'main:1' });
  });

  test('a view is saved at its version', async () => {
    const view = { table: 'clips', query: '?where=label+%3D+%27cat%27&sort=id%3Adesc' };
    expect(await create({ name: 'A view', view })).toMatchObject({ view, refs: { clips: 'main:1' } });
  });
});

describe('versions that queries pin', () => {
  test('stay through cleaning up', async () => {
    const sql = 'SELECT label FROM clips ORDER BY id';
    await send('POST', '/api/v1/tables/clips/branches', { name: 'work' });
    await edit('work', 'fox');
    const made = await create({ name: 'Pinned', sql, refs: { clips: 'work' } });
    expect(await pinBranches()).not.toEqual([]);
    const heads = await server.ports.reader.readHeads(
      { table: 'clips' },
      { signal: new AbortController().signal },
    );
    expect(heads.branches.map(({ name }) => name)).toEqual(['main', 'work']);
    await edit('work', 'wolf');
    const work = await (await (await server.home.connection.openTable('clips')).branches()).checkout('work');
    await work.optimize({ cleanupOlderThan: new Date(Date.now() + 1000), deleteUnverified: true });
    const { rows } = (await (await rowsOf(sql, made.refs)).json()) as { rows: { label: string }[] };
    expect(rows[0]).toEqual({ label: 'fox' });
  });

  test('a deleted branch that one points at is hidden, not lost; its name stays taken', async () => {
    const sql = 'SELECT label FROM clips ORDER BY id';
    await send('POST', '/api/v1/tables/clips/branches', { name: 'gone' });
    await edit('gone', 'bear');
    const made = await create({ name: 'Points at gone', sql, refs: { clips: 'gone' } });
    expect((await send('DELETE', '/api/v1/tables/clips/branches/gone')).status).toBe(204);
    const { branches } = (await (await server.get('/api/v1/tables/clips/branches')).json()) as {
      branches: { name: string }[];
    };
    expect(branches.map(({ name }) => name)).not.toContain('gone');
    const { rows } = (await (await rowsOf(sql, made.refs)).json()) as { rows: { label: string }[] };
    expect(rows[0]).toEqual({ label: 'bear' });
    expect(await problem(await rowsOf(sql, { clips: 'gone' }))).toMatchObject({ status: 410 });
    expect(
      await problem(await send('POST', '/api/v1/tables/clips/branches', { name: 'gone' })),
    ).toMatchObject({
      code: 'EXISTS',
      detail: expect.stringContaining('saved query'),
    });
  });

  test('a ref that is gone answers 410 with what to do', async () => {
    await send('POST', '/api/v1/tables/clips/branches', { name: 'brief' });
    expect((await send('DELETE', '/api/v1/tables/clips/branches/brief')).status).toBe(204);
    const answer = await problem(await rowsOf('SELECT * FROM clips', { clips: 'brief:2' }));
    expect(answer).toMatchObject({ status: 410, code: 'GONE', hint: expect.stringContaining('main') });
  });

  test('refs that name no table are refused with near names', async () => {
    expect(await problem(await rowsOf('SELECT 1 AS one', { clisp: 'main:1' }))).toMatchObject({
      code: 'BAD_REQUEST',
      hint: expect.stringContaining('clips'),
    });
  });
});

describe('files of queries', () => {
  const importFiles = async (files: { path: string; text: string }[]): Promise<ImportOutcome[]> =>
    ((await (await send('POST', '/api/v1/queries/import', { files })).json()) as { files: ImportOutcome[] })
      .files;

  test('a query goes out and comes back as itself; one that was edited becomes a new revision', async () => {
    const made = await create({
      name: 'For git',
      sql: 'SELECT *\nFROM clips\nWHERE label = $label',
      params: [{ name: 'label', type: 'text', value: 'cat' }],
    });
    const response = await server.get(`/api/v1/queries/${made.id}/file`);
    expect(response.headers.get('content-disposition')).toContain('for-git.sql');
    const text = await response.text();
    expect(await importFiles([{ path: 'for-git.sql', text }])).toEqual([
      { path: 'for-git.sql', outcome: 'unchanged', id: made.id, name: 'For git', why: null },
    ]);
    const edited = text.replace('SELECT *', 'SELECT id');
    expect(await importFiles([{ path: 'for-git.sql', text: edited }])).toMatchObject([
      { outcome: 'updated', id: made.id },
    ]);
    const after = await saved(await server.get(`/api/v1/queries/${made.id}`));
    expect(after).toMatchObject({
      revision: 2,
      sql: expect.stringContaining('SELECT id'),
      params: made.params,
    });
  });

  test('a file of another studio keeps its id; strange ones are refused and the others go on', async () => {
    const outcomes = await importFiles([
      {
        path: 'a.sql',
        text: '-- ---\n-- curio-query: 1\n-- id: from-afar\n-- name: From afar\n-- ---\nSELECT 7 AS n\n',
      },
      { path: 'b/plain.sql', text: 'SELECT 8 AS n' },
      { path: 'c.sql', text: '-- ---\n-- oops\n' },
      { path: 'd.sql', text: '' },
    ]);
    expect(outcomes.map(({ outcome, name, id }) => [outcome, name, id])).toEqual([
      ['created', 'From afar', 'from-afar'],
      ['created', 'plain', expect.any(String)],
      ['refused', null, null],
      ['refused', null, null],
    ]);
    expect(outcomes[2]?.why).toContain('Line 2');
  });
});
