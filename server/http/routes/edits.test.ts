import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTable, tinyPng } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await makeTestServer();
  const table = await makeTable(server.home, 'pets', {
    id: {
      type: 'int64',
      values: [1n, 2n, 3n, 9_007_199_254_740_993n],
      nullable: false,
      metadata: { 'curio:key': '1' },
    },
    label: { type: 'utf8', values: ['cat', 'dog', null, 'cat'] },
    tags: { type: 'list<utf8>', values: [['a'], [], null, ['a', 'b']] },
    photo: { type: 'blob', values: [{ data: tinyPng, uri: null }, null, null, null] },
  });
  await table.createIndex('id');
});
afterAll(() => server.close());

let count = 0;
async function makeBranch(): Promise<string> {
  const name = `b${count++}`;
  const response = await server.post('/api/v1/tables/pets/branches', { name });
  expect(response.status).toBe(201);
  return name;
}

async function answer(response: Response): Promise<{ status: number; body: Record<string, unknown> }> {
  const body = (await response.json()) as Record<string, unknown>;
  const type = response.headers.get('content-type') ?? '';
  expect(type).toContain(response.ok ? 'application/json' : 'application/problem+json');
  return { status: response.status, body };
}

const edit = async (branch: string, ops: unknown, more: object = {}) =>
  answer(await server.post('/api/v1/tables/pets/edits', { branch, ops, ...more }));
const undo = async (body: object) => answer(await server.post('/api/v1/tables/pets/undo', body));
const restore = async (body: object) => answer(await server.post('/api/v1/tables/pets/restore', body));

async function rows(ref: string): Promise<Record<string, unknown>[]> {
  const query = encodeURIComponent(
    JSON.stringify({ ref, columns: ['id', 'label', 'tags'], orderBy: [{ column: 'id' }] }),
  );
  const { body } = await answer(await server.get(`/api/v1/tables/pets/rows?format=json&q=${query}`));
  return (body.rows as Record<string, unknown>[]).map(({ id, label, tags }) => ({ id, label, tags }));
}

