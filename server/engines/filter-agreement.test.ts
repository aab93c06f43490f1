import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '#shared/api/problem.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import type { MadeColumn } from '../testing/columns.ts';
import { makeTable, makeTestHome, type TestHome } from '../testing/tables.ts';

const day = 86_400;
const march = BigInt(Date.UTC(2024, 2, 9, 14, 5) / 1000);

/** Each column as Lance stores it, and the same values as DuckDB reads them. */
const made: Record<string, MadeColumn & { duckdb: string; literals: string[] }> = {
  row: {
    type: 'int32',
    values: [0, 1, 2, 3, 4, 5],
    duckdb: 'INTEGER',
    literals: ['0', '1', '2', '3', '4', '5'],
  },
  id: {
    type: 'int64',
    values: [0n, -1n, 7n, 9_007_199_254_740_993n, null, -9_223_372_036_854_775_808n],
    duckdb: 'BIGINT',
    literals: ['0', '-1', '7', '9007199254740993', 'NULL', '(-9223372036854775807 - 1)'],
  },
  small: {
    type: 'uint8',
    values: [0, 1, 200, 255, null, 7],
    duckdb: 'UTINYINT',
    literals: ['0', '1', '200', '255', 'NULL', '7'],
  },
  big: {
    type: 'uint64',
    values: [0n, 18_446_744_073_709_551_615n, 5n, 1n, null, 7n],
    duckdb: 'UBIGINT',
    literals: ['0', '18446744073709551615', '5', '1', 'NULL', '7'],
  },
  score: {
    type: 'float64',
    values: [0, -0, Number.NaN, 1.5, null, -2.25],
    duckdb: 'DOUBLE',
    literals: ['0', "'-0'", "'nan'", '1.5', 'NULL', '-2.25'],
  },
  ratio: {
    type: 'float32',
    values: Array.from([0.1, -0.5, 1, 3, 0.3], Math.fround).concat([null as never]),
    duckdb: 'FLOAT',
    literals: ['0.1', '-0.5', '1', '3', '0.3', 'NULL'],
  },
  half: {
    type: 'float16',
    values: [0x3c00, 0x2e66, 0, null, 0xc000, 0x4200],
    duckdb: 'FLOAT',
    literals: ['1', '0.0999755859375', '0', 'NULL', '-2', '3'],
  },
  price: {
    type: 'decimal128(10, 2)',
    values: [0n, 150n, -225n, 201n, null, 1_000_000n],
    duckdb: 'DECIMAL(10, 2)',
    literals: ['0', '1.5', '-2.25', '2.01', 'NULL', '10000'],
  },
  name: {
    type: 'utf8',
    values: ['apple', 'Apple', 'a_b%c', "it's\\x", null, ''],
    duckdb: 'VARCHAR',
    literals: ["'apple'", "'Apple'", "'a_b%c'", "'it''s\\x'", 'NULL', "''"],
  },
  kind: {
    type: 'dictionary<int8, utf8>',
    values: ['red', 'green', 'red', null, 'blue', 'apple'],
    duckdb: 'VARCHAR',
    literals: ["'red'", "'green'", "'red'", 'NULL', "'blue'", "'apple'"],
  },
  ok: {
    type: 'bool',
    values: [true, false, null, true, false, null],
    duckdb: 'BOOLEAN',
    literals: ['true', 'false', 'NULL', 'true', 'false', 'NULL'],
  },
  at: {
    type: 'timestamp[us]',
    values: [
      march * 1_000_000n,
      march * 1_000_000n + 250_000n,
      0n,
      -1n,
      null,
      (march + BigInt(day)) * 1_000_000n,
    ],
    duckdb: 'TIMESTAMP',
    literals: [
      "'2024-03-09 14:05:00'",
      "'2024-03-09 14:05:00.25'",
      "'1970-01-01'",
      "'1969-12-31 23:59:59.999999'",
      'NULL',
      "'2024-03-10 14:05:00'",
    ],
  },
  seen: {
    type: 'timestamp[ms, America/New_York]',
    values: [march * 1000n, 0n, null, march * 1000n + 1n, (march - 3600n * 15n) * 1000n, -1n],
    duckdb: 'TIMESTAMPTZ',
    literals: [
      "'2024-03-09 14:05:00+00'",
      "'1970-01-01 00:00:00+00'",
      'NULL',
      "'2024-03-09 14:05:00.001+00'",
      "'2024-03-08 23:05:00+00'",
      "'1969-12-31 23:59:59.999+00'",
    ],
  },
  day: {
    type: 'date32',
    values: [19_791, 0, -1, null, 19_792, 19_791],
    duckdb: 'DATE',
    literals: ["'2024-03-09'", "'1970-01-01'", "'1969-12-31'", 'NULL', "'2024-03-10'", "'2024-03-09'"],
  },
  clock: {
    type: 'time64[us]',
    values: [0n, 50_700_000_000n, null, 1n, 86_399_999_999n, 43_200_000_000n],
    duckdb: 'TIME',
    literals: ["'00:00:00'", "'14:05:00'", 'NULL', "'00:00:00.000001'", "'23:59:59.999999'", "'12:00:00'"],
  },
  took: {
    type: 'duration[ms]',
    values: [0n, 1500n, -2000n, null, 90_000n, 86_400_000n],
    duckdb: 'INTERVAL',
    literals: [
      'INTERVAL 0 SECONDS',
      'to_milliseconds(1500)',
      'to_milliseconds(-2000)',
      'NULL',
      'to_milliseconds(90000)',
      'to_milliseconds(86400000)',
    ],
  },
  tags: {
    type: 'list<utf8>',
    values: [['a', 'b'], [], ['a'], null, ['c', null], ['b', 'a', 'a']],
    duckdb: 'VARCHAR[]',
    literals: ["['a', 'b']", '[]', "['a']", 'NULL', "['c', NULL]", "['b', 'a', 'a']"],
  },
  nums: {
    type: 'list<int32>',
    values: [[1, 2], [], [3], null, [-1], [2, 2]],
    duckdb: 'INTEGER[]',
    literals: ['[1, 2]', '[]', '[3]', 'NULL', '[-1]', '[2, 2]'],
  },
  box: {
    type: 'struct<x: int32, label: utf8>',
    values: [
      { x: 1, label: 'cat' },
      { x: 2, label: null },
      { x: null, label: 'dog' },
      { x: -1, label: 'apple' },
      { x: 0, label: '' },
      { x: 7, label: 'cat' },
    ],
    duckdb: 'STRUCT(x INTEGER, label VARCHAR)',
    literals: [
      "{'x': 1, 'label': 'cat'}",
      "{'x': 2, 'label': NULL}",
      "{'x': NULL, 'label': 'dog'}",
      "{'x': -1, 'label': 'apple'}",
      "{'x': 0, 'label': ''}",
      "{'x': 7, 'label': 'cat'}",
    ],
  },
};
made['O"d d'] = {
  type: 'utf8',
  values: ['apple', null, 'ä', '猫', 'x', 'apple'],
  duckdb: 'VARCHAR',
  literals: ["'apple'", 'NULL', "'ä'", "'猫'", "'x'", "'apple'"],
};

