import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArrowSource } from '../adapters/import/arrow/arrow-source.ts';
import { makeArrowTable } from '../testing/columns.ts';
import { everyType, makeTable, mediaColumns } from '../testing/tables.ts';
import { makeTestServer, type TestServer } from '../testing/test-server.ts';
import { runCommand } from './run-command.ts';

const never = new AbortController().signal;
let server: TestServer;
let folder = '';

beforeAll(async () => {
  server = await makeTestServer();
  folder = await mkdtemp(join(tmpdir(), 'curio-cli-'));
  await writeFile(join(folder, 'people.csv'), 'id,name,age\n1,ann,30\n2,bob,41\n3,cy,29\n');
  await makeTable(server.home, 'every', everyType);
  await makeTable(server.home, 'media', mediaColumns);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out = new PassThrough();
  const err = new PassThrough();
  const texts = Promise.all([text(out), text(err)]);
  const code = await runCommand([...args, '--url', server.url], {
    env: {},
    out,
    err: err as never,
    signal: never,
  });
  out.end();
  err.end();
  const [outText, errText] = await texts;
  return { code, out: outText, err: errText };
}

const place = (name: string): string => join(folder, name);

async function edit(
  table: string,
  branch: string,
  where: string,
  values: Record<string, unknown>,
): Promise<void> {
  const response = await server.post(`/api/v1/tables/${table}/edits`, {
    branch,
    ops: [{ op: 'set', rows: { where }, values }],
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

describe('import, tables and sql', () => {
  it('imports a file and asks about it', async () => {
    expect(await run('import', place('people.csv'), '--table', 'people', '--key', 'id')).toMatchObject({
      code: 0,
      out: 'people: 3 rows at main:1\n',
    });
    const tables = await run('tables', '--json');
    expect(JSON.parse(tables.out)).toMatchObject({
      tables: expect.arrayContaining([expect.objectContaining({ name: 'people', rows: 3, key: ['id'] })]),
    });
    expect((await run('tables')).out).toMatch(/^people +3 +.+ +id +main:1$/m);
    expect(await run('sql', 'select name, age from people order by age')).toEqual({
      code: 0,
      out: 'name  age\n────  ───\ncy     29\nann    30\nbob    41\n',
      err: '3 rows\n',
    });
    expect(
      await run('sql', '--format', 'csv', 'select name from people where age > 29 order by 1'),
    ).toMatchObject({ out: 'name\r\nann\r\nbob\r\n' });
    expect(
      (await run('sql', '--format', 'ndjson', 'select id, name from people order by id limit 1')).out,
    ).toBe('{"id":"1","name":"ann"}\n');
    expect(JSON.parse((await run('sql', '--json', 'select count(*) n from people')).out)).toMatchObject({
      total: 1,
      rows: [{ n: '3' }],
    });
  });

  it('ends with a code and a hint when something is wrong', async () => {
    await writeFile(place('bad.csv'), 'id\n1\n2,3\n');
    const bad = await run('import', place('bad.csv'), '--table', 'bad');
    expect(bad).toMatchObject({ code: 1, out: '' });
    expect(bad.err).toMatch(/bad\.csv, line 3: 2 values where the first line has 1\.\n {2}Every line/);
    const taken = await run('import', place('people.csv'), '--table', 'people', '--json');
    expect([taken.code, JSON.parse(taken.err)]).toMatchObject([1, { error: { code: 'EXISTS' } }]);
    expect(await run('sql', 'selec 1')).toMatchObject({ code: 1 });
    expect(await run('import', '--table', 'x')).toMatchObject({ code: 2 });
    expect(await run('sql')).toMatchObject({ code: 2 });
    expect(
      await runCommand(['tables', '--url', 'http://127.0.0.1:9'], {
        env: {},
        out: new PassThrough(),
        err: new PassThrough() as never,
        signal: never,
      }),
    ).toBe(1);
  });
});

describe('diff and merge', () => {
  it('shows changes, refuses conflicts with 3, and merges', async () => {
    await run('import', place('people.csv'), '--table', 'team', '--key', 'id');
    for (const branch of ['fix', 'other'])
      await server.post('/api/v1/tables/team/branches', { name: branch });
    await edit('team', 'fix', "name = 'bob'", { name: 'Bob' });
    await edit('team', 'other', "name = 'bob'", { name: 'Robert' });
    const diff = await run('diff', 'team', 'fix', '--rows');
    expect(diff.code).toBe(0);
    expect(diff.out).toMatch(
      /^fix:\d+ against main:1, since main:1\n {2}\+ 0 added {3}− 0 removed {3}~ 1 modified\n {4}name: 1 cell\n~ 2\n {4}name: bob → Bob\n$/,
    );
    expect(JSON.parse((await run('diff', 'team', 'fix', '--json')).out)).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      cells: { name: 1 },
    });
    expect((await run('merge', 'team', 'fix', '--dry-run')).out).toMatch(
      /can be merged into main:1: 0 inserted, 1 updated, 0 deleted/,
    );
    expect(await run('merge', 'team', 'fix', '--message', 'Names')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Merged fix:\d+ into main, now at main:\d+: 0 inserted, 1 updated/),
    });
    expect(await run('merge', 'team', 'fix')).toMatchObject({
      code: 0,
      out: expect.stringContaining('already'),
    });
    const conflict = await run('merge', 'team', 'other');
    expect(conflict).toMatchObject({
      code: 3,
      out: expect.stringContaining('1 conflict; nothing was merged.'),
    });
    expect((await run('diff', 'team', 'other')).code).toBe(3);
    expect((await run('merge', 'team', 'other', '--take', 'from')).code).toBe(0);
    expect((await run('sql', '--format', 'ndjson', 'select name from team where id = 2')).out).toBe(
      '{"name":"Robert"}\n',
    );
    expect(await run('diff', 'team')).toMatchObject({ code: 2 });
    expect(await run('diff', 'team', 'nope')).toMatchObject({ code: 1 });
  });
});

