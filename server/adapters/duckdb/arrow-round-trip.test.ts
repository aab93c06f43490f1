import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrow, type RecordBatch } from '../../arrow/arrow.ts';
import { ArrowTable } from './arrow-to-duckdb.ts';
import { readResultAsArrow, rowsPerBatch } from './chunks-to-arrow.ts';

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
});
afterAll(() => connection.closeSync());

const firstValue = async (sql: string): Promise<unknown> =>
  (await (await connection.run(sql)).getRowsJson())[0]?.[0];

/** `source` → Arrow → IPC bytes → Arrow → the table `copied`. */
async function copyThroughArrow(source: string): Promise<RecordBatch[]> {
  const { schema, batches } = readResultAsArrow(await connection.stream(source));
  const sent: RecordBatch[] = [];
  for await (const batch of batches) sent.push(batch);
  const bytes = arrow.tableToIPC(new arrow.Table(schema, sent as never), 'stream');
  const received = arrow.tableFromIPC(bytes);
  await connection.run('drop table if exists copied');
  const table = await ArrowTable.create(connection, 'copied', received.schema);
  for (const batch of received.batches) table.append(batch);
  table.close();
  return received.batches;
}

/** Columns whose values differ between `original` and `copied`, where text stands for what Arrow cannot say. */
async function differences(
  columns: readonly string[],
  asText: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const differing: string[] = [];
  for (const column of columns) {
    const cast = asText.has(column) ? '::varchar' : '';
    const count = await firstValue(
      `select count(*)::int from (select "${column}" a from original) positional join (select "${column}" b from copied) where a${cast} is distinct from b${cast}`,
    );
    if (count !== 0) differing.push(column);
  }
  return differing;
}

describe('DuckDB → Arrow → DuckDB', () => {
  test('keeps every type of DuckDB, extremes and nulls', async () => {
    await connection.run(
      'create or replace table original as select * replace (hugeint // 10 as hugeint) from test_all_types()',
    );
    await copyThroughArrow('from original');
    const columns = (await (await connection.run('describe original')).getRowsJson()).map(([name]) =>
      String(name),
    );
    expect(columns.length).toBeGreaterThan(50);
    const asText = new Set([
      'uhugeint',
      'bignum',
      'time_tz',
      'interval',
      'uuid',
      'bit',
      'union',
      'small_enum',
      'medium_enum',
      'large_enum',
    ]);
    expect(
      await differences(
        columns.filter((name) => name !== 'geometry'),
        asText,
      ),
    ).toEqual([]);
    expect(await firstValue('select count(*)::int from copied where geometry is null')).toBe(1);
  });

  test('keeps whole batches and the rest', async () => {
    await connection.run(
      "create or replace table original as select i, case when i % 3 > 0 then 'text that is long enough: ' || i end t from range(150000) r(i)",
    );
    const batches = await copyThroughArrow('from original');
    expect(batches.map(({ numRows }) => numRows)).toEqual([
      rowsPerBatch,
      rowsPerBatch,
      150_000 - 2 * rowsPerBatch,
    ]);
    expect(await differences(['i', 't'])).toEqual([]);
  });

  test('keeps lists whose entries share or skip elements', async () => {
    await connection.run(`create or replace table original as
      select list_slice(l, (i % 3)::int, (i % 7)::int) v from (select i, list_transform(range(i % 9), x -> 'element ' || x) l from range(5000) r(i)) where i % 2 = 0`);
    await copyThroughArrow('from original');
    expect(await differences(['v'])).toEqual([]);
  });

  test('any nested type, any nulls, any number of rows', async () => {
    await fc.assert(
      fc.asyncProperty(expressions, fc.integer({ min: 0, max: 5000 }), async (expression, rows) => {
        await connection.run(
          `create or replace table original as select ${expression} v from range(${rows}) r(i)`,
        );
        const batches = await copyThroughArrow('from original');
        expect(batches.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(rows);
        expect(await differences(['v'], new Set(/interval|uuid/.test(expression) ? ['v'] : []))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

/** SQL that makes a value from the row number `i`; a third of the values at every level may be null. */
const leaf = fc
  .tuple(
    fc.constantFrom(
      '(h % 200 - 100)::tinyint',
      '(h % 60000)::usmallint',
      '(h % 4000000000)::uinteger',
      '(h // 3)::bigint',
      'h::ubigint',
      '(h % 2 = 0)',
      '(h % 1000003) / 7.0',
      '((h % 1000003) / 7.0)::float',
      "'s' || (h % 1000)",
      "repeat('long text ', (h % 9)::int)",
      "encode('b' || h)",
      '((h % 1998)::int - 999)::decimal(4,1)',
      '((h % 1000000) / 10)::decimal(18,6)',
      '((h % 1000000)::bigint - 500000)::decimal(38,10)',
      "date '2020-01-01' + (h % 1000)::int",
      "timestamp '2020-01-01' + to_seconds((h % 100000)::int)",
      "(timestamp '2020-01-01' + to_seconds((h % 100000)::int))::timestamptz",
      "(timestamp '2020-01-01' + to_seconds((h % 100000)::int))::timestamp_ns",
      "time '00:00:01' + to_seconds((h % 80000)::int)",
      'to_days((h % 100)::int)',
      'case when (h % 2) = 0 then uuid() end',
    ),
    fc.nat(1000),
    fc.boolean(),
  )
  .map(([make, salt, hasNulls]) => {
    const hashed = make
      .replace(/\bh\b/g, `(hash(i * 1009 + ${salt}) // 2)::bigint`)
      .replace('uuid()', `md5(hash(i + ${salt})::varchar)::uuid`);
    return hasNulls ? `(case when hash(i + ${salt + 7}) % 3 > 0 then ${hashed} end)` : `(${hashed})`;
  });

/** CASE does not take arrays, an element that is not there is null. */
const sometimesNull = (value: string, salt: number): string =>
  `list_extract([${value}], case when hash(i + ${salt}) % 4 > 0 then 1 else 2 end)`;

const { expression: expressions } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc
      .tuple(tie('expression'), fc.nat(100))
      .map(([inner, salt]) =>
        sometimesNull(`list_transform(range((hash(i + ${salt}) % 5)::bigint), i -> ${inner})`, salt),
      ),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([a, b]) => sometimesNull(`struct_pack(a := ${a}, "b c" := ${b})`, 5)),
    tie('expression').map((inner) => sometimesNull(`array_value(${inner}, ${inner}, ${inner})`, 3)),
    tie('expression').map((inner) =>
      sometimesNull(`map(['k' || i, 'another key that is long'], [${inner}, ${inner}])`, 4),
    ),
  ),
}));
