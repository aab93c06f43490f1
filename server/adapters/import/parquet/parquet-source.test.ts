import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrow, type Table } from '../../../arrow/arrow.ts';
import { dataCellToJson } from '../../../arrow/cell-json.ts';
import { openArrowSource } from '../arrow/arrow-source.ts';
import { openParquetSource } from './parquet-source.ts';

const { Table: WasmTable, writeParquet } = createRequire(import.meta.url)(
  'parquet-wasm/node',
) as typeof import('parquet-wasm');
const testdata = new URL('../testdata/', import.meta.url).pathname;
const never = new AbortController().signal;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curio-parquet-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function made(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const parquetOf = (table: Table): Uint8Array =>
  writeParquet(WasmTable.fromIPCStream(arrow.tableToIPC(table, 'stream')));

async function read(
  path: string,
): Promise<{ types: Record<string, string>; columns: Record<string, unknown[]>; batches: number }> {
  const source = await openParquetSource({ path, label: 'a.parquet' }, never);
  const columns: Record<string, unknown[]> = Object.fromEntries(
    source.schema.fields.map(({ name }) => [name, []]),
  );
  let batches = 0;
  for await (const batch of source.batches(never)) {
    batches += 1;
    batch.schema.fields.forEach(({ name }, at) => {
      for (let row = 0; row < batch.numRows; row += 1)
        columns[name]!.push(dataCellToJson(batch.data.children[at]!, row));
    });
  }
  expect(source.bytesRead()).toBe(source.rowCount === 0 ? 0 : source.sizeBytes);
  return {
    types: Object.fromEntries(source.schema.fields.map(({ name, type }) => [name, String(type)])),
    columns,
    batches,
  };
}

/** One text, said once in the file and meant by every row; without the Arrow types, so that it is unfolded. */
function bombOf(rows: number, size: number): Uint8Array {
  const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
  const dictionary = arrow.vectorFromArray(['x'.repeat(size)], new arrow.Utf8());
  const data = arrow.makeData({ type, length: rows, nullCount: 0, data: new Int32Array(rows), dictionary });
  const schema = new arrow.Schema([new arrow.Field('text', type, true)]);
  const struct = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: rows,
    nullCount: 0,
    children: [data] as never,
  });
  const file = Buffer.from(
    parquetOf(new arrow.Table(schema, [new arrow.RecordBatch(schema, struct as never)])),
  );
  file.write('XRROW:schema', file.indexOf('ARROW:schema'), 'latin1');
  return file;
}

const failure = (path: string): Promise<unknown> =>
  read(path).then(
    () => 'no error',
    (error) => ({ code: error.code, message: error.message }),
  );

describe('openParquetSource', () => {
  it('keeps types and values as Arrow has them', async () => {
    const { types, columns } = await read(`${testdata}pyarrow.parquet`);
    const source = await openArrowSource({ path: `${testdata}pyarrow-plain.arrow`, label: 'a.arrow' }, never);
    const expected = Object.fromEntries(source.schema.fields.map(({ name, type }) => [name, String(type)]));
    expect(types).toEqual({ ...expected, ts_s: 'Timestamp<MILLISECOND>' });
    for await (const batch of source.batches(never)) {
      batch.schema.fields.forEach(({ name }, at) => {
        if (name === 'ts_s') return;
        const values = Array.from({ length: batch.numRows }, (_, row) =>
          dataCellToJson(batch.data.children[at]!, row),
        );
        expect([name, columns[name]]).toEqual([name, values]);
      });
    }
  });

  it('reads the large lists and texts of Polars', async () => {
    const { columns } = await read(`${testdata}polars.parquet`);
    expect(columns).toMatchObject({
      s: ['a', null, 'long string over twelve bytes'],
      l: [['1', '2'], null, []],
      c: ['a', 'b', null],
      st: Array.from({ length: 3 }, () => ({ x: '1', y: ['q'] })),
    });
  });

  it('names the column that no table can hold', async () => {
    expect(await failure(`${testdata}polars-int128.parquet`)).toEqual({
      code: 'UNSUPPORTED',
      message: 'The column “big” has whole numbers of 128 bits, which tables cannot hold.',
    });
  });

  it('says what a damaged file lacks', async () => {
    const whole = await readFile(`${testdata}pyarrow.parquet`);
    const facts = await Promise.all([
      failure(await made('cut.parquet', whole.subarray(0, whole.length - 100))),
      failure(await made('short.parquet', Buffer.from('PAR1'))),
      failure(await made('encrypted.parquet', Buffer.concat([whole.subarray(0, -4), Buffer.from('PARE')]))),
      failure(
        await made(
          'long-footer.parquet',
          Buffer.concat([Buffer.from('PAR1xx'), Buffer.from([255, 255, 0, 0]), Buffer.from('PAR1')]),
        ),
      ),
    ]);
    expect(facts).toEqual([
      { code: 'INVALID_FILE', message: 'a.parquet: the Parquet file has no end (its footer is missing).' },
      { code: 'INVALID_FILE', message: 'a.parquet: the Parquet file has no end (its footer is missing).' },
      { code: 'UNSUPPORTED', message: 'a.parquet: the file is encrypted.' },
      { code: 'INVALID_FILE', message: 'a.parquet: the footer of the Parquet file is damaged.' },
    ]);
  });

  it('reads a few bytes that unfold to much in slices, after a look at the first rows', async () => {
    const file = bombOf(60, 1024 * 1024);
    expect(file.length).toBeLessThan(2 * 1024 * 1024);
    const source = await openParquetSource(
      { path: await made('bomb.parquet', file), label: 'bomb.parquet' },
      never,
    );
    const sizes: number[] = [];
    for await (const batch of source.batches(never)) sizes.push(batch.numRows);
    expect(Math.max(...sizes)).toBeLessThan(10);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(60);
  });

  it('stops when it is told to', async () => {
    const controller = new AbortController();
    const source = await openParquetSource({ path: `${testdata}pyarrow.parquet`, label: 'a.parquet' }, never);
    controller.abort();
    const reading = (async () => {
      for await (const _batch of source.batches(controller.signal));
    })();
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