const columns = Object.entries(made).map(([name, { type }]) => ({ name, type }));

let home: TestHome;
let byLance: (where: string) => Promise<number[]>;
let byDuckdb: (where: string) => Promise<number[]>;
let close: () => void;

beforeAll(async () => {
  home = await makeTestHome();
  const table = await makeTable(home, 'all', made);
  byLance = async (where) => {
    const rows = await table.query().where(where).select(['row']).toArray();
    return rows.map(({ row }: { row: number }) => row).sort();
  };
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  close = () => connection.closeSync();
  const names = Object.keys(made).map((name) => `"${name.replaceAll('"', '""')}"`);
  const rows = [0, 1, 2, 3, 4, 5].map(
    (row) =>
      `(${Object.values(made)
        .map(({ literals, duckdb }) => `CAST(${literals[row]} AS ${duckdb})`)
        .join(', ')})`,
  );
  await connection.run(
    `CREATE TABLE t AS SELECT * FROM (VALUES ${rows.join(', ')}) AS v(${names.join(', ')})`,
  );
  byDuckdb = async (where) =>
    (await connection.runAndReadAll(`SELECT row FROM t WHERE ${where}`))
      .getRows()
      .map(([row]) => Number(row))
      .sort();
});
afterAll(async () => {
  close();
  await home.remove();
});

async function answers(text: string) {
  const { lance, duckdb } = compileFilter({ text, columns });
  return { lance: await byLance(lance), duckdb: await byDuckdb(duckdb) };
}

