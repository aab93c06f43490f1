import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrow, type Data, type DataType, type RecordBatch, type Vector } from '../../arrow/arrow.ts';
import { ArrowTable } from './arrow-to-duckdb.ts';

let connection: DuckDBConnection;
let tableCount = 0;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
});
afterAll(() => connection.closeSync());

async function store(
  columns: Record<string, Vector>,
  cut: (batch: RecordBatch) => RecordBatch = (batch) => batch,
) {
  const table = new arrow.Table(columns as never);
  tableCount += 1;
  const stored = await ArrowTable.create(connection, `t${tableCount}`, table.schema);
  for (const batch of table.batches) stored.append(cut(batch as RecordBatch));
  stored.close();
  const types = stored.columns.map(({ type }) => String(type));
  const rows = (await (
    await connection.run(`select columns(*)::varchar from t${tableCount}`)
  ).getRowsJson()) as (string | null)[][];
  return { types, names: stored.columns.map(({ name }) => name), rows };
}

const vector = (type: DataType, facts: object): Vector =>
  new arrow.Vector([arrow.makeData({ type, nullCount: 0, ...facts } as never) as Data]);

const valuesOf = (values: readonly unknown[], type: DataType): Vector =>
  arrow.vectorFromArray(values as never, type as never) as Vector;

test('half floats widen to FLOAT', async () => {
  const halves = Uint16Array.of(0x3c00, 0xc000, 0x7c00, 0x0001, 0x7bff, 0x8000);
  const { types, rows } = await store({ h: vector(new arrow.Float16(), { length: 6, data: halves }) });
  expect(types).toEqual(['FLOAT']);
  expect(rows.flat()).toEqual(['1.0', '-2.0', 'inf', '5.9604645e-08', '65504.0', '-0.0']);
});

test('dates and times of other units', async () => {
  const { types, rows } = await store({
    date64: vector(new arrow.DateMillisecond(), {
      length: 2,
      data: BigInt64Array.of(86_400_000n, -86_400_000n),
    }),
    time_s: vector(new arrow.TimeSecond(), { length: 2, data: Int32Array.of(1, 3600) }),
    time_ms: vector(new arrow.TimeMillisecond(), { length: 2, data: Int32Array.of(1, 3_600_000) }),
    time_ns: vector(new arrow.TimeNanosecond(), {
      length: 2,
      data: BigInt64Array.of(1n, 3_600_000_000_000n),
    }),
    zoned_s: vector(new arrow.TimestampSecond('Europe/Berlin'), {
      length: 2,
      data: BigInt64Array.of(1n, -1n),
    }),
    zoned_ms: vector(new arrow.TimestampMillisecond('UTC'), { length: 2, data: BigInt64Array.of(1n, -1n) }),
    zoned_ns: vector(new arrow.TimestampNanosecond('UTC'), { length: 2, data: BigInt64Array.of(1999n, -1n) }),
    plain_ns: vector(new arrow.TimestampNanosecond(), { length: 2, data: BigInt64Array.of(1999n, -1n) }),
  });
  expect(types).toEqual([
    'DATE',
    'TIME',
    'TIME',
    'TIME_NS',
    'TIMESTAMP WITH TIME ZONE',
    'TIMESTAMP WITH TIME ZONE',
    'TIMESTAMP WITH TIME ZONE',
    'TIMESTAMP_NS',
  ]);
  expect(rows[0]).toEqual([
    '1970-01-02',
    '00:00:01',
    '00:00:00.001',
    '00:00:00.000000001',
    '1970-01-01 00:00:01+00',
    '1970-01-01 00:00:00.001+00',
    '1970-01-01 00:00:00.000001+00',
    '1970-01-01 00:00:00.000001999',
  ]);
  expect(rows[1]).toEqual([
    '1969-12-31',
    '01:00:00',
    '01:00:00',
    '01:00:00',
    '1969-12-31 23:59:59+00',
    '1969-12-31 23:59:59.999+00',
    '1969-12-31 23:59:59.999999+00',
    '1969-12-31 23:59:59.999999999',
  ]);
});

