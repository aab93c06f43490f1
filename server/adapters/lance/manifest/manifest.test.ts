import { Index } from '@lancedb/lancedb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrow } from '../../../arrow/arrow.ts';
import { makeArrowTable } from '../../../testing/columns.ts';
import { makeTable, makeTestHome, type TestHome } from '../../../testing/tables.ts';
import { parseManifest } from './manifest.ts';
import { folderOf, readDeletedOffsets, readManifest } from './read-manifest.ts';
import { readRowIds, readVersionRuns } from './row-ids.ts';
import { readTransaction, readUpdatedFields } from './transaction.ts';

let home: TestHome;
beforeAll(async () => {
  home = await makeTestHome();
});
afterAll(() => home.remove());

const ids = (from: number, to: number) =>
  BigInt64Array.from({ length: to - from }, (_, i) => BigInt(from + i));

/** Row ids by place, as Lance tells them and as the manifest does. */
async function placesOf(name: string, branch: string) {
  const table = await home.connection.openTable(name, [], branch === 'main' ? {} : { branch });
  const rows = await table.query().select(['_rowid', '_rowaddr', '_row_last_updated_at_version']).toArray();
  const told = rows.map((row) => [
    Number(row._rowaddr),
    Number(row._rowid),
    Number(row._row_last_updated_at_version),
  ]);
  const ref = { branch, version: await table.version() };
  const manifest = await readManifest(home, name, ref);
  const read: number[][] = [];
  for (const fragment of manifest!.fragments) {
    const deleted = new Set(
      await readDeletedOffsets(home, { table: name, ref, manifest: manifest!, fragment }),
    );
    const sequence = readRowIds(fragment.rowIds!);
    const updated = readVersionRuns(fragment.lastUpdated!).flatMap(({ length, version }) =>
      new Array<number>(length).fill(version),
    );
    expect([sequence.length, updated.length]).toEqual([fragment.physicalRows, fragment.physicalRows]);
    for (let offset = 0; offset < fragment.physicalRows; offset++)
      if (!deleted.has(offset))
        read.push([fragment.id * 2 ** 32 + offset, sequence.at(offset), updated[offset]!]);
  }
  const byAddress = (a: number[], b: number[]) => a[0]! - b[0]!;
  return { told: told.sort(byAddress), read: read.sort(byAddress), manifest: manifest!, ref };
}

describe('a manifest', () => {
  test('tells columns, files, row ids and deletions as Lance does, on main and on branches', async () => {
    const table = await makeTable(home, 'birds', { id: { type: 'int64', values: ids(0, 9000) } });
    await table.add(new arrow.Table({ id: arrow.makeVector(ids(9000, 9500)) }));
    await (await table.branches()).create('a');
    const branch = await home.connection.openTable('birds', [], { branch: 'a' });
    await branch.update({ where: 'id % 7 = 0', values: { id: '3' } });
    await branch.delete('id % 3 = 1');
    await (await branch.branches()).create('a/b', 'a');
    const nested = await home.connection.openTable('birds', [], { branch: 'a/b' });
    await nested.delete('id = 5');
    for (const name of ['main', 'a', 'a/b']) {
      const { told, read } = await placesOf('birds', name);
      expect(read).toEqual(told);
    }
    await branch.optimize();
    const { told, read, manifest, ref } = await placesOf('birds', 'a');
    expect(read).toEqual(told);
    expect(manifest.fields).toMatchObject([{ id: 0, parentId: -1, name: 'id', logicalType: 'int64' }]);
    expect([manifest.version, manifest.hasStableRowIds, manifest.nextRowId]).toEqual([
      ref.version,
      true,
      9500,
    ]);
  });

  test('names the folder of a file that a branch took from its parent', async () => {
    const { manifest, ref } = await placesOf('birds', 'a/b');
    const inherited = manifest.fragments[0]!.files[0]!;
    expect(folderOf(manifest, 'birds', ref, inherited.baseId)).toBe('birds.lance');
    expect(folderOf(manifest, 'birds', ref, null)).toBe('birds.lance/tree/a/b');
  });

  test('says what made the version', async () => {
    const table = await makeTable(home, 'fish', { id: { type: 'int64', values: ids(0, 3) } });
    await table.delete('id = 1');
    const manifest = (await readManifest(home, 'fish', { branch: 'main', version: 2 }))!;
    const transaction = await readTransaction(home, { table: 'fish', branch: 'main', manifest });
    expect(transaction).toMatchObject({ readVersion: 1, operation: 'delete' });
    expect(await readManifest(home, 'fish', { branch: 'main', version: 9 })).toBeNull();
  });

  test('says which fields an update has set, in whatever way it wrote them', async () => {
    const row = (id: bigint, n: number) => ({
      id: { type: 'int64', values: [id] },
      n: { type: 'int32', values: [n] },
      s: { type: 'struct<x: int32>', values: [{ x: n }] },
    });
    const table = await makeTable(home, 'owls', {
      id: { type: 'int64', values: ids(0, 9) },
      n: { type: 'int32', values: Array(9).fill(0) },
      s: { type: 'struct<x: int32>', values: Array(9).fill({ x: 0 }) },
    });
    const fieldsOfNewest = async () => {
      const manifest = (await readManifest(home, 'owls', {
        branch: 'main',
        version: await table.version(),
      }))!;
      const { detail } = (await readTransaction(home, { table: 'owls', branch: 'main', manifest }))!;
      return readUpdatedFields(detail).sort();
    };
    const merge = (rows: Parameters<typeof makeArrowTable>[0]) =>
      table.mergeInsert('id').whenMatchedUpdateAll().execute(makeArrowTable(rows));
    await table.update({ where: 'id = 1', valuesSql: { n: 'n + 1' } });
    expect(await fieldsOfNewest()).toEqual([1]);
    await merge(row(2n, 2));
    expect(await fieldsOfNewest()).toEqual([0, 1, 2, 3]);
    await table.createIndex('id', { config: Index.btree() });
    const { s: _, ...partial } = row(3n, 3);
    await merge(partial);
    expect(await fieldsOfNewest()).toEqual([0, 1]);
  });

  test('that is damaged is INVALID_FILE, wherever it is cut or changed', async () => {
    const bytes = (await home.storage.read('fish.lance/_versions/18446744073709551613.manifest'))!;
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), (end) => {
        expect(() => parseManifest(bytes.subarray(0, end))).toThrow(
          expect.objectContaining({ code: 'INVALID_FILE' }),
        );
      }),
    );
  });
});

test('deletions of every density are read', async () => {
  for (const [name, where] of [
    ['few', 'id % 1000 = 3'],
    ['half', 'id % 2 = 0'],
    ['runs', 'id between 1000 and 60000'],
    ['many', 'id % 100 != 7'],
  ] as const) {
    const table = await makeTable(home, name, { id: { type: 'int64', values: ids(0, 100_000) } });
    await table.delete(where);
    const { told, read } = await placesOf(name, 'main');
    expect(read).toEqual(told);
  }
});
