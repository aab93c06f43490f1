import { Index, type Table } from '@lancedb/lancedb';
import { arrow } from '../server/arrow/arrow.ts';
import type { BenchCurio } from './curio.ts';
import { comparePairs, type Result } from './harness.ts';
import { readIpcBytes } from './lance-peer.ts';
import { connectBench, makeWideTable } from './tables.ts';

const million = 1_000_000;
const table = 'wide10';
const scanBatchRows = 8192;
const rowsPerMerge = 100_000;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Many changes, and whole columns, in a table of 1 M rows × 10 columns. */
export async function benchWide(home: string, curio: BenchCurio): Promise<Result[]> {
  await makeWideTable(home, table, { rows: million, columns: 10, hasText: false });
  const db = await connectBench(home);
  const main = await db.openTable(table);
  await main.updateFieldMetadata([{ path: 'id', metadata: { 'curio:key': '1' } }]);
  await main.createIndex('id', { config: Index.btree() });
  const base = { branch: 'main', version: await main.version() };
  const branch = async (name: string, work: (handle: Table) => Promise<unknown>): Promise<Table> => {
    await curio.createBranch(table, name);
    const handle = await db.openTable(table, [], { branch: name });
    await work(handle);
    return handle;
  };
  const few = (handle: Table) => handle.update({ where: 'id % 10000 = 0', valuesSql: { f1: 'f1 + 1' } });
  const half = await branch('half', (handle) =>
    handle.update({ where: 'id % 2 = 0', valuesSql: { f3: 'f3 + 1', f4: 'f4 * 2' } }),
  );
  await branch('few', few);
  await branch('few-and-column', async (handle) => {
    await few(handle);
    await handle.addColumns([{ name: 'model', valueSql: 'f2 * f5' }]);
  });
  const diff = async (name: string) => {
    const from = await curio.head(table, name);
    return timed(() => curio.diff({ table, base, from }));
  };
  const scan = () =>
    timed(async () => {
      for (const side of [main, half])
        await readIpcBytes(side.query().select(['f3', 'f4']).withRowId(), scanBatchRows);
    });
  let made = 0;
  const merge = async () => {
    const into = `target${made++}`;
    await curio.createBranch(table, into);
    return timed(() => curio.merge(table, 'few-and-column', into));
  };
  const values = await columnInHand(await db.openTable(table, [], { branch: 'few-and-column' }));
  const write = async () => {
    const name = `written${made++}`;
    await curio.createBranch(table, name);
    const handle = await db.openTable(table, [], { branch: name });
    return timed(() => writeColumn(handle, values));
  };
  return [
    await comparePairs(
      {
        name: 'diff, 500,000 changes of 1 M rows × 10 columns',
        unit: 'ms / ms of LanceDB scanning the two changed columns of both sides',
        limit: 3,
        direction: 'atMost',
      },
      { ours: () => diff('half'), peer: scan, pairs: 5 },
    ),
    await comparePairs(
      {
        name: 'diff, 100 changes and an added column, 1 M rows',
        unit: 'ms / ms without the column',
        limit: 1.3,
        direction: 'atMost',
      },
      { ours: () => diff('few-and-column'), peer: () => diff('few'), pairs: 9 },
    ),
    await comparePairs(
      {
        name: 'merge of an added column, 1 M rows',
        unit: 'ms / ms of LanceDB writing the values once, key and column, by mergeInsert',
        limit: 3,
        direction: 'atMost',
      },
      { ours: merge, peer: write, pairs: 3 },
    ),
  ];
}

type Rows = InstanceType<typeof arrow.Table>;

async function columnInHand(handle: Table): Promise<Rows> {
  const read = (await handle.query().select(['id', 'model']).toArrow()) as unknown as Rows;
  const fields = read.schema.fields.map(({ name, type }) => new arrow.Field(name, type, name !== 'id'));
  const schema = new arrow.Schema(fields);
  const batches = read.batches.map(
    ({ data }) => new arrow.RecordBatch(schema, data.clone(new arrow.Struct(fields) as never)),
  );
  return new arrow.Table(schema, batches);
}

/** The way that LanceDB has for values that no expression gives. */
async function writeColumn(handle: Table, values: Rows): Promise<void> {
  await handle.addColumns(new arrow.Schema([new arrow.Field('model', new arrow.Float64(), true)]));
  for (let start = 0; start < values.numRows; start += rowsPerMerge)
    await handle
      .mergeInsert('id')
      .whenMatchedUpdateAll()
      .execute(values.slice(start, start + rowsPerMerge));
}
