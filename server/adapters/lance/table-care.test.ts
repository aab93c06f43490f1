import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TableReader } from '../../ports/table-reader.ts';
import type { TableWriter } from '../../ports/table-writer.ts';
import { makeArrowTable } from '../../testing/columns.ts';
import { everyType, makeTable, makeTestHome, type TestHome } from '../../testing/tables.ts';
import { createLanceTableCare } from './table-care.ts';
import { createLanceParts, createLanceReader } from './table-reader.ts';

const context = { signal: new AbortController().signal };
let home: TestHome;
let writer: ReturnType<typeof createLanceTableCare>;
let reader: Pick<TableReader, 'readHeads' | 'describe' | 'count'>;

beforeEach(async () => {
  home = await makeTestHome();
  writer = createLanceTableCare(home);
  reader = createLanceReader(createLanceParts({ home, cache: `${home.path}/.cache` }));
  await makeTable(home, 't', {
    id: { type: 'int64', values: [1n, 2n, 3n] },
    name: { type: 'utf8', values: ['a', 'b', 'b'] },
    'odd name': { type: 'int32', values: [1, null, 3] },
    tags: { type: 'list<utf8>', values: [['a'], ['b'], []] },
    vec: { type: 'fixed_size_list<float32>[8]', values: [1, 2, 3].map((n) => [n, 1, 2, 3, 4, 5, 6, 7]) },
    vec3: { type: 'fixed_size_list<float32>[3]', values: [[1, 2, 3], null, [3, 2, 1]] },
    empty: { type: 'fixed_size_list<float32>[3]', values: [null, null, null] },
  });
});
afterEach(() => home.remove());

const heads = async () =>
  (await reader.readHeads({ table: 't' }, context)).branches.map(({ name, version, parent }) => ({
    name,
    version,
    parent,
  }));
const main = (version: number) => ({ branch: 'main', version });

describe('branches', () => {
  it('begin at any version of any branch', async () => {
    await (await home.connection.openTable('t')).delete('id = 1');
    await writer.createBranch({ table: 't', name: 'exp', from: main(1) }, context);
    await writer.createBranch({ table: 't', name: 'team/ä', from: { branch: 'exp', version: 1 } }, context);
    expect(await heads()).toEqual([
      { name: 'main', version: 2, parent: null },
      { name: 'exp', version: 1, parent: main(1) },
      { name: 'team/ä', version: 1, parent: { branch: 'exp', version: 1 } },
    ]);
    expect((await reader.count({ table: 't', ref: { branch: 'team/ä', version: 1 } }, context)).rows).toBe(3);
  });

  it('refuse a name that is taken, and leave what is there alone', async () => {
    await writer.createBranch({ table: 't', name: 'exp', from: main(1) }, context);
    await (await home.connection.openTable('t', [], { branch: 'exp' })).delete('id = 1');
    for (const name of ['exp', 'main'])
      await expect(writer.createBranch({ table: 't', name, from: main(1) }, context)).rejects.toMatchObject({
        code: 'EXISTS',
      });
    expect(await heads()).toContainEqual({ name: 'exp', version: 2, parent: main(1) });
  });

  it('leave nothing behind when they are deleted, also where others lie below their name', async () => {
    for (const name of ['a', 'a/b']) await writer.createBranch({ table: 't', name, from: main(1) }, context);
    const stale = await home.connection.openTable('t', [], { branch: 'a' });
    await stale.delete('id = 1');
    await writer.deleteBranch({ table: 't', name: 'a' }, context);
    await stale.add(makeArrowTable({ id: { type: 'int64', values: [9n] } })).catch(() => undefined);
    await writer.createBranch({ table: 't', name: 'a', from: main(1) }, context);
    expect((await reader.count({ table: 't', ref: { branch: 'a', version: 1 } }, context)).rows).toBe(3);
    expect((await reader.count({ table: 't', ref: { branch: 'a/b', version: 1 } }, context)).rows).toBe(3);
    await writer.deleteBranch({ table: 't', name: 'a/b' }, context);
    await writer.deleteBranch({ table: 't', name: 'a' }, context);
    expect(await home.storage.list('t.lance/tree')).toEqual([]);
    expect(await heads()).toEqual([{ name: 'main', version: 1, parent: null }]);
  });

  it('stay while tags or branches depend on them', async () => {
    await writer.createBranch({ table: 't', name: 'exp', from: main(1) }, context);
    await (await home.connection.openTable('t', [], { branch: 'exp' })).delete('id = 1');
    await writer.createTag({ table: 't', name: 'golden', ref: { branch: 'exp', version: 2 } }, context);
    await expect(writer.deleteBranch({ table: 't', name: 'exp' }, context)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await writer.deleteTag({ table: 't', name: 'golden' }, context);
    await writer.createBranch({ table: 't', name: 'child', from: { branch: 'exp', version: 2 } }, context);
    await expect(writer.deleteBranch({ table: 't', name: 'exp' }, context)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await heads()).map(({ name }) => name)).toEqual(['main', 'child', 'exp']);
  });
});