test('durations and intervals', async () => {
  const { types, rows } = await store({
    s: vector(new arrow.DurationSecond(), { length: 1, data: BigInt64Array.of(90n) }),
    ns: vector(new arrow.DurationNanosecond(), { length: 1, data: BigInt64Array.of(1_500_000_000n) }),
    months: vector(new arrow.IntervalYearMonth(), { length: 1, data: Int32Array.of(14) }),
    days: vector(new arrow.IntervalDayTime(), { length: 1, data: Int32Array.of(3, 1500) }),
  });
  expect(types).toEqual(['INTERVAL', 'INTERVAL', 'INTERVAL', 'INTERVAL']);
  expect(rows).toEqual([['00:01:30', '00:00:01.5', '1 year 2 months', '3 days 00:00:01.5']]);
});

test('dictionaries of text and of numbers, large text, fixed bytes, nulls', async () => {
  const text = ['a', null, 'a text that is longer than twelve', 'a'];
  const { types, rows } = await store({
    words: valuesOf(text, new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8())),
    numbers: valuesOf([7, null, 9, 7], new arrow.Dictionary(new arrow.Float64(), new arrow.Int32())),
    large: valuesOf(text, new arrow.LargeUtf8()),
    bytes: vector(new arrow.FixedSizeBinary(3), {
      length: 4,
      data: Uint8Array.from('abcdefghijkl', (letter) => letter.charCodeAt(0)),
    }),
    nothing: vector(new arrow.Null(), { length: 4, nullCount: 4 }),
  });
  expect(types).toEqual(['VARCHAR', 'DOUBLE', 'VARCHAR', 'BLOB', 'INTEGER']);
  expect(rows).toEqual([
    ['a', '7.0', 'a', 'abc', null],
    [null, null, null, 'def', null],
    ['a text that is longer than twelve', '9.0', 'a text that is longer than twelve', 'ghi', null],
    ['a', '7.0', 'a', 'jkl', null],
  ]);
});

test('decimals that DuckDB cannot hold are text', async () => {
  const words = new Uint32Array(new BigInt64Array([-1n, -1n, -1n, -1n, 12345n, 0n, 1n, 0n]).buffer);
  const { types, rows } = await store({
    wide: vector(new arrow.Decimal(2, 50, 256), { length: 2, data: words }),
    narrow: vector(new arrow.Decimal(2, 30, 256), { length: 2, data: Uint32Array.from(words).fill(0, 14) }),
  });
  expect(types).toEqual(['VARCHAR', 'DECIMAL(30,2)']);
  expect(rows[0]).toEqual(['-0.01', '-0.01']);
  expect(rows[1]?.[0]).toBe('3402823669209384634633746074317682238.01');
});

test('batches that were cut out of larger ones', async () => {
  const rows = Array.from({ length: 100 }, (_, row) => row);
  const struct = new arrow.Struct([new arrow.Field('n', new arrow.Int32(), true)]);
  const columns = {
    b: valuesOf(
      rows.map((row) => (row % 3 === 0 ? null : row % 2 === 0)),
      new arrow.Bool(),
    ),
    l: valuesOf(
      rows.map((row) => (row % 5 === 0 ? null : [row, null, `${row}`.length])),
      new arrow.List(new arrow.Field('item', new arrow.Int32(), true)),
    ),
    f: valuesOf(
      rows.map((row) => (row % 7 === 0 ? null : [row, row + 1])),
      new arrow.FixedSizeList(2, new arrow.Field('item', new arrow.Int32(), true)),
    ),
    s: valuesOf(
      rows.map((row) => (row % 4 === 0 ? null : { n: row })),
      struct,
    ),
  };
  const whole = await store(columns);
  const cut = await store(columns, (batch) => batch.slice(13, 90) as RecordBatch);
  expect(cut.rows).toEqual(whole.rows.slice(13, 90));
});

test('names that differ in case only stay apart', async () => {
  const { names } = await store({
    Name: valuesOf([1], new arrow.Int8()),
    name: valuesOf([2], new arrow.Int8()),
  });
  expect(names).toEqual(['Name', 'name_1']);
});