const pick = (...items: string[]) => fc.constantFrom(...items);
const whole = pick(
  '0',
  '1',
  '-1',
  '7',
  '200',
  '255',
  '300',
  '-300',
  '2.5',
  '1e3',
  '9007199254740993',
  '9223372036854775807',
  '18446744073709551615',
  '1e30',
);
const fraction = pick('0', '0.0', '-0.0', '0.1', '1.5', '-2.25', '0.3', '1e-3', '3', '1e300', '2.005');
const quoted = pick("'apple'", "'Apple'", "''", "'a_b%c'", "'it''s\\x'", "'red'", "'ä'", "'cat'", "'猫'");
const moment = pick(
  "'2024-03-09'",
  "'2024-03-09 14:05:00Z'",
  "'2024-03-09T14:05:00.25'",
  "'1970-01-01'",
  "'2024-03-09 10:05:00-04:00'",
  "'1969-12-31 23:59:59.9999999'",
  "timestamp '2024-03-10 14:05:00'",
  "date '2024-03-10'",
  "'0001-01-01'",
  "'9999-12-31'",
);
const pattern = pick("'a%'", "'%p%'", "'_pple'", "'a\\_b%'", "'%\\%c'", "'APPLE'", "'%s\\\\x'", "''", "'%'");

const number = pick('id', 'small', 'score', 'ratio', 'half', 'price', 'box.x', 'nums[1]', 'row');
const textual = pick(
  'name',
  '"O""d d"',
  'kind',
  'box.label',
  'tags[1]',
  'lower(name)',
  'left(name, 2)',
  'substr(name, 2, 3)',
  "name || 'x'",
  "coalesce(name, 'apple')",
  "replace(name, 'p', 'q')",
  'trim(name)',
  "split_part(name, 'p', 1)",
);
const wholeValue = pick(
  'id % 7',
  'row + 1',
  'small - 1',
  'row * row',
  'length(name)',
  'array_length(nums)',
  'array_length(tags)',
  '- row',
  'row // 2',
  'row % 0',
  "strpos(name, 'p')",
  "array_position(tags, 'a')",
  'array_max(nums)',
  'try_cast(name as bigint)',
  'cast(ratio as int)',
  'coalesce(box.x, 3)',
  'nullif(row, 2)',
  'greatest(row, box.x)',
  "levenshtein(name, 'apple')",
);
const floatValue = pick(
  'score * 2',
  'row / 2',
  'row / 0',
  'ratio + 1',
  'abs(score)',
  'round(ratio)',
  'floor(score)',
  'ceil(ratio)',
  'trunc(ratio)',
  'power(row, 2)',
  'sqrt(row)',
  'exp(ratio)',
  'price * 2',
  'score - ratio',
  "date_part('day', at)",
  'extract(year from seen)',
  "date_part('hour', seen)",
  "date_part('dow', day)",
  "date_part('epoch', at)",
);
const moments = pick(
  'at',
  'seen',
  'day',
  "date_trunc('day', at)",
  "date_trunc('month', day)",
  "date_trunc('day', seen)",
  "at + interval '1 day'",
  "day - interval '1 month'",
  'cast(at as date)',
  'cast(day as timestamp)',
);
const op = pick('=', '<>', '<', '<=', '>', '>=');