describe('POST edits', () => {
  test('sets, computes, tags, inserts and deletes in one step', async () => {
    const branch = await makeBranch();
    const before = await rows('main');
    const { status, body } = await edit(branch, [
      { op: 'set', rows: { keys: ['9007199254740993', 2] }, values: { label: 'wolf' } },
      { op: 'setSql', rows: { where: "label = 'cat'" }, values: { label: "label || '!'" } },
      { op: 'tag', rows: { all: true }, column: 'tags', add: ['z'] },
      { op: 'insert', rows: [{ id: '77', label: 'new', photo: { base64: tinyPng.toString('base64') } }] },
      { op: 'delete', rows: { where: 'label is null' } },
    ]);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        version: expect.any(Number),
        changed: { inserted: 1, updated: 3, deleted: 1 },
        editId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    expect(await rows(branch)).toEqual([
      { id: '1', label: 'cat!', tags: ['a', 'z'] },
      { id: '2', label: 'wolf', tags: ['z'] },
      { id: '77', label: 'new', tags: null },
      { id: '9007199254740993', label: 'wolf', tags: ['a', 'b', 'z'] },
    ]);
    expect(await rows('main')).toEqual(before);
    const history = await answer(await server.get(`/api/v1/tables/pets/history?ref=${branch}`));
    expect((history.body.versions as object[])[0]).toMatchObject({
      version: body.version,
      kind: 'edit',
      author: 'you',
      editId: body.editId,
      rows: body.changed,
    });
  });

  test('adds, renames and drops columns', async () => {
    const branch = await makeBranch();
    const { body } = await edit(branch, [
      { op: 'addColumn', name: 'length', sql: 'length(label)' },
      { op: 'addColumn', name: 'vector', type: 'fixed_size_list<float32>[2]' },
      { op: 'renameColumn', name: 'label', to: 'name' },
      { op: 'dropColumn', name: 'tags' },
      { op: 'set', rows: { keys: [1] }, values: { vector: [0.5, 1], name: 'lion' } },
    ]);
    expect(body.changed).toEqual({ inserted: 0, updated: 1, deleted: 0 });
    const detail = await answer(await server.get(`/api/v1/tables/pets?ref=${branch}`));
    expect(
      (detail.body.columns as { name: string; type: string }[]).map(({ name, type }) => `${name} ${type}`),
    ).toEqual(['id int64', 'name utf8', 'photo blob', 'length int32', 'vector fixed_size_list<float32>[2]']);
  });

  test('pictures can be replaced', async () => {
    const branch = await makeBranch();
    await edit(branch, [
      { op: 'set', rows: { keys: [2] }, values: { photo: { base64: tinyPng.toString('base64') } } },
    ]);
    const { body } = await answer(
      await server.post('/api/v1/tables/pets/rows?format=json', {
        ref: branch,
        where: 'id = 2',
        columns: ['id'],
      }),
    );
    const [{ _rowid: rowId } = { _rowid: '' }] = body.rows as { _rowid: string }[];
    const picture = await server.get(`/api/v1/tables/pets/blobs/photo/${rowId}?ref=${branch}`);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(tinyPng);
  });

  test.each<[string, unknown, object]>([
    [
      'a wrong type',
      [{ op: 'set', rows: { all: true }, values: { label: 3 } }],
      {
        status: 400,
        body: { code: 'BAD_REQUEST', detail: 'label: expected text, got 3.', issues: [{ path: 'label' }] },
      },
    ],
    ['no operations', [], { status: 400, body: { code: 'BAD_REQUEST' } }],
    ['an unknown operation', [{ op: 'explode' }], { status: 400, body: { code: 'BAD_REQUEST' } }],
    [
      'an unknown field',
      [{ op: 'delete', rows: { all: true }, really: true }],
      { status: 400, body: { code: 'BAD_REQUEST' } },
    ],
    [
      'a selection of nothing known',
      [{ op: 'delete', rows: { some: true } }],
      { status: 400, body: { code: 'BAD_REQUEST' } },
    ],
    [
      'a syntax error',
      [{ op: 'delete', rows: { where: 'label = = 1' } }],
      { status: 400, body: { code: 'SQL_SYNTAX', at: { line: 1 } } },
    ],
    [
      'a filter of 3,000 plus signs',
      [{ op: 'delete', rows: { where: `id ${'+ 1'.repeat(3000)} > 3` } }],
      { status: 400, body: {} },
    ],
    [
      'an unknown column',
      [{ op: 'dropColumn', name: 'lable' }],
      { status: 400, body: { code: 'BAD_REQUEST', hint: 'Did you mean “label”?' } },
    ],
    [
      'an unknown key',
      [{ op: 'delete', rows: { keys: [404] } }],
      { status: 404, body: { code: 'NOT_FOUND' } },
    ],
    [
      'a key that is taken',
      [{ op: 'insert', rows: [{ id: 1 }] }],
      { status: 409, body: { code: 'CONFLICT' } },
    ],
    [
      'the key set',
      [{ op: 'set', rows: { all: true }, values: { id: 1 } }],
      { status: 422, body: { code: 'UNSUPPORTED' } },
    ],
  ])('answers %s with a problem, and makes no version', async (_name, ops, problem) => {
    const branch = await makeBranch();
    expect(await edit(branch, ops)).toMatchObject(problem);
    const { body } = await answer(await server.get('/api/v1/tables/pets/branches'));
    expect(body.branches).toContainEqual(expect.objectContaining({ name: branch, version: 2 }));
  });

  test('answers wrong places with problems', async () => {
    const ops = [{ op: 'delete', rows: { all: true } }];
    expect(await edit('main', ops)).toMatchObject({
      status: 403,
      body: { code: 'PROTECTED_BRANCH', hint: expect.stringContaining('branch') },
    });
    expect(await edit('nope', ops)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await edit('tag:x', ops)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await answer(await server.post('/api/v1/tables/none/edits', { branch: 'b', ops }))).toMatchObject({
      status: 404,
    });
    expect(
      await answer(await server.post('/api/v1/tables/..%2Fetc/edits', { branch: 'b', ops })),
    ).toMatchObject({ status: 400 });
    const branch = await makeBranch();
    expect(await edit(branch, ops, { expectedVersion: 1 })).toMatchObject({
      status: 409,
      body: { code: 'HEAD_MOVED' },
    });
    expect(
      await answer(await server.post('/api/v1/tables/pets/edits', 'no json', { body: '{' })),
    ).toMatchObject({ status: 400 });
  });

  test('two clients at once both land, or one is told that the branch moved', async () => {
    const branch = await makeBranch();
    const at = async (id: number) =>
      edit(branch, [{ op: 'insert', rows: [{ id, label: `of ${id}` }] }], { expectedVersion: 2 });
    const answers = await Promise.all([1000, 1001, 1002, 1003].map(at));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const free = await Promise.all(
      [2000, 2001, 2002, 2003].map((id) => edit(branch, [{ op: 'insert', rows: [{ id }] }])),
    );
    expect(free.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await rows(branch)).filter(({ id }) => Number(id) >= 1000 && Number(id) < 3000)).toHaveLength(5);
  });
});

