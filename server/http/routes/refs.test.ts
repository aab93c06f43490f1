import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobInfo } from '#shared/api/jobs.ts';
import { BranchInfo, TableDetail, TagInfo } from '#shared/api/tables.ts';
import { arrowStreamType } from '#shared/api/wire.ts';
import { arrow } from '../../arrow/arrow.ts';
import { makeArrowTable } from '../../testing/columns.ts';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let s: TestServer;
const base = '/api/v1/tables/clips';

beforeAll(async () => {
  s = await makeTestServer();
  await makeTable(s.home, 'clips', {
    id: { type: 'int64', values: [1n, 2n, 3n, 4n], metadata: { 'curio:key': '1' } },
    label: { type: 'utf8', values: ['red fox', 'dog', 'dog', null], metadata: { 'curio:role': 'label' } },
    score: { type: 'float64', values: [0.5, 1, null, 2] },
    vec: { type: 'fixed_size_list<float32>[2]', values: [[1, 0], [1, 0.1], [0, 1], null] },
  });
});
afterAll(() => s.close());

async function call(method: string, path: string, body?: unknown) {
  const response = await s.get(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const problem = async (method: string, path: string, body?: unknown): Promise<string> => {
  const answer = await call(method, path, body);
  expect(answer.body).toMatchObject({ status: answer.status, requestId: expect.any(String) });
  return `${answer.status} ${answer.body.code}`;
};

describe('branches over HTTP', () => {
  it('are made, listed and deleted', async () => {
    const made = await call('POST', `${base}/branches`, { name: 'team/fix-labels' });
    expect(made.status).toBe(201);
    expect(BranchInfo.parse(made.body)).toMatchObject({
      name: 'team/fix-labels',
      version: 1,
      parent: { branch: 'main', version: 1 },
      isProtected: false,
    });
    const { body } = await call('GET', `${base}/branches`);
    expect(body.branches.map(({ name, isProtected }: BranchInfo) => [name, isProtected])).toEqual([
      ['main', true],
      ['team/fix-labels', false],
    ]);
    expect(
      (await call('POST', `${base}/branches`, { name: 'child', from: 'team/fix-labels:1' })).status,
    ).toBe(201);
    const refused = await call('DELETE', `${base}/branches/team%2Ffix-labels`);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', detail: expect.stringContaining('child') },
    });
    expect((await call('DELETE', `${base}/branches/child`)).status).toBe(204);
    expect((await call('DELETE', `${base}/branches/team%2Ffix-labels`)).status).toBe(204);
    expect(await problem('GET', `${base}?ref=team%2Ffix-labels`)).toBe('410 GONE');
    expect((await call('POST', `${base}/branches`, { name: 'team/fix-labels' })).status).toBe(201);
    expect((await call('DELETE', `${base}/branches/team%2Ffix-labels`)).status).toBe(204);
  });

  it.each([
    [{ name: 'main' }, '400 BAD_REQUEST'],
    [{ name: 'a..b' }, '400 BAD_REQUEST'],
    [{ name: 'a:1' }, '400 BAD_REQUEST'],
    [{ name: 'curio-pin/x' }, '400 BAD_REQUEST'],
    [{ name: 'a/data' }, '400 BAD_REQUEST'],
    [{ name: '' }, '400 BAD_REQUEST'],
    [{}, '400 BAD_REQUEST'],
    [{ name: 'x', form: 'main' }, '400 BAD_REQUEST'],
    [{ name: 'x', from: 'nope' }, '404 NOT_FOUND'],
    [{ name: 'x', from: 'main:99' }, '404 NOT_FOUND'],
    [{ name: 'x', from: 'tag:nope' }, '404 NOT_FOUND'],
  ])('refuse %j with %s', async (body, answer) => {
    expect(await problem('POST', `${base}/branches`, body)).toBe(answer);
  });

  it('refuse a taken name, a protected one, and tables that are not there', async () => {
    await call('POST', `${base}/branches`, { name: 'taken' });
    expect(await problem('POST', `${base}/branches`, { name: 'taken' })).toBe('409 EXISTS');
    expect(await problem('DELETE', `${base}/branches/main`)).toBe('403 PROTECTED_BRANCH');
    expect(await problem('DELETE', `${base}/branches/nope`)).toBe('404 NOT_FOUND');
    expect(await problem('GET', '/api/v1/tables/clops/branches')).toBe('404 NOT_FOUND');
    await call('DELETE', `${base}/branches/taken`);
  });

  it('made at the same moment under one name: one is made, the others are told', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', `${base}/branches`, { name: 'race' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect((await call('DELETE', `${base}/branches/race`)).status).toBe(204);
  });
});

