import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeArrowTable } from '../../testing/columns.ts';
import { makeTestReader, type TestReader } from '../../testing/reader.ts';
import { makeForeignTable, makeTable } from '../../testing/tables.ts';
import { blobFileName } from './blob-places.ts';

let t: TestReader;
beforeAll(async () => {
  t = await makeTestReader();
});
afterAll(() => t.home.remove());

const sizes = [0, 10, 5_000, 65_536, 70_000, 300_000, 5_000_000];
/** Of every layout, told apart by their first byte. */
const values = (seed: number) =>
  sizes.map((size, at) => ({ data: Buffer.alloc(size, 1 + seed * 16 + at), uri: null }));
const columns = (from: number, seed: number) => ({
  id: {
    type: 'int64',
    values: [...sizes.map((_none, at) => BigInt(from + at)), BigInt(from + sizes.length)],
  },
  n: { type: 'int32', values: [...sizes.map(() => 0), 0] },
  file: { type: 'blob', values: [...values(seed), null] },
});

interface Seen {
  bytes: string;
  isPlaced: boolean;
}

async function see(table: string, branch: string, version: number, rowId: string): Promise<Seen> {
  const { facts, chunks } = await t.reader.blob(
    { table, ref: { branch, version }, column: 'file', rowId },
    t.context,
  );
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const bytes = Buffer.concat(parts);
  expect(bytes.length).toBe(facts.sizeBytes);
  return { bytes: `${bytes.length} × ${bytes[0] ?? 'none'}`, isPlaced: facts.place !== undefined };
}

/** Every value of a ref as Lance gives it, by row id. */
async function byLance(
  table: string,
  branch: string,
): Promise<{ version: number; rows: Map<string, string> }> {
  const handle = await t.home.connection.openTable(table, [], branch === 'main' ? {} : { branch });
  const ids = (await handle.query().where('file is not null').withRowId().select(['id']).toArray()).map(
    (row) => row._rowid as bigint,
  );
  const blobs = await handle.fetchBlobs('file', ids);
  const rows = new Map(
    ids.map((id, at) => {
      const bytes = blobs[at] as Uint8Array;
      return [String(id), `${bytes.length} × ${bytes[0] ?? 'none'}`];
    }),
  );
  return { version: await handle.version(), rows };
}

async function expectSame(table: string, branch = 'main'): Promise<void> {
  const { version, rows } = await byLance(table, branch);
  for (const [rowId, bytes] of rows)
    expect({ rowId, ...(await see(table, branch, version, rowId)) }).toEqual({
      rowId,
      bytes,
      isPlaced: true,
    });
}

test('the bytes of every layout are where they are said to be, after updates, deletes, branches and compaction', async () => {
  const table = await makeTable(t.home, 'files', columns(0, 0));
  await table.add(makeArrowTable(columns(100, 1)));
  await expectSame('files');
  await table.update({ where: 'id = 2 or id = 104', values: { n: '1' } });
  await table.delete('id = 3');
  await expectSame('files');
  await (await table.branches()).create('side');
  const side = await t.home.connection.openTable('files', [], { branch: 'side' });
  await side.add(makeArrowTable(columns(200, 2)));
  await side.update({ where: 'id = 105', values: { n: '2' } });
  await expectSame('files', 'side');
  await table.optimize();
  await expectSame('files');
});

test('tables without stable row ids are read alike', async () => {
  await makeForeignTable(t.home, 'foreign', columns(0, 3));
  await expectSame('foreign');
});

test('a table that takes the name of another has its own bytes', async () => {
  await makeTable(t.home, 'again', {
    file: { type: 'blob', values: [{ data: Buffer.from('old'), uri: null }] },
  });
  expect((await see('again', 'main', 1, '0')).bytes).toBe(`3 × ${'o'.charCodeAt(0)}`);
  await t.home.connection.dropTable('again');
  await makeTable(t.home, 'again', {
    file: { type: 'blob', values: [{ data: Buffer.from('newer'), uri: null }] },
  });
  expect((await see('again', 'main', 1, '0')).bytes).toBe(`5 × ${'n'.charCodeAt(0)}`);
});

test('a file that is not there says so before a byte is sent', async () => {
  const missing = { place: { path: 'files.lance/data/none.blob', start: 0 }, start: 0, end: 10 };
  await expect(t.reader.placedBytes(missing, t.context)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('sidecar files are named by their number, lowest bit first', () => {
  expect([1, 2, 5].map((id) => blobFileName(id).slice(0, 4))).toEqual(['1000', '0100', '1010']);
});