describe('POST undo', () => {
  test('takes the last edit back, then the one before, and does it again by the id of the undo', async () => {
    const branch = await makeBranch();
    const before = await rows(branch);
    await edit(branch, [{ op: 'delete', rows: { keys: [1] } }]);
    await edit(branch, [{ op: 'set', rows: { keys: [2] }, values: { label: 'fox' } }]);
    expect(await undo({ branch })).toMatchObject({
      status: 200,
      body: { changed: { inserted: 0, updated: 1, deleted: 0 } },
    });
    const second = await undo({ branch });
    expect(second).toMatchObject({ status: 200, body: { changed: { inserted: 1, updated: 0, deleted: 0 } } });
    expect(await rows(branch)).toEqual(before);
    expect(await undo({ branch })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await undo({ branch, editId: second.body.editId });
    expect((await rows(branch)).map(({ id }) => id)).not.toContain('1');
  });

  test('says which cells stand in the way', async () => {
    const branch = await makeBranch();
    const { body } = await edit(branch, [{ op: 'set', rows: { keys: [1, 2] }, values: { label: 'x' } }]);
    await edit(branch, [{ op: 'set', rows: { keys: [2] }, values: { label: 'y' } }]);
    expect(await undo({ branch, editId: body.editId })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', issues: [{ path: expect.stringMatching(/2.*label/) }] },
    });
  });

  test('answers wrong input with problems', async () => {
    const branch = await makeBranch();
    expect(await undo({ branch: 'main' })).toMatchObject({ status: 403, body: { code: 'PROTECTED_BRANCH' } });
    expect(await undo({ branch, editId: 'none' })).toMatchObject({ status: 404 });
    expect(await undo({})).toMatchObject({ status: 400 });
    expect(await undo({ branch: 'nope' })).toMatchObject({ status: 404 });
  });
});

describe('POST restore', () => {
  test('makes a branch as it was, as a new version', async () => {
    const branch = await makeBranch();
    await edit(branch, [{ op: 'delete', rows: { keys: [1, 2] } }]);
    expect(await restore({ branch, ref: `${branch}:2` })).toMatchObject({
      status: 200,
      body: { changed: { inserted: 2, updated: 0, deleted: 0 } },
    });
    expect(await rows(branch)).toEqual(await rows('main'));
    expect(await undo({ branch })).toMatchObject({
      status: 200,
      body: { changed: { inserted: 0, updated: 0, deleted: 2 } },
    });
    expect(await restore({ branch, ref: 'main', message: 'As main' })).toMatchObject({ status: 200 });
    expect(await rows(branch)).toEqual(await rows('main'));
  });

  test('answers wrong input with problems', async () => {
    const branch = await makeBranch();
    expect(await restore({ branch: 'main', ref: 'main:1' })).toMatchObject({ status: 403 });
    expect(await restore({ branch, ref: 'main:99' })).toMatchObject({ status: 404 });
    expect(await restore({ branch, ref: '' })).toMatchObject({ status: 200 });
    expect(await restore({ branch })).toMatchObject({ status: 400 });
  });
});