describe('tags over HTTP', () => {
  it('name versions with a message, and keep their branch', async () => {
    await call('POST', `${base}/branches`, { name: 'exp' });
    const made = await call('POST', `${base}/tags`, {
      name: 'golden',
      ref: 'exp',
      message: 'What model 3 trained on',
    });
    expect(made.status).toBe(201);
    expect(TagInfo.parse(made.body)).toMatchObject({
      name: 'golden',
      branch: 'exp',
      version: 1,
      message: 'What model 3 trained on',
    });
    expect((await call('GET', `${base}/tags`)).body.tags).toHaveLength(1);
    expect(TableDetail.parse((await call('GET', `${base}?ref=tag:golden`)).body).ref).toEqual({
      branch: 'exp',
      version: 1,
    });
    expect(await problem('DELETE', `${base}/branches/exp`)).toBe('409 CONFLICT');
    expect(await problem('POST', `${base}/tags`, { name: 'golden' })).toBe('409 EXISTS');
    expect(await problem('POST', `${base}/tags`, { name: 'a b' })).toBe('400 BAD_REQUEST');
    expect(await problem('POST', `${base}/tags`, { name: 'x', ref: 'main:9' })).toBe('404 NOT_FOUND');
    expect(await problem('DELETE', `${base}/tags/gold`)).toBe('404 NOT_FOUND');
    expect((await call('DELETE', `${base}/tags/golden`)).status).toBe(204);
    expect((await call('GET', `${base}/tags`)).body).toEqual({ tags: [] });
    expect((await call('DELETE', `${base}/branches/exp`)).status).toBe(204);
  });
});

async function settled(id: string): Promise<JobInfo> {
  const response = await s.get(`/api/v1/jobs/${id}/events`);
  const events = (await response.text()).split('\n\n').filter((event) => event.startsWith('data: '));
  return JobInfo.parse(JSON.parse(events.at(-1)!.slice('data: '.length)));
}

describe('indexes over HTTP', () => {
  it('are built as jobs, on protected branches too, listed and dropped', async () => {
    const started = await call('POST', `${base}/indexes`, { column: 'id', kind: 'btree' });
    expect(started.status).toBe(202);
    expect(await settled(started.body.job.id)).toMatchObject({
      kind: 'index',
      state: 'done',
      result: { table: 'clips', column: 'id', kind: 'btree', notice: null },
    });
    const vector = await call('POST', `${base}/indexes`, { column: 'vec', kind: 'vector' });
    expect(await settled(vector.body.job.id)).toMatchObject({
      state: 'done',
      result: { notice: expect.stringContaining('as fast without the index') },
    });
    const { body } = await call('GET', `${base}/indexes`);
    expect(body.indexes).toMatchObject([
      { name: 'id_btree', column: 'id', kind: 'btree', coverage: 1, indexedRows: 4, unindexedRows: 0 },
      { name: 'vec_vector', column: 'vec', kind: 'vector' },
    ]);
    expect((await call('DELETE', `${base}/indexes/id_btree`)).status).toBe(204);
    expect((await call('DELETE', `${base}/indexes/vec_vector`)).status).toBe(204);
    expect(await problem('DELETE', `${base}/indexes/id_btree`)).toBe('404 NOT_FOUND');
    expect((await call('GET', `${base}/indexes`)).body).toEqual({ indexes: [] });
  });

  it('are refused at once where they cannot be', async () => {
    expect(await problem('POST', `${base}/indexes`, { column: 'label', kind: 'vector' })).toBe(
      '400 BAD_REQUEST',
    );
    expect(await problem('POST', `${base}/indexes`, { column: 'lable', kind: 'text' })).toBe(
      '400 BAD_REQUEST',
    );
    expect(await problem('POST', `${base}/indexes`, { column: 'label', kind: 'hnsw' })).toBe(
      '400 BAD_REQUEST',
    );
    expect(await problem('POST', `${base}/indexes`, { column: 'id', kind: 'btree', branch: 'nope' })).toBe(
      '404 NOT_FOUND',
    );
  });
});

