import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Index, type Table } from '@lancedb/lancedb';
import { describe, expect, test } from 'vitest';
import { branchTables, upsert } from '../../../testing/branched-table.ts';
import { type MadeColumn, makeArrowTable } from '../../../testing/columns.ts';

const t = branchTables();
const isKey = { 'curio:key': '1' };
const rows = 600;
const blobBytes = 20_000;
const count = <T>(of: (at: number) => T, from = 0, to = rows): T[] =>
  Array.from({ length: to - from }, (_none, at) => of(from + at));

const blobOf = (at: number) => ({ data: Buffer.alloc(blobBytes, at % 251), uri: null });
const vectorOf = (at: number): number[] => [at, (at * 7) % 13, (at * 3) % 5, 1, 0, 0, 0, 0];
const table = (from: number, to: number): Record<string, MadeColumn> => ({
  id: { type: 'int64', values: count(BigInt, from, to), metadata: isKey },
  label: { type: 'utf8', values: count((at) => `label ${at % 4}`, from, to) },
  vector: { type: 'fixed_size_list<float32>[8]', values: count(vectorOf, from, to) },
});
const withBlobs = (from: number, to: number): Record<string, MadeColumn> => ({
  ...table(from, to),
  picture: { type: 'blob', values: count(blobOf, from, to) },
});

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

const coverage = async (handle: Table): Promise<Record<string, (number | undefined)[]>> =>
  Object.fromEntries(
    (await handle.listIndices()).map(({ columns, numIndexedRows, numUnindexedRows }) => [
      columns[0],
      [numIndexedRows, numUnindexedRows],
    ]),
  );

const index = async (handle: Table) => {
  await handle.createIndex('id', { config: Index.btree() });
  await handle.createIndex('label', { config: Index.bitmap() });
  await handle.createIndex('vector', { config: Index.ivfFlat({ numPartitions: 2 }) });
};

describe('a merge', () => {
  const relabel = (handle: Table) =>
    handle
      .mergeInsert('id')
      .whenMatchedUpdateAll()
      .execute(
        makeArrowTable({
          id: { type: 'int64', values: count(BigInt, 0, 10) },
          label: { type: 'utf8', values: count(() => 'new label', 0, 10) },
        }),
      );

  test('of labels writes no blob again, and of new rows only theirs', async () => {
    await t.start(withBlobs(0, rows), { before: index });
    await relabel(t.exp);
    await t.exp.delete('id in (20, 21)');
    await t.exp.add(makeArrowTable(withBlobs(rows, rows + 3)));
    const folder = join(t.home.path, `${t.name}.lance`);
    const before = await bytesIn(folder);
    expect(await t.merge()).toMatchObject({ rows: { inserted: 3, updated: 10, deleted: 2 } });
    const grown = (await bytesIn(folder)) - before;
    expect(grown).toBeGreaterThan(3 * blobBytes);
    expect(grown).toBeLessThan(3 * blobBytes + 150_000);
    const found = await t.main.query().where("label = 'new label'").withRowId().toArray();
    const blobs = await t.main.fetchBlobs(
      'picture',
      found.map(({ _rowid }) => BigInt(_rowid)),
    );
    expect(blobs.map((blob) => blob?.[0])).toEqual(found.map(({ id }) => Number(id) % 251));
  });

  test.each([
    ['with blobs', withBlobs],
    ['without blobs', table],
  ])('leaves the indexes of a table %s usable, with what they cover', async (_name, make) => {
    await t.start(make(0, rows), { before: index });
    await relabel(t.exp);
    await t.exp.add(makeArrowTable(make(rows, rows + 3)));
    await upsert(t.main, ['id'], make(rows + 10, rows + 12));
    await t.merge();
    const total = rows + 5;
    expect(await t.main.countRows()).toBe(total);
    for (const [column, [indexed, rest]] of Object.entries(await coverage(t.main))) {
      expect((indexed ?? 0) + (rest ?? 0), column).toBe(total);
      if (column === 'vector') expect(indexed, column).toBeGreaterThanOrEqual(rows - 10);
    }
    expect(Object.keys(await coverage(t.main)).sort()).toEqual(['id', 'label', 'vector']);
    expect(await t.main.countRows("label = 'new label'")).toBe(10);
    expect(await t.main.countRows(`id in (3, ${rows + 1}, ${rows + 11})`)).toBe(3);
    for (const at of [3, 300, rows + 1]) {
      const [nearest] = await t.main
        .query()
        .nearestTo(vectorOf(at))
        .nprobes(2)
        .select(['id', '_distance'])
        .limit(1)
        .toArray();
      expect([Number(nearest.id), nearest._distance]).toEqual([at, 0]);
    }
    await t.main.optimize();
    for (const [column, covered] of Object.entries(await coverage(t.main)))
      expect(covered, column).toEqual([total, 0]);
  });
});