const condition = fc.oneof(
  fc.tuple(number, op, fc.oneof(whole, fraction)).map((parts) => parts.join(' ')),
  fc.tuple(number, op, number).map((parts) => parts.join(' ')),
  fc.tuple(wholeValue, op, whole).map((parts) => parts.join(' ')),
  fc.tuple(floatValue, op, fraction).map((parts) => parts.join(' ')),
  fc.tuple(textual, op, fc.oneof(quoted, textual)).map((parts) => parts.join(' ')),
  fc.tuple(moments, op, fc.oneof(moment, moments)).map((parts) => parts.join(' ')),
  fc.tuple(textual, pick('like', 'not like', 'ilike'), pattern).map((parts) => parts.join(' ')),
  fc
    .tuple(
      number,
      pick('in', 'not in'),
      fc.array(fc.oneof(whole, fraction, pick('null')), { minLength: 1, maxLength: 4 }),
    )
    .map(([a, b, list]) => `${a} ${b} (${list.join(', ')})`),
  fc
    .tuple(
      textual,
      pick('in', 'not in'),
      fc.array(fc.oneof(quoted, pick('null')), { minLength: 1, maxLength: 4 }),
    )
    .map(([a, b, list]) => `${a} ${b} (${list.join(', ')})`),
  fc
    .tuple(moments, pick('between', 'not between'), moment, moment)
    .map(([a, b, low, high]) => `${a} ${b} ${low} and ${high}`),
  fc
    .tuple(number, pick('between', 'not between'), fc.oneof(whole, fraction), fraction)
    .map(([a, b, low, high]) => `${a} ${b} ${low} and ${high}`),
  fc
    .tuple(pick('clock'), op, pick("'12:00'", "time '14:05:00'", "'00:00:00.0000005'"))
    .map((parts) => parts.join(' ')),
  fc
    .tuple(pick('took'), op, pick("interval '90 seconds'", "'1 day'", "interval '0 seconds'"))
    .map((parts) => parts.join(' ')),
  fc
    .tuple(
      fc.oneof(number, textual, moments, pick('ok', 'tags', 'took', 'clock', 'box')),
      pick('is null', 'is not null'),
    )
    .map((parts) => parts.join(' ')),
  fc
    .tuple(
      fc.oneof(number, textual),
      pick('is distinct from', 'is not distinct from'),
      fc.oneof(pick('null'), number),
    )
    .map(([a, b, c]) => `${a} ${b} ${c}`)
    .filter((text) => !isRefused(text)),
  pick(
    'ok',
    'ok = true',
    'ok is true',
    'ok is not true',
    'ok is false',
    'ok < true',
    'ok in (true, null)',
    'isnan(score)',
    'empty(tags)',
    'true',
    'false',
    'null',
    'ok = null',
  ),
  fc
    .tuple(
      pick('starts_with', 'ends_with', 'contains', 'regexp_like'),
      textual,
      pick("'a'", "'pp'", "''", "'e'"),
    )
    .map(([name, a, b]) => `${name}(${a}, ${b})`),
  fc
    .tuple(pick('array_has', 'array_has_any', 'array_has_all'), pick("'a'", "'b'", "'zz'"))
    .map(([name, value]) => `${name}(tags, ${name === 'array_has' ? value : `[${value}, 'a']`})`),
  pick(
    'array_has(nums, 2)',
    'array_has_any(nums, [2, 3])',
    "tags = ['a']",
    "regexp_replace(name, 'p+', 'q') = 'aqle'",
    "regexp_count(name, 'p') = 2",
    "array_to_string(tags, ',') = 'a,b'",
    "concat(name, row) = 'apple0'",
    "cast(row as text) in ('1', '2')",
    'bytes_free is null',
  ).filter((text) => !isRefused(text)),
);

function isRefused(text: string): boolean {
  try {
    compileFilter({ text, columns });
    return false;
  } catch (error) {
    if (isAppError(error)) return true;
    throw error;
  }
}

const filter = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    condition,
    fc
      .tuple(tie('filter'), pick('and', 'or'), tie('filter'))
      .map(([a, joint, b]) => `(${a}) ${joint} (${b})`),
    tie('filter').map((a) => `not (${a})`),
    tie('filter').map((a) => `(${a}) is null`),
  ),
})).filter;

describe('Lance and DuckDB', () => {
  it('give the same rows for every filter', async () => {
    await fc.assert(
      fc.asyncProperty(filter, async (text) => {
        fc.pre(!isRefused(text));
        const { lance, duckdb } = await answers(text);
        expect(lance).toEqual(duckdb);
      }),
      { numRuns: Number(process.env.CURIO_FILTER_RUNS ?? 600) },
    );
  });

  it('give the rows that a person expects', async () => {
    const rows = async (text: string) => (await answers(text)).lance;
    expect(await rows('score = 0')).toEqual([0, 1]);
    expect(await rows('ratio = 0.1')).toEqual([0]);
    expect(await rows('half = 0.1')).toEqual([1]);
    expect(await rows('id = 9007199254740993')).toEqual([3]);
    expect(await rows('id = 9007199254740992')).toEqual([]);
    expect(await rows('small < 300')).toEqual([0, 1, 2, 3, 5]);
    expect(await rows('price > 2.005')).toEqual([3, 5]);
    expect(await rows("seen >= '2024-03-09 14:05:00Z'")).toEqual([0, 3]);
    expect(await rows("date_trunc('day', seen) = '2024-03-08 05:00:00Z'")).toEqual([4]);
    expect(await rows("name like 'a\\_b%'")).toEqual([2]);
    expect(await rows(`"O""d d" = 'ä'`)).toEqual([2]);
    expect(await rows('row / 2 = 0.5')).toEqual([1]);
    expect(await rows('row % 0 = 1')).toEqual([]);
    expect(await rows('name is distinct from null')).toEqual([0, 1, 2, 3, 5]);
    expect(await rows('row in (1, 300000000000, 2.5)')).toEqual([1]);
  });
});
