import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestReader, type TestReader } from '../../testing/reader.ts';
import { makeForeignTable, makeTable } from '../../testing/tables.ts';
import { manifestNames, versionOfManifest } from './table-files.ts';

let t: TestReader;
const numbers = { n: { type: 'int64', values: [1n, 2n] } };
const headsOf = (table: string) => t.reader.readHeads({ table }, t.context);

beforeAll(async () => {
  t = await makeTestReader();
});
afterAll(() => t.home.remove());

describe('heads', () => {
  it('are the newest versions of main and of every branch, with their parents and times', async () => {
    const before = Date.now();
    const table = await makeTable(t.home, 'forked', numbers);
    await table.add([{ n: 3n }]);
    const branches = await table.branches();
    await branches.create('exp/ü-1', 'main', 1);
    await branches.create('empty');
    await branches.create('curio-pin/review-1');
    const exp = await t.home.connection.openTable('forked', [], { branch: 'exp/ü-1' });
    await exp.add([{ n: 4n }]);
    await exp.add([{ n: 5n }]);
    await (await exp.tags()).create('golden', 2);
    const { branches: heads, tags, uuid } = await headsOf('forked');
    expect(uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(heads.map(({ name, version, parent }) => ({ name, version, parent }))).toEqual([
      { name: 'main', version: 2, parent: null },
      { name: 'empty', version: 2, parent: { branch: 'main', version: 2 } },
      { name: 'exp/ü-1', version: 3, parent: { branch: 'main', version: 1 } },
    ]);
    expect(heads.map(({ createdAt }) => createdAt === null)).toEqual([true, false, false]);
    for (const { updatedAt } of heads) expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(before - 1000);
    expect(tags.map(({ name, branch, version }) => ({ name, branch, version }))).toEqual([
      { name: 'golden', branch: 'exp/ü-1', version: 2 },
    ]);
    expect(Date.parse(tags[0]!.createdAt!)).toBeGreaterThanOrEqual(before - 1000);
  });

  it('follow what other programs commit at once', async () => {
    const table = await makeForeignTable(t.home, 'busy', numbers);
    for (let version = 1; version <= 12; version++) {
      expect((await headsOf('busy')).branches[0]!.version).toBe(version);
      await table.add([{ n: BigInt(version) }]);
    }
  });

  it('a branch that is made again is another branch', async () => {
    const table = await makeTable(t.home, 'again', numbers);
    const branches = await table.branches();
    const made = new Set<string | null>();
    for (let round = 0; round < 5; round++) {
      await branches.create('b');
      made.add((await headsOf('again')).branches[1]!.createdAt);
      await branches.delete('b');
    }
    expect(made.size).toBe(5);
    for (const createdAt of made)
      expect(new Date(createdAt!).toISOString().slice(0, 19)).toBe(createdAt!.slice(0, 19));
  });

  it('of a table that is not there are NOT_FOUND', async () => {
    await expect(headsOf('nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      t.reader.describe({ table: 'nowhere', ref: { branch: 'main', version: 1 } }, t.context),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await t.reader.listTables({}, t.context)).map(({ name }) => name)).not.toContain('nowhere');
  });

  it('write nothing into a folder that is no table', async () => {
    await mkdir(join(t.home.path, 'notes.lance'));
    await expect(headsOf('notes')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await readdir(join(t.home.path, 'notes.lance'))).toEqual([]);
  });

  it('leave a branch out whose file is damaged, and keep the others', async () => {
    const table = await makeTable(t.home, 'scarred', numbers);
    await (await table.branches()).create('good');
    await writeFile(join(t.home.path, 'scarred.lance/_refs/branches/bad.json'), '{');
    expect((await headsOf('scarred')).branches.map(({ name }) => name)).toEqual(['main', 'good']);
  });
});

describe('versions', () => {
  it('are there until they are cleaned up', async () => {
    const table = await makeTable(t.home, 'cleaned', numbers);
    await table.add([{ n: 3n }]);
    await table.add([{ n: 4n }]);
    const has = async (version: number) =>
      (await t.reader.hasVersion({ table: 'cleaned', ref: { branch: 'main', version } }, t.context)).exists;
    expect([await has(1), await has(3), await has(4)]).toEqual([true, true, false]);
    await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
    expect(await has(1)).toBe(false);
  });

  it('are read from the names of manifests, new and old', () => {
    for (const version of [1, 2, 10_000, 2 ** 40]) {
      const [inverse, plain] = manifestNames(version);
      expect([versionOfManifest(inverse!), versionOfManifest(plain!)]).toEqual([version, version]);
    }
    expect(['latest_version_hint.json', 'd123.manifest', '.tmp.manifest'].map(versionOfManifest)).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('the identity of a table', () => {
  it('stays through writes, compaction and clean-up', async () => {
    const table = await makeTable(t.home, 'same', numbers);
    const { uuid } = await headsOf('same');
    await table.add([{ n: 3n }]);
    await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
    expect((await headsOf('same')).uuid).toBe(uuid);
  });

  it('is the same for all who look at once', async () => {
    await makeTable(t.home, 'shared', numbers);
    const seen = await Promise.all(Array.from({ length: 8 }, () => headsOf('shared')));
    expect(new Set(seen.map(({ uuid }) => uuid)).size).toBe(1);
  });

  it('is another for a table that takes the name of a dropped one', async () => {
    await makeTable(t.home, 'dropped', numbers);
    const { uuid } = await headsOf('dropped');
    await t.home.connection.dropTable('dropped');
    await makeTable(t.home, 'dropped', numbers);
    expect((await headsOf('dropped')).uuid).not.toBe(uuid);
  });

  it('is another for a copy under another name', async () => {
    await makeTable(t.home, 'original', numbers);
    const { uuid } = await headsOf('original');
    await cp(join(t.home.path, 'original.lance'), join(t.home.path, 'copy.lance'), { recursive: true });
    const copy = await headsOf('copy');
    expect(copy.uuid).not.toBe(uuid);
    expect((await headsOf('copy')).uuid).toBe(copy.uuid);
    expect((await headsOf('original')).uuid).toBe(uuid);
  });
});

describe('the list of tables', () => {
  it('has every Lance folder, a reason where it cannot be opened, and nothing that begins with a dot', async () => {
    const own = await makeTestReader();
    await makeTable(own.home, 'b.2', numbers);
    await makeForeignTable(own.home, 'a', numbers);
    await makeTable(own.home, 'torn', numbers);
    await rm(join(own.home.path, 'torn.lance/_versions'), { recursive: true });
    await mkdir(join(own.home.path, '.importing-x.lance/_versions'), { recursive: true });
    await mkdir(join(own.home.path, 'with space.lance/_versions'), { recursive: true });
    await mkdir(join(own.home.path, 'folder'));
    await writeFile(join(own.home.path, 'notes.txt'), '');
    const tables = await own.reader.listTables({}, own.context);
    expect(tables.map(({ name, problem }) => [name, problem === null])).toEqual([
      ['a', true],
      ['b.2', true],
      ['torn', false],
      ['with space', false],
    ]);
    expect(tables[2]!.problem).toMatch(/no version/);
    expect(tables[3]!.problem).toMatch(/Rename its folder/);
    await own.home.remove();
  });
});
