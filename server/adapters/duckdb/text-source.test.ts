import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImportOptions } from '#shared/api/jobs.ts';
import { dataCellToJson } from '../../arrow/cell-json.ts';
import { openTextSource } from './text-source.ts';

type Format = 'csv' | 'tsv' | 'json' | 'ndjson';

const never = new AbortController().signal;
let folder = '';
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curio-text-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function open(format: Format, contents: (string | Uint8Array)[], options: ImportOptions = {}) {
  const files = await Promise.all(
    contents.map(async (content, index) => {
      made += 1;
      const path = join(folder, `${made} [x]*'${index}.txt`);
      await writeFile(path, content);
      return { path, label: `${'abc'[index]}.${format}`, sizeBytes: (await stat(path)).size };
    }),
  );
  return openTextSource(files, format, options, never);
}

async function read(
  format: Format,
  contents: string | Uint8Array | (string | Uint8Array)[],
  options: ImportOptions = {},
) {
  const source = await open(format, [contents].flat() as (string | Uint8Array)[], options);
  const columns: Record<string, unknown[]> = {};
  for (const { name, type } of source.schema.fields) columns[`${name}: ${type}`] = [];
  for await (const batch of source.batches(never)) {
    Object.values(columns).forEach((cells, at) => {
      for (let row = 0; row < batch.numRows; row += 1)
        cells.push(dataCellToJson(batch.data.children[at]!, row));
    });
  }
  expect(source.rowCount).toBe(Object.values(columns)[0]?.length ?? 0);
  await source.close();
  return columns;
}

const failure = (
  format: Format,
  contents: string | Uint8Array | (string | Uint8Array)[],
  options?: ImportOptions,
) =>
  read(format, contents, options).then(
    () => 'no error',
    (error) => `${error.code} ${error.message}`,
  );

describe('CSV', () => {
  it('gives each column the narrowest type that changes no value', async () => {
    const text = [
      'id,zip,big,ratio,wide,day,at,zoned,nano,flag,time,text,empty',
      '1,00123,18446744073709551615,0.5,12345678901234567890.5,2024-01-31,2024-01-31 10:00:00,2024-01-31T10:00:00+02:00,2024-01-31T10:00:00.123456789,true,10:00:00,a,',
      '-2,99999,9007199254740993,3,1,2024-02-29,2024-01-31T10:00:00.25,2024-01-31T10:00:00Z,2024-01-31T10:00:00,False,23:59:59.5,"b, ""c""\nd",',
    ].join('\n');
    expect(await read('csv', text)).toEqual({
      'id: Int64': ['1', '-2'],
      'zip: Utf8': ['00123', '99999'],
      'big: Uint64': ['18446744073709551615', '9007199254740993'],
      'ratio: Float64': [0.5, 3],
      'wide: Float64': [12345678901234567000, 1],
      'day: Date32<DAY>': ['2024-01-31', '2024-02-29'],
      'at: Timestamp<MICROSECOND>': ['2024-01-31T10:00:00', '2024-01-31T10:00:00.250000'].map((instant) =>
        expect.stringContaining(instant.slice(0, 19)),
      ),
      'zoned: Timestamp<MICROSECOND, UTC>': [
        expect.stringContaining('08:00:00'),
        expect.stringContaining('10:00:00'),
      ],
      'nano: Timestamp<NANOSECOND>': [
        expect.stringContaining('10:00:00.123456789'),
        expect.stringContaining('10:00:00'),
      ],
      'flag: Bool': [true, false],
      'time: Time64<MICROSECOND>': [
        expect.stringContaining('10:00:00'),
        expect.stringContaining('23:59:59.5'),
      ],
      'text: Utf8': ['a', 'b, "c"\nd'],
      'empty: Utf8': [null, null],
    });
  });

  it('keeps ids as text that a double would round, and tells an empty text from nothing', async () => {
    expect(await read('csv', 'id,t\n123456789012345678901234,""\n1.5,\n')).toEqual({
      'id: Utf8': ['123456789012345678901234', '1.5'],
      't: Utf8': ['', null],
    });
  });

  it('looks at every row before it decides', async () => {
    const rows = Array.from({ length: 5_000 }, (_, row) => `${row}`);
    const columns = await read('csv', ['n', ...rows, 'last'].join('\n'));
    expect(Object.keys(columns)).toEqual(['n: Utf8']);
    expect(columns['n: Utf8']).toHaveLength(5_001);
  });

  it('follows the options, and finds delimiters, encodings, headers and compression itself', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a,b\n1,ü\n', 'utf16le')]);
    const one = { 'a: Int64': ['1'], 'b: Utf8': ['ü'] };
    expect(await read('csv', 'a;b\n1;ü\n')).toEqual(one);
    expect(await read('tsv', 'a\tb\r\n1\tü\r\n')).toEqual(one);
    expect(await read('csv', utf16)).toEqual(one);
    expect(await read('csv', Buffer.from('a,b\n1,ü\n', 'latin1'), { encoding: 'latin-1' })).toEqual(one);
    expect(await read('csv', `\ufeffa,b\n1,ü\n`)).toEqual(one);
    expect(await read('csv', gzipSync('a,b\n1,ü\n'))).toEqual(one);
    expect(await read('csv', zstdCompressSync('a,b\n1,ü\n'))).toEqual(one);
    expect(await read('csv', '1,ü\n2,ö\n')).toEqual({
      'column0: Int64': ['1', '2'],
      'column1: Utf8': ['ü', 'ö'],
    });
    expect(await read('csv', 'a,b\nNA,x\n3,-\n', { nulls: ['NA', '-'] })).toEqual({
      'a: Int64': [null, '3'],
      'b: Utf8': ['x', null],
    });
    expect(await read('csv', 'a,b\n', {})).toEqual({ 'a: Utf8': [], 'b: Utf8': [] });
  });

  it('joins files by the names of their columns, under a type that fits all', async () => {
    expect(await read('csv', ['a,b\n1,x\n', 'b,a\ny,2.5\n'])).toEqual({
      'a: Float64': [1, 2.5],
      'b: Utf8': ['x', 'y'],
    });
    expect(await failure('csv', ['a,b\n1,x\n', 'a,c\n1,x\n'])).toBe(
      'INVALID_FILE b.csv has other columns than a.csv: “b” is missing.',
    );
  });

  it.each([
    ['a line with more values', 'a,b\n1,2\n3,4,5\n', 'a.csv, line 3: 3 values where the first line has 2.'],
    ['a line with fewer values', 'a,b\n1\n', 'a.csv, line 2: 1 value where the first line has 2.'],
    [
      'a quote that is never closed',
      'a,b\n1,"x\n2,y\n',
      'a.csv, line 2: a double quote is opened and never closed.',
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from('a,b\n1,x\n2,\xff\xfe\n', 'latin1'),
      'a.csv, line 3: the text is not UTF-8.',
    ],
    [
      'binary bytes',
      Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256)),
      'a.csv: the file is no text.',
    ],
    ['an empty file', '', 'a.csv: the file is empty.'],
    [
      'too many columns',
      `${Array.from({ length: 10_000 }, (_, index) => `c${index}`).join(',')}\n`,
      'a.csv, line 1: the file has 10,000 columns; a table has at most 5,000.',
    ],
    [
      'a broken gzip file',
      gzipSync('a,b\n'.repeat(1000)).subarray(0, 30),
      'a.csv: the compressed file is damaged.',
    ],
  ])('names file and line of %s', async (_name, content, message) => {
    expect(await failure('csv', content)).toBe(`INVALID_FILE ${message}`);
  });
});