describe('tags', () => {
  it('name versions of any branch once', async () => {
    await writer.createBranch({ table: 't', name: 'exp', from: main(1) }, context);
    await (await home.connection.openTable('t', [], { branch: 'exp' })).delete('id = 1');
    await writer.createTag({ table: 't', name: 'v1', ref: main(1) }, context);
    await writer.createTag({ table: 't', name: 'golden', ref: { branch: 'exp', version: 2 } }, context);
    expect((await reader.readHeads({ table: 't' }, context)).tags).toMatchObject([
      { name: 'golden', branch: 'exp', version: 2 },
      { name: 'v1', branch: 'main', version: 1 },
    ]);
    await expect(writer.createTag({ table: 't', name: 'v1', ref: main(1) }, context)).rejects.toMatchObject({
      code: 'EXISTS',
    });
    await expect(writer.createTag({ table: 't', name: 'v9', ref: main(9) }, context)).rejects.toMatchObject({
      code: 'GONE',
    });
  });
});

describe('indexes', () => {
  const create = (column: string, kind: string) =>
    writer.createIndex({ table: 't', branch: 'main', column, kind }, context);
  const list = async () => {
    const { version } = (await reader.readHeads({ table: 't' }, context)).branches[0]!;
    return (await reader.describe({ table: 't', ref: main(version) }, context)).indexes;
  };

  it('of every kind are built and listed with their coverage', async () => {
    const wanted: [string, string][] = [
      ['id', 'btree'],
      ['odd name', 'bitmap'],
      ['tags', 'labelList'],
      ['name', 'text'],
      ['vec', 'vector'],
      ['vec3', 'vector'],
    ];
    for (const [column, kind] of wanted) await create(column, kind);
    expect(await list()).toEqual(
      expect.arrayContaining(
        wanted.map(([column, kind]) =>
          expect.objectContaining({ name: `${column}_${kind}`, column, kind, coverage: 1 }),
        ),
      ),
    );
    await (await home.connection.openTable('t')).add(makeArrowTable({ id: { type: 'int64', values: [4n] } }));
    expect((await list()).find(({ kind }) => kind === 'btree')).toMatchObject({
      indexedRows: 3,
      unindexedRows: 1,
      coverage: 0.75,
    });
  });

  it('of two scalar kinds on one column take turns, with a text index beside them', async () => {
    await create('name', 'text');
    await create('name', 'btree');
    await create('name', 'bitmap');
    await create('name', 'bitmap');
    expect((await list()).map(({ name }) => name).sort()).toEqual(['name_bitmap', 'name_text']);
  });

  it.each([
    ['name', 'labelList', 'BAD_REQUEST'],
    ['tags', 'btree', 'BAD_REQUEST'],
    ['vec', 'text', 'BAD_REQUEST'],
    ['name', 'vector', 'BAD_REQUEST'],
    ['name', 'nonsense', 'BAD_REQUEST'],
    ['empty', 'vector', 'CONFLICT'],
    ['nope', 'btree', 'CONFLICT'],
  ])('are refused on %s as %s', async (column, kind, code) => {
    await expect(create(column, kind)).rejects.toMatchObject({ code });
    expect(await list()).toEqual([]);
  });

  it('are dropped by name', async () => {
    await create('id', 'btree');
    await expect(
      writer.dropIndex({ table: 't', branch: 'main', index: 'id_btre' }, context),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: 'Did you mean “id_btree”?',
    });
    await writer.dropIndex({ table: 't', branch: 'main', index: 'id_btree' }, context);
    expect(await list()).toEqual([]);
  });

  it('belong to their branch', async () => {
    await writer.createBranch({ table: 't', name: 'exp', from: main(1) }, context);
    await writer.createIndex({ table: 't', branch: 'exp', column: 'id', kind: 'btree' }, context);
    expect(await list()).toEqual([]);
  });
});

