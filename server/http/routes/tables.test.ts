import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Session } from '#shared/api/session.ts';
import { TableDetail, TableSummary } from '#shared/api/tables.ts';
import packageFacts from '../../../package.json' with { type: 'json' };
import { makeForeignTable, makeTable, mediaColumns, tinyPng } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let s: TestServer;

beforeAll(async () => {
  s = await makeTestServer();
  const clips = await makeTable(s.home, 'clips', {
    id: { type: 'int64', values: [1n, 2n], metadata: { 'curio:key': '1' } },
    picture: { type: 'blob', values: [{ data: tinyPng, uri: null }, null] },
    label: { type: 'utf8', values: ['cat', 'dog'] },
  });
  await (await clips.branches()).create('exp');
  await (await clips.tags()).create('golden', 1);
  await makeForeignTable(s.home, 'foreign', { n: { type: 'int64', values: [1n] } });
  await makeTable(s.home, 'torn', mediaColumns);
  const versions = join(s.settings.home, 'torn.lance/_versions');
  for (const file of await readdir(versions))
    if (file.endsWith('.manifest')) await writeFile(join(versions, file), '');
  await makeTable(s.home, 'thrown-away', mediaColumns);
  s.ports.store.trash.add('thrown-away', new Date(0).toISOString());
  await mkdir(join(s.settings.home, '.importing-x.lance/_versions'), { recursive: true });
});
afterAll(() => s.close());

const json = async (path: string, init?: RequestInit) => {
  const response = await s.get(path, init);
  return { status: response.status, body: await response.json() };
};

describe('the session', () => {
  it('has all that the first screen needs; a broken table does not break it', async () => {
    const { status, body } = await json('/api/v1/session');
    const session = Session.parse(body);
    expect(status).toBe(200);
    expect(session).toMatchObject({
      version: packageFacts.version,
      principal: { name: 'you', kind: 'local' },
      jobs: [],
      notices: [],
    });
    expect(session.may).toContain('read');
    expect(session.tables.map(({ name }) => name)).toEqual(['clips', 'foreign', 'torn']);
    expect(session.tables[0]).toEqual({
      name: 'clips',
      rows: 2,
      bytes: expect.any(Number),
      key: ['id'],
      description: '',
      updatedAt: expect.any(String),
      notices: [],
      preview: { column: 'picture', rowIds: ['0'] },
      branches: [
        {
          name: 'main',
          version: 1,
          parent: null,
          updatedAt: expect.any(String),
          isProtected: true,
          ahead: 0,
          incarnation: expect.any(String),
        },
        {
          name: 'exp',
          version: 1,
          parent: { branch: 'main', version: 1 },
          updatedAt: expect.any(String),
          isProtected: false,
          ahead: 0,
          incarnation: expect.stringMatching(/^[0-9a-f]{10}$/),
        },
      ],
    });
    expect(session.tables[1]!.notices).toHaveLength(2);
    expect(session.tables[2]).toMatchObject({
      rows: 0,
      notices: [expect.stringMatching(/torn.* cannot be read/)],
    });
    expect(JSON.stringify(session)).not.toContain(s.settings.home.slice(1));
  });

  it('says that the tables were moved, while branches still need the old place', async () => {
    const { facts } = s.ports.store;
    const born = facts.get('home.path');
    facts.set('home.path', '/somewhere/else');
    expect((await json('/api/v1/session')).body.notices).toEqual([
      expect.stringMatching(/was moved.*move it back/),
    ]);
    facts.set('home.path', born);
    expect((await json('/api/v1/session')).body.notices).toEqual([]);
  });

  it('health is up', async () => {
    expect((await json('/healthz')).body).toEqual({ status: 'ok', version: packageFacts.version });
  });
});

describe('tables', () => {
  it('are listed', async () => {
    const { body } = await json('/api/v1/tables');
    expect(
      TableSummary.array()
        .parse(body.tables)
        .map(({ name }) => name),
    ).toEqual(['clips', 'foreign', 'torn']);
  });

  it('are described at a ref', async () => {
    const { body } = await json('/api/v1/tables/clips?ref=exp');
    const detail = TableDetail.parse(body);
    expect(detail).toMatchObject({
      name: 'clips',
      ref: { branch: 'exp', version: 1 },
      isHead: true,
      rows: 2,
      key: ['id'],
      hasStableRowIds: true,
      notices: [],
      tags: [{ name: 'golden', branch: 'main', version: 1, message: null }],
    });
    expect(detail.columns.map(({ name, type, role }) => [name, type, role])).toEqual([
      ['id', 'int64', 'key'],
      ['picture', 'blob', 'image'],
      ['label', 'utf8', 'label'],
    ]);
  });

  it.each([
    ['nowhere', 404, 'NOT_FOUND'],
    ['clips?ref=nope', 404, 'NOT_FOUND'],
    ['clips?ref=tag:nope', 404, 'NOT_FOUND'],
    ['clips?ref=main:7', 404, 'NOT_FOUND'],
    ['clips?ref=:', 400, 'BAD_REQUEST'],
    ['thrown-away', 410, 'GONE'],
    ['.importing-x', 400, 'BAD_REQUEST'],
    ['..%2Fclips', 400, 'BAD_REQUEST'],
    ['torn', 422, 'INVALID_FILE'],
  ])('%s is a problem with a code', async (address, status, code) => {
    const { body } = await json(`/api/v1/tables/${address}`);
    expect([body.status, body.code]).toEqual([status, code]);
  });

  it('take facts of columns, key and description, and refuse what is not there', async () => {
    const patch = (body: object) =>
      s.get('/api/v1/tables/clips', {
        method: 'PATCH',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      });
    const set = await patch({
      description: 'Short clips',
      columns: { label: { role: 'text', description: 'What it shows', tags: ['gold'] } },
    });
    const detail = TableDetail.parse(await set.json());
    expect(detail).toMatchObject({
      ref: { branch: 'main' },
      isHead: true,
      description: 'Short clips',
      key: ['id'],
    });
    expect(detail.columns[2]).toEqual({
      name: 'label',
      type: 'utf8',
      nullable: true,
      role: 'text',
      description: 'What it shows',
      tags: ['gold'],
    });
    expect((await json('/api/v1/tables/clips?ref=exp')).body.description).toBe('');
    const asListed = await patch({ key: 'id', columns: [{ name: 'label', description: 'As GET lists it' }] });
    expect(TableDetail.parse(await asListed.json())).toMatchObject({ key: ['id'] });
    expect((await json('/api/v1/tables/clips')).body.columns[2]).toMatchObject({
      role: 'text',
      description: 'As GET lists it',
      tags: ['gold'],
    });
    const refused = await patch({ key: ['nope'] });
    expect([refused.status, (await refused.json()).code]).toEqual([400, 'BAD_REQUEST']);
    const odd = await patch({ columns: { label: { role: 'wizard' } } });
    expect([odd.status, (await odd.json()).code]).toEqual([400, 'BAD_REQUEST']);
  });
});