describe('facts of a table over HTTP', () => {
  it('are patched, and refused where they do not fit', async () => {
    const patched = await call('PATCH', base, {
      description: 'Clips',
      columns: { label: { description: 'What it shows', tags: ['demo'] } },
    });
    expect(TableDetail.parse(patched.body)).toMatchObject({ description: 'Clips', key: ['id'] });
    expect(patched.body.columns[1]).toMatchObject({
      name: 'label',
      description: 'What it shows',
      tags: ['demo'],
    });
    expect(await call('PATCH', base, { key: ['label'] })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', detail: expect.stringContaining('null') },
    });
    expect(await problem('PATCH', base, { key: ['score', 'vec'] })).toBe('400 BAD_REQUEST');
    expect(await problem('PATCH', base, { key: ['nope'] })).toBe('400 BAD_REQUEST');
    expect(await problem('PATCH', base, { columns: { label: { role: 'poem' } } })).toBe('400 BAD_REQUEST');
    expect((await call('GET', base)).body.key).toEqual(['id']);
  });
});

describe('history over HTTP', () => {
  it('tells edits with author and message, versions of others without, through the fork', async () => {
    await makeTable(s.home, 'story', {
      id: { type: 'int64', values: [1n, 2n, 3n], metadata: { 'curio:key': '1' } },
      n: { type: 'int32', values: [1, 2, 3] },
    });
    const path = '/api/v1/tables/story';
    await (await s.home.connection.openTable('story')).add(
      makeArrowTable({ id: { type: 'int64', values: [4n] }, n: { type: 'int32', values: [4] } }),
    );
    await call('POST', `${path}/branches`, { name: 'exp' });
    const edit = await call('POST', `${path}/edits`, {
      branch: 'exp',
      message: 'Fix n',
      ops: [{ op: 'set', rows: { where: 'id <= 2' }, values: { n: 9 } }],
    });
    expect(edit.status).toBe(200);
    const { body } = await call('GET', `${path}/history?ref=exp`);
    expect(body).toMatchObject({ ref: { branch: 'exp', version: edit.body.version }, isComplete: true });
    expect(body.versions).toMatchObject([
      {
        version: edit.body.version,
        branch: 'exp',
        kind: 'edit',
        author: 'you',
        message: 'Fix n',
        editId: edit.body.editId,
        rows: { inserted: 0, updated: 2, deleted: 0 },
      },
      {
        version: 2,
        branch: 'main',
        kind: 'edit',
        author: null,
        message: null,
        editId: null,
        rows: { inserted: 1, updated: 0, deleted: 0 },
      },
      { version: 1, branch: 'main', kind: 'create', rows: { inserted: 3, updated: 0, deleted: 0 } },
    ]);
    const first = await call('GET', `${path}/history?ref=exp&limit=1`);
    expect(first.body).toMatchObject({ isComplete: false, versions: [{ branch: 'exp' }] });
    const rest = await call(
      'GET',
      `${path}/history?ref=exp&limit=5&before=${first.body.versions[0].version}`,
    );
    expect(rest.body).toMatchObject({ isComplete: true, versions: [{ version: 2 }, { version: 1 }] });
    expect((await call('GET', `${path}/history?ref=main:1`)).body.versions).toHaveLength(1);
  });

  it('refuses what cannot be', async () => {
    expect(await problem('GET', `${base}/history?limit=0`)).toBe('400 BAD_REQUEST');
    expect(await problem('GET', `${base}/history?ref=nope`)).toBe('404 NOT_FOUND');
  });
});