describe('facts', () => {
  const facts = async (table = 't') => {
    const { version } = (await reader.readHeads({ table }, context)).branches[0]!;
    const described = await reader.describe({ table, ref: main(version) }, context);
    return { ...described, version };
  };
  const set = (input: Partial<Parameters<TableWriter['setFacts']>[0]>) =>
    writer.setFacts({ table: 't', branch: 'main', ...input }, context);

  it('are kept in the fields, as one version', async () => {
    const { version } = await set({
      key: ['id'],
      description: 'Things, “quoted”',
      columns: {
        name: { role: 'label', description: 'What it is', tags: ['x', 'y, z'] },
        'odd name': { hidden: true },
      },
    });
    expect(version).toBe(2);
    const after = await facts();
    expect(after).toMatchObject({ key: ['id'], description: 'Things, “quoted”' });
    expect(after.columns.find(({ name }) => name === 'name')).toMatchObject({
      role: 'label',
      description: 'What it is',
      tags: ['x', 'y, z'],
    });
    expect(after.columns.find(({ name }) => name === 'odd name')).toMatchObject({ hidden: true });
    await set({
      description: '',
      columns: { name: { role: null, description: '', tags: [] }, 'odd name': { hidden: false } },
    });
    expect(await facts()).toMatchObject({ key: ['id'], description: '' });
  });

  it('that are so already make no version', async () => {
    await set({ key: ['id'], columns: { name: { tags: ['x'] } } });
    expect((await set({ key: ['id'], columns: { name: { tags: ['x'] } } })).version).toBe(2);
  });

  it('change the key to other columns, in their order', async () => {
    await set({ key: ['id'] });
    await set({ key: ['name', 'id'] });
    expect((await facts()).key).toEqual(['name', 'id']);
    await set({ key: [] });
    expect((await facts()).key).toEqual([]);
  });

  it.each([
    [['name'], 'CONFLICT', '"b" is there more than once'],
    [['odd name'], 'CONFLICT', '“odd name” is null'],
    [['vec'], 'BAD_REQUEST', 'cannot be a key'],
    [['nope'], 'BAD_REQUEST', 'no column “nope”'],
  ])('refuse %j as the key', async (key, code, message) => {
    await expect(set({ key })).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect((await facts()).version).toBe(1);
  });

  it('take whole numbers in float columns as keys, as JavaScript writes them, and no others', async () => {
    await makeTable(home, 'floats', {
      id: { type: 'float64', values: [1, 2, 2 ** 53 - 1] },
      part: { type: 'float64', values: [1, 2.5, 3] },
      odd: { type: 'float64', values: [1, Number.NaN, 3] },
      zero: { type: 'float64', values: [0, -0, 3] },
      name: { type: 'utf8', values: ['a', 'b', 'c'] },
    });
    const tryKey = (key: string[]) => writer.setFacts({ table: 'floats', branch: 'main', key }, context);
    for (const name of ['part', 'odd', 'zero'])
      await expect(tryKey([name])).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('no whole number'),
      });
    await tryKey(['id']);
    expect((await facts('floats')).key).toEqual(['id']);
  });

  it('find the one duplicate among many keys, whatever their type', async () => {
    const count = 20_000;
    const ids = BigInt64Array.from({ length: count }, (_, i) => BigInt(i) * 4_611_686_018_427n);
    const names = Array.from({ length: count }, (_, i) => `name ${i}`);
    await makeTable(home, 'many', {
      id: { type: 'int64', values: ids },
      pair: { type: 'int32', values: Int32Array.from({ length: count }, (_, i) => i % 200) },
      other: { type: 'utf8', values: names.map((name, i) => (i === 19_999 ? 'name 7' : name)) },
      group: { type: 'int32', values: Int32Array.from({ length: count }, (_, i) => Math.floor(i / 200)) },
    });
    const tryKey = (key: string[]) => writer.setFacts({ table: 'many', branch: 'main', key }, context);
    await expect(tryKey(['other'])).rejects.toMatchObject({ message: expect.stringContaining('"name 7"') });
    await expect(tryKey(['pair'])).rejects.toMatchObject({ code: 'CONFLICT' });
    await tryKey(['pair', 'group']);
    await tryKey(['id']);
    expect((await facts('many')).key).toEqual(['id']);
  });

  it('can be set on columns of every type', async () => {
    await makeTable(home, 'every', everyType);
    const columns = Object.fromEntries(
      Object.keys(everyType).map((name) => [name, { description: `About ${name}` }]),
    );
    await writer.setFacts({ table: 'every', branch: 'main', columns }, context);
    expect((await facts('every')).columns.map(({ description }) => description)).toEqual(
      Object.keys(everyType).map((name) => `About ${name}`),
    );
  });
});

describe('what goes wrong', () => {
  it('a branch whose file is damaged keeps its name and its rows', async () => {
    await writer.createBranch({ table: 't', name: 'a/b', from: main(1) }, context);
    const path = `${home.path}/t.lance/_refs/branches/a%2Fb.json`;
    const whole = await readFile(path);
    await writeFile(path, '{');
    await expect(
      writer.createBranch({ table: 't', name: 'a/b', from: main(1) }, context),
    ).rejects.toMatchObject({ code: 'EXISTS' });
    await writeFile(path, whole);
    expect((await reader.count({ table: 't', ref: { branch: 'a/b', version: 1 } }, context)).rows).toBe(3);
  });

  it('an index whose building was cancelled is not left behind', async () => {
    const abortedMeanwhile = { aborted: true, throwIfAborted: () => undefined } as AbortSignal;
    const building = writer.createIndex(
      { table: 't', branch: 'main', column: 'id', kind: 'btree' },
      { signal: abortedMeanwhile },
    );
    await expect(building).rejects.toMatchObject({ code: 'ABORTED' });
    const table = await home.connection.openTable('t');
    expect(await table.listIndices()).toEqual([]);
  });
});