describe('rebase, cherry-pick, revert and restore', () => {
  const nameOf = async (branch: string) =>
    (await run('sql', '--format', 'ndjson', `select name from "crew@${branch}" where id = 2`)).out.trim();
  const headOf = async (branch: string): Promise<number> =>
    JSON.parse((await run('diff', 'crew', branch, '--json')).out).from.version;

  it('plan with --dry-run, write, and end with 3 on conflicts and 4 where a branch moved', async () => {
    await run('import', place('people.csv'), '--table', 'crew', '--key', 'id');
    for (const name of ['fix', 'other']) await server.post('/api/v1/tables/crew/branches', { name });
    await edit('crew', 'fix', "name = 'bob'", { name: 'Bob' });
    await edit('crew', 'other', "name = 'bob'", { name: 'Robert' });
    const version = await headOf('fix');

    const conflict = await run('cherry-pick', 'crew', 'fix', 'other', '--versions', `${version}`);
    expect(conflict).toMatchObject({ code: 3, out: expect.stringContaining('! 2 name: base bob, from Bob') });
    const choices = place('choices.json');
    await writeFile(choices, JSON.stringify([{ key: 2, column: 'name', value: 'Bobby' }]));
    const pick = ['cherry-pick', 'crew', 'fix', 'other', '--versions', `${version}`, '--choices', choices];
    expect(await run(...pick, '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringContaining('can be'),
    });
    expect(await run(...pick, '--expect-into', '1')).toMatchObject({ code: 4 });
    expect(await nameOf('other')).toBe('{"name":"Robert"}');
    expect(await run(...pick)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Picked from fix:\d+ into other, now at other:\d+: 0 inserted, 1 updated/),
    });
    expect(await nameOf('other')).toBe('{"name":"Bobby"}');

    const picked = await headOf('other');
    expect(await run('revert', 'crew', 'other', `${picked}`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Reverted version \d+ of other, now at/),
    });
    expect(await nameOf('other')).toBe('{"name":"Robert"}');

    expect(await run('restore', 'crew', 'other', 'main', '--dry-run')).toMatchObject({
      code: 0,
      out: 'other can be restored to main: 0 inserted, 1 updated, 0 deleted.\n',
    });
    expect(await run('restore', 'crew', 'other', 'main')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Restored other to main, now at other:\d+: 0 inserted, 1 updated/),
    });
    expect(await run('restore', 'crew', 'other', 'main')).toMatchObject({
      code: 0,
      out: 'other is as main already.\n',
    });

    expect((await run('merge', 'crew', 'fix')).code).toBe(0);
    expect(await run('rebase', 'crew', 'other')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Rebased other onto main:\d+, now at/),
    });
    expect(await nameOf('other')).toBe('{"name":"Bob"}');
    expect(JSON.parse((await run('rebase', 'crew', 'other', '--json')).out)).toMatchObject({
      status: 'up-to-date',
    });
  });

  it('say what they need', async () => {
    expect(await run('revert', 'crew', 'fix')).toMatchObject({ code: 2 });
    expect(await run('revert', 'crew', 'fix', 'x')).toMatchObject({ code: 2 });
    expect(await run('cherry-pick', 'crew', 'fix', 'other')).toMatchObject({ code: 2 });
    expect(await run('merge', 'crew', 'fix', '--choices', 'nowhere.json')).toMatchObject({ code: 2 });
    expect(await run('restore', 'crew', 'main', 'fix')).toMatchObject({ code: 1 });
  });
});