describe('a profile over HTTP', () => {
  it('has figures per column over a filter', async () => {
    const { status, body } = await call('POST', `${base}/profile`, {
      where: "label = 'dog'",
      columns: ['label', 'score'],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      rows: 2,
      ref: { branch: 'main' },
      columns: [
        { name: 'label', distinct: 1, top: [{ value: 'dog', rows: 2 }] },
        { name: 'score', nulls: 1 },
      ],
    });
    expect(
      (await call('POST', `${base}/profile`, {})).body.columns.map(({ name }: { name: string }) => name),
    ).toEqual(['id', 'label', 'score', 'vec']);
  });

  it('points at what is wrong in the filter', async () => {
    expect(await call('POST', `${base}/profile`, { where: "lable = 'dog'" })).toMatchObject({
      status: 400,
      body: { code: 'SQL_BIND', at: { line: 1, column: 1 }, hint: 'Did you mean “label”?' },
    });
    expect(await problem('POST', `${base}/profile`, { columns: ['nope'] })).toBe('400 SQL_BIND');
    expect(await problem('POST', `${base}/profile`, { where: `score${' + 1'.repeat(3000)} > 2` })).toBe(
      '400 SQL_SYNTAX',
    );
  });
});

describe('a search over HTTP', () => {
  it('answers with an Arrow stream, or with JSON', async () => {
    const response = await s.post(`${base}/search`, { mode: 'vector', rowId: 0, k: 2 });
    expect(response.headers.get('content-type')).toBe(arrowStreamType);
    const table = arrow.tableFromIPC(new Uint8Array(await response.arrayBuffer()));
    expect(table.schema.metadata.get('curio.metric')).toBe('cosine');
    expect([...table.getChild('id')!].map(Number)).toEqual([2, 3]);
    const { body } = await call('POST', `${base}/search?format=json`, {
      mode: 'text',
      text: 'FOX',
      columns: ['label'],
    });
    expect(body).toMatchObject({
      total: 1,
      rows: [{ label: 'red fox', _rowid: '0', _distance: null, _vector_rank: null, _text_rank: 1 }],
    });
    expect(body.rows[0]._score).toBeGreaterThan(0);
    const hybrid = await call('POST', `${base}/search?format=json`, {
      mode: 'hybrid',
      text: 'dog',
      rowId: '0',
      where: 'id > 1',
    });
    expect(hybrid.body.rows.map(({ id }: { id: string }) => id)).toEqual(['2', '3']);
  });

  it.each([
    [{ mode: 'vector' }, '400 BAD_REQUEST'],
    [{ mode: 'text' }, '400 BAD_REQUEST'],
    [{ mode: 'text', text: '  ' }, '400 BAD_REQUEST'],
    [{ mode: 'hybrid', rowId: 1 }, '400 BAD_REQUEST'],
    [{ mode: 'vector', rowId: 1, vector: [1, 2] }, '400 BAD_REQUEST'],
    [{ mode: 'vector', vector: [1, 2, 3] }, '400 BAD_REQUEST'],
    [{ mode: 'vector', rowId: 3 }, '400 BAD_REQUEST'],
    [{ mode: 'vector', rowId: 'x' }, '400 BAD_REQUEST'],
    [{ mode: 'vector', rowId: 99 }, '404 NOT_FOUND'],
    [{ mode: 'vector', text: 'a red animal' }, '422 UNSUPPORTED'],
    [{ mode: 'vector', image: 'aGVsbG8=' }, '422 UNSUPPORTED'],
    [{ mode: 'hybrid', text: 'a red animal' }, '422 UNSUPPORTED'],
    [{ mode: 'vector', rowId: 0, k: 0 }, '400 BAD_REQUEST'],
    [{ mode: 'vector', rowId: 0, where: 'nope = 1' }, '400 SQL_BIND'],
    [{ mode: 'vector', rowId: 0, where: 'id = 1; drop' }, '400 SQL_SYNTAX'],
    [{ mode: 'telepathy' }, '400 BAD_REQUEST'],
    [{ mode: 'vector', rowId: 0, ref: 'nope' }, '404 NOT_FOUND'],
  ])('refuses %j with %s', async (body, answer) => {
    expect(await problem('POST', `${base}/search`, body)).toBe(answer);
  });
});
