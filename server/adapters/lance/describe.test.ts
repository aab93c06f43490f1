import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Index } from '@lancedb/lancedb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatFieldFacts } from '#shared/domain/field-facts.ts';
import { makeTestReader, type TestReader } from '../../testing/reader.ts';
import { everyType, makeForeignTable, makeTable, mediaColumns, tinyPng } from '../../testing/tables.ts';

let t: TestReader;
const describeAt = async (table: string, branch = 'main') =>
  t.reader.describe({ table, ref: await t.head(table, branch) }, t.context);
const facts = (made: Parameters<typeof formatFieldFacts>[0]) =>
  formatFieldFacts(made) as Record<string, string>;

beforeAll(async () => {
  t = await makeTestReader();
});
afterAll(() => t.home.remove());

describe('a described table', () => {
  it('has the type of every column as it was made', async () => {
    await makeTable(t.home, 'every', everyType);
    const { columns, rows, key, notices, hasStableRowIds } = await describeAt('every');
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toEqual(
      Object.fromEntries(Object.entries(everyType).map(([name, { type }]) => [name, type])),
    );
    expect({ rows, key, notices, hasStableRowIds }).toEqual({
      rows: 3,
      key: ['id'],
      notices: [],
      hasStableRowIds: true,
    });
    expect(columns[0]).toEqual({
      name: 'id',
      type: 'int64',
      nullable: false,
      role: 'key',
      description: '',
      tags: [],
    });
  });

  it('takes facts from the fields, and guesses what they do not say', async () => {
    await makeTable(t.home, 'told', {
      b: {
        type: 'int64',
        values: [1n],
        metadata: facts({ keyPosition: 2, tableDescription: 'Cats and dogs' }),
      },
      a: { type: 'int64', values: [1n], metadata: facts({ keyPosition: 1 }) },
      hint: {
        type: 'utf8',
        values: ['x'],
        metadata: facts({ role: 'json', description: 'More', tags: ['raw', 'old'] }),
      },
      secret: { type: 'utf8', values: ['x'], metadata: facts({ isHidden: true }) },
    });
    const { columns, key, description } = await describeAt('told');
    expect({ key, description }).toEqual({ key: ['a', 'b'], description: 'Cats and dogs' });
    expect(columns[2]).toEqual({
      name: 'hint',
      type: 'utf8',
      nullable: true,
      role: 'json',
      description: 'More',
      tags: ['raw', 'old'],
    });
    expect(columns[3]!.hidden).toBe(true);
  });

  it('takes the hidden key of Curio where no key is declared', async () => {
    await makeTable(t.home, 'hidden', {
      n: { type: 'int64', values: [5n] },
      _key: { type: 'int64', values: [1n] },
    });
    const { columns, key } = await describeAt('hidden');
    expect(key).toEqual(['_key']);
    expect(columns[1]).toMatchObject({ name: '_key', role: 'key', hidden: true });
  });

  it('says what a table of another program lacks, and the way out', async () => {
    await makeForeignTable(t.home, 'foreign', { n: { type: 'int64', values: [1n] } });
    const { notices, hasStableRowIds, key } = await describeAt('foreign');
    expect({ hasStableRowIds, key }).toEqual({ hasStableRowIds: false, key: [] });
    expect(notices).toHaveLength(2);
    expect(notices[0]).toMatch(/not merged.*Declare the key/);
    expect(notices[1]).toMatch(/without stable row ids.*Import it anew/);
  });

  it('knows pictures by their bytes in every layout, and shows some', async () => {
    await makeTable(t.home, 'pictures', {
      picture: {
        type: 'blob',
        values: [null, { data: tinyPng, uri: null }, { data: Buffer.alloc(0), uri: null }],
      },
      raw: { type: 'binary', values: [tinyPng, null, tinyPng] },
      image: {
        type: 'struct<bytes: binary, path: utf8>',
        values: [{ bytes: tinyPng, path: 'a.png' }, null, { bytes: null, path: 'c' }],
      },
    });
    const { columns, preview } = await describeAt('pictures');
    expect(columns.map(({ name, role }) => [name, role])).toEqual([
      ['picture', 'image'],
      ['raw', 'image'],
      ['image', 'image'],
    ]);
    expect(preview).toEqual({ column: 'picture', rowIds: ['1'] });
    await makeTable(t.home, 'mixed', mediaColumns);
    expect((await describeAt('mixed')).columns.find(({ name }) => name === 'picture')!.role).toBe('blob');
  });

  it('counts the bytes of blobs that lie beside the data, on branches too', async () => {
    const bytes = Buffer.alloc(1_000_000, 'x');
    const table = await makeTable(t.home, 'heavy', {
      v: {
        type: 'blob',
        values: [
          { data: bytes, uri: null },
          { data: bytes, uri: null },
        ],
      },
    });
    await (await table.branches()).create('exp');
    for (const branch of ['main', 'exp']) {
      const facts = await describeAt('heavy', branch);
      expect(facts.bytes).toBeGreaterThan(2_000_000);
      expect(facts.bytes).toBeLessThan(2_100_000);
    }
  });

  it('lists indexes with what they cover', async () => {
    const table = await makeTable(t.home, 'indexed', {
      n: { type: 'int64', values: BigInt64Array.from({ length: 300 }, (_, i) => BigInt(i)) },
    });
    await table.createIndex('n', { config: Index.btree(), name: 'n_idx' });
    await table.add([{ n: 1000n }]);
    const { indexes, columns } = await describeAt('indexed');
    expect(indexes).toEqual([
      { name: 'n_idx', column: 'n', kind: 'btree', coverage: 300 / 301, indexedRows: 300, unindexedRows: 1 },
    ]);
    expect(columns[0]!.index).toBe('n_idx');
  });

  it('is as it was at each version of each branch', async () => {
    const table = await makeTable(t.home, 'moving', { n: { type: 'int64', values: [1n] } });
    await (await table.branches()).create('exp');
    const exp = await t.home.connection.openTable('moving', [], { branch: 'exp' });
    await exp.addColumns([{ name: 'twice', valueSql: 'n * 2' }]);
    await table.add([{ n: 2n }]);
    const [main, branch] = [await describeAt('moving'), await describeAt('moving', 'exp')];
    expect([main.rows, main.columns.length, branch.rows, branch.columns.length]).toEqual([2, 1, 1, 2]);
    expect(
      (await t.reader.describe({ table: 'moving', ref: { branch: 'main', version: 1 } }, t.context)).rows,
    ).toBe(1);
  });

  it('keeps a guessed role from version to version, and shows no picture that is gone', async () => {
    const labels = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'cat' : 'dog'));
    const table = await makeTable(t.home, 'steady', {
      n: { type: 'int32', values: labels.map((_, i) => i) },
      what: { type: 'utf8', values: labels },
      picture: { type: 'blob', values: labels.map(() => ({ data: tinyPng, uri: null })) },
    });
    const first = await describeAt('steady');
    await table.update({
      where: 'n < 30',
      valuesSql: {
        what: "concat('a long text about number ', cast(n as string), ' that nobody would call a label')",
      },
    });
    await table.delete('n < 2');
    const second = await describeAt('steady');
    const roleOf = ({ columns }: typeof first) => columns.map(({ role }) => role);
    expect(roleOf(first)).toEqual(['number', 'label', 'image']);
    expect(roleOf(second)).toEqual(roleOf(first));
    expect(first.preview!.rowIds).toContain('0');
    expect(second.preview!.rowIds).not.toContain('0');
    expect(second.preview!.rowIds.length).toBeGreaterThan(0);
  });

  it('may be empty', async () => {
    await makeTable(t.home, 'empty', {
      picture: { type: 'blob', values: [] },
      text: { type: 'utf8', values: [] },
    });
    expect(await describeAt('empty')).toMatchObject({ rows: 0, preview: null });
  });

  it('is remade when its cached facts are damaged', async () => {
    await makeTable(t.home, 'cached', { n: { type: 'int64', values: [1n] } });
    const made = await describeAt('cached');
    const folder = join(t.cache, 'facts');
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) await writeFile(join(folder, file), '{');
    const later = await makeTestReader(t.home);
    expect(
      await later.reader.describe({ table: 'cached', ref: { branch: 'main', version: 1 } }, later.context),
    ).toEqual(made);
  });
});

describe('a table that cannot be read', () => {
  it('says so without naming a path', async () => {
    await makeTable(t.home, 'torn', { n: { type: 'int64', values: [1n] } });
    const versions = join(t.home.path, 'torn.lance/_versions');
    for (const file of await readdir(versions))
      if (file.endsWith('.manifest')) await writeFile(join(versions, file), '');
    const error = await t.reader
      .describe({ table: 'torn', ref: { branch: 'main', version: 1 } }, t.context)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'INVALID_FILE',
      message: expect.stringMatching(/torn at main:1 cannot be read/),
    });
    expect(JSON.stringify(error)).not.toContain(t.home.path.slice(1));
  });
});