describe('JSON', () => {
  it('reads arrays, lines and objects one after the other', async () => {
    const columns = { 'a: Int64': ['1', '2'], 'b: Utf8': [null, 'x'] };
    expect(await read('json', '[{"a":1},{"a":2,"b":"x"}]')).toEqual(columns);
    expect(await read('ndjson', '{"a":1}\n{"a":2,"b":"x"}\n')).toEqual(columns);
    expect(await read('json', '{\n"a":1\n}\n{"a":2,\n"b":"x"}')).toEqual(columns);
    expect(await read('ndjson', ['{"a":1}\n', '{"a":2,"b":"x"}\n'])).toEqual(columns);
  });

  it('keeps what JSON says: nesting, instants with their zone, large numbers, values of mixed types', async () => {
    const columns = await read(
      'ndjson',
      '{"n":{"l":[1,2]},"at":"2024-01-31T10:00:00Z","big":18446744073709551615,"mix":1}\n{"mix":[1]}\n',
    );
    expect(columns).toEqual({
      'n: Struct<{l:List<Int64>}>': [{ l: ['1', '2'] }, null],
      'at: Timestamp<MICROSECOND, UTC>': [expect.stringContaining('10:00:00'), null],
      'big: Uint64': ['18446744073709551615', null],
      'mix: Utf8': ['1', '[1]'],
    });
  });

  it('keeps both of two names that differ in case only', async () => {
    expect(await read('ndjson', '{"A":1,"a":2}\n')).toEqual({ 'A: Int64': ['1'], 'a_1: Int64': ['2'] });
  });

  it('takes many names of one type for columns', async () => {
    const row = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`n${index}`, index]));
    const columns = await read('ndjson', `${JSON.stringify(row)}\n`.repeat(2));
    expect(Object.entries(columns).slice(0, 2)).toEqual([
      ['n0: Int64', ['0', '0']],
      ['n1: Int64', ['1', '1']],
    ]);
    expect(Object.keys(columns)).toHaveLength(300);
  });

  it.each([
    ['a single object', 'json', '{\n"rows": [1, 2]\n}', 'a.json: the file holds one object, not rows.'],
    ['plain values', 'json', '[1, 2, 3]', 'a.json: the file holds an array of plain values, not rows.'],
    ['a single value', 'json', '"hello"', 'a.json: the file holds a single value, not rows.'],
    ['an empty array', 'json', '[]', 'a.json: the file holds an empty array, not rows.'],
    ['objects without names', 'json', '[{}]', 'a.json: the file holds objects without any name, not rows.'],
    ['an empty file', 'json', ' \n', 'a.json: the file is empty.'],
    [
      'a broken line',
      'ndjson',
      '{"a":1}\n{"a":2}\n{"a":x}\n{"a":4}\n',
      'a.ndjson, line 3: the JSON is malformed (unexpected character).',
    ],
    [
      'an array that is cut off',
      'json',
      '[{"a":1},{"a":',
      'a.json, value 2: the JSON is malformed (unexpected end of data).',
    ],
  ] as const)('names file and place of %s', async (_name, format, content, message) => {
    expect(await failure(format, content)).toBe(`INVALID_FILE ${message}`);
  });

  it('names the one of several files that is broken', async () => {
    expect(await failure('ndjson', ['{"a":1}\n', '{"a":\n'])).toMatch(/^INVALID_FILE b\.ndjson/);
  });
});

it('leaves no temporary folders', async () => {
  const before = (await readdir(tmpdir())).filter((name) => name.startsWith('curio-import-'));
  await read('csv', 'a\n1\n');
  await failure('csv', 'a,b\n1\n');
  const after = (await readdir(tmpdir())).filter((name) => name.startsWith('curio-import-'));
  expect(after.filter((name) => !before.includes(name)).map((name) => basename(name))).toEqual([]);
});