describe('export', () => {
  it('writes Arrow and Parquet that import to the same types and values', async () => {
    const expected = makeArrowTable(everyType);
    for (const format of ['arrow', 'parquet']) {
      const file = place(`every.${format}`);
      expect(await run('export', 'every', file)).toMatchObject({ code: 0 });
      expect(await run('import', file, '--table', `every-${format}`)).toMatchObject({ code: 0 });
      const [before, after] = await Promise.all(
        ['every', `every-${format}`].map(async (table) => {
          const response = await server.post(`/api/v1/tables/${table}/rows?format=json`, {});
          return ((await response.json()) as { rows: Record<string, unknown>[] }).rows;
        }),
      );
      expect(after).toHaveLength(expected.numRows);
      expect(after).toEqual(before);
    }
  });

  it('takes the bytes of media along, and leaves them out where they are not wanted', async () => {
    const file = place('media.arrow');
    await run('export', 'media', file);
    const source = await openArrowSource({ path: file, label: 'media' }, never);
    for await (const batch of source.batches(never)) {
      expect(
        [...batch.getChild('picture')!].map((bytes) => (bytes as Uint8Array | null)?.length ?? null),
      ).toEqual([expect.any(Number), 10, null, 0]);
      expect(
        Buffer.from(batch.getChild('raw')!.get(0) as Uint8Array)
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
    }
    expect(source.schema.fields.map(({ name, type }) => [name, String(type)])).toEqual([
      ['id', 'Int64'],
      ['picture', 'LargeBinary'],
      ['raw', 'Binary'],
      ['image', 'Struct<{bytes:Binary, path:Utf8}>'],
      ['caption', 'Utf8'],
    ]);
    await run('export', 'media', place('no.arrow'), '--blobs', 'no');
    const bare = await openArrowSource({ path: place('no.arrow'), label: 'no' }, never);
    expect(bare.schema.fields.map(({ name }) => name)).toEqual(['id', 'caption']);
  });

  it('writes chosen columns and rows as CSV and NDJSON, to a file or to standard output', async () => {
    expect(
      (
        await run(
          'export',
          'people',
          '--columns',
          'name,age',
          '--where',
          'age > 29',
          '--order-by',
          'age desc',
        )
      ).out,
    ).toBe('name,age\r\nbob,41\r\nann,30\r\n');
    const json = await run('export', 'people', place('people.jsonl'), '--json');
    expect(JSON.parse(json.out)).toMatchObject({ table: 'people', ref: 'main:1', format: 'ndjson', rows: 3 });
    expect(await readFile(place('people.jsonl'), 'utf8')).toBe(
      '{"id":"1","name":"ann","age":"30"}\n{"id":"2","name":"bob","age":"41"}\n{"id":"3","name":"cy","age":"29"}\n',
    );
  });

  it('writes a Parquet file without rows, and no file at all when it fails', async () => {
    expect(await run('export', 'people', place('none.parquet'), '--where', 'age > 100')).toMatchObject({
      code: 0,
    });
    expect((await readFile(place('none.parquet'))).subarray(-4).toString()).toBe('PAR1');
    expect(await run('export', 'people', place('bad.csv2'))).toMatchObject({ code: 2 });
    expect(await run('export', 'nope', place('nope.csv'))).toMatchObject({ code: 1 });
    expect(await run('export', 'people', place('wrong.csv'), '--where', 'nope > 1')).toMatchObject({
      code: 1,
    });
    expect(await run('export', 'people', place('no/folder/x.csv'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be written (ENOENT)'),
    });
    expect((await readdir(folder)).filter((name) => /nope|wrong|\.part$/.test(name))).toEqual([]);
  });
});

it('starts a server of its own where none runs', async () => {
  const home = place('own');
  const out = new PassThrough();
  const texts = text(out);
  const terminal = { env: { PORT: '0' }, out, err: new PassThrough() as never, signal: never };
  expect(await runCommand(['import', place('people.csv'), '--table', 'own', '--home', home], terminal)).toBe(
    0,
  );
  out.end();
  expect([await texts, (await readdir(home)).sort()]).toEqual([
    'own: 3 rows at main:1\n',
    ['.curio', 'own.lance'],
  ]);
});

describe('queries', () => {
  const save = (body: unknown) => server.post('/api/v1/queries', body);
  const listed = async (name: string) => (await readdir(place(name))).sort();

  it('go to files and come back', async () => {
    const made = (await (await save({ name: 'Ages', sql: 'SELECT 1 AS age' })).json()) as { id: string };
    await save({ name: 'ages!', sql: 'SELECT 2 AS age' });
    expect(await run('queries', 'export', place('kept'))).toMatchObject({
      code: 0,
      out: '2 queries written\n',
    });
    expect(await listed('kept')).toEqual([expect.stringMatching(/^ages-.{8}\.sql$/), 'ages.sql']);
    expect((await run('queries', 'import', place('kept'))).out).toMatch(
      /^ages-.{8}\.sql: unchanged\nages\.sql: unchanged\n$/,
    );

    const text = await readFile(place('kept/ages.sql'), 'utf8');
    await writeFile(
      place('kept/ages.sql'),
      text.replace('"Ages"', '"Years"').replace('SELECT 1', 'SELECT 10'),
    );
    await writeFile(place('kept/odd.sql'), '-- ---\n-- odd\n');
    const second = await run('queries', 'import', place('kept'));
    expect(second).toMatchObject({
      code: 1,
      out: expect.stringContaining('ages.sql: updated'),
      err: expect.stringContaining('odd.sql: refused. Line 2'),
    });
    const after = await (await server.get(`/api/v1/queries/${made.id}`)).json();
    expect(after).toMatchObject({ name: 'Years', sql: 'SELECT 10 AS age', revision: 2 });

    await run('queries', 'export', place('kept'));
    expect(await listed('kept')).toEqual(['ages.sql', 'odd.sql', 'years.sql']);
    expect((await run('queries')).out).toMatch(/^Years +sql +/m);
  });

  it('without files or with a word that is none', async () => {
    expect(await run('queries', 'import', place('nowhere'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('no .sql files'),
    });
    expect((await run('queries', 'burn', 'x')).code).toBe(2);
  });
});
