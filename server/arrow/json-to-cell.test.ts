import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrow, type DataType, type Int32 as Int32Type, type Utf8 as Utf8Type } from './arrow.ts';
import { dataCellToJson, type JsonCell } from './cell-json.ts';
import { columnFromJson, writtenField } from './json-to-cell.ts';

const {
  Field,
  Bool,
  Int8,
  Int32,
  Int64,
  Uint8,
  Uint64,
  Float16,
  Float32,
  Float64,
  Utf8,
  LargeUtf8,
  Binary,
  LargeBinary,
  FixedSizeBinary,
  Decimal,
  DateDay,
  DateMillisecond,
  TimeSecond,
  TimeMillisecond,
  TimeMicrosecond,
  TimeNanosecond,
  TimestampSecond,
  TimestampMillisecond,
  TimestampMicrosecond,
  TimestampNanosecond,
  DurationMillisecond,
  DurationNanosecond,
  List,
  FixedSizeList,
  Struct,
  Map_,
  Dictionary,
} = arrow;

const field = (type: DataType, isNullable = true, metadata?: Map<string, string>) =>
  new Field('c', type, isNullable, metadata);
const item = (type: DataType, isNullable = true) => new Field('item', type, isNullable);

const throughCells = (type: DataType, values: unknown[]): JsonCell[] => {
  const data = columnFromJson(field(type), values);
  return values.map((_, row) => dataCellToJson(data, row));
};

const base64 = (max: number) =>
  fc.uint8Array({ maxLength: max }).map((bytes) => Buffer.from(bytes).toString('base64'));
const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String);
const pad = (value: number, width: number) => String(value).padStart(width, '0');
const day = fc
  .date({ min: new Date('1700-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map((parts) => parts.map((part) => pad(part, 2)).join(':'));
const withFraction = (digits: number) =>
  fc
    .tuple(clock, fc.nat(10 ** digits - 1))
    .map(([time, rest]) => (digits === 0 ? time : `${time}.${pad(rest, digits)}`));
const moment = (digits: number, zone: string) =>
  fc.tuple(day, withFraction(digits)).map(([date, time]) => `${date}T${time}${zone}`);
const half = fc.integer({ min: -2048, max: 2048 }).map((value) => value / 16);
const special = fc.constantFrom('NaN', 'Infinity', '-Infinity');
const notMinusZero = (value: unknown) => !Object.is(value, -0);

const cases: [string, DataType, fc.Arbitrary<unknown>][] = [
  ['bool', new Bool(), fc.boolean()],
  ['int8', new Int8(), fc.integer({ min: -128, max: 127 })],
  ['uint8', new Uint8(), fc.integer({ min: 0, max: 255 })],
  ['int32', new Int32(), fc.integer()],
  ['int64', new Int64(), int64],
  ['uint64', new Uint64(), fc.bigInt(0n, 2n ** 64n - 1n).map(String)],
  ['float16', new Float16(), fc.oneof(half, special)],
  [
    'float32',
    new Float32(),
    fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true }).filter(notMinusZero), special),
  ],
  [
    'float64',
    new Float64(),
    fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }).filter(notMinusZero), special),
  ],
  ['utf8', new Utf8(), fc.string({ unit: 'grapheme' })],
  ['large_utf8', new LargeUtf8(), fc.string()],
  ['binary', new Binary(), base64(20)],
  ['large_binary', new LargeBinary(), base64(20)],
  [
    'fixed_size_binary',
    new FixedSizeBinary(3),
    fc.uint8Array({ minLength: 3, maxLength: 3 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  ],
  [
    'decimal',
    new Decimal(2, 20, 128),
    fc.bigInt(-(10n ** 20n) + 1n, 10n ** 20n - 1n).map(
      (n) =>
        `${n < 0n ? '-' : ''}${String(n < 0n ? -n : n)
          .padStart(3, '0')
          .replace(/(..)$/, '.$1')}`,
    ),
  ],
  ['decimal256', new Decimal(0, 70, 256), fc.bigInt(-(10n ** 70n) + 1n, 10n ** 70n - 1n).map(String)],
  ['date32', new DateDay(), day],
  ['date64', new DateMillisecond(), day],
  ['time32[s]', new TimeSecond(), withFraction(0)],
  ['time32[ms]', new TimeMillisecond(), withFraction(3)],
  ['time64[us]', new TimeMicrosecond(), withFraction(6)],
  ['time64[ns]', new TimeNanosecond(), withFraction(9)],
  ['timestamp[s]', new TimestampSecond(), moment(0, '')],
  ['timestamp[ms]', new TimestampMillisecond(), moment(3, '')],
  ['timestamp[us, UTC]', new TimestampMicrosecond('UTC'), moment(6, 'Z')],
  ['timestamp[ns, Europe/Berlin]', new TimestampNanosecond('Europe/Berlin'), moment(9, 'Z')],
  [
    'duration[ms]',
    new DurationMillisecond(),
    fc
      .tuple(fc.boolean(), fc.nat(10_000), fc.nat(999))
      .map(([minus, s, ms]) => `${minus && s + ms > 0 ? '-' : ''}PT${s}.${pad(ms, 3)}S`),
  ],
  [
    'duration[ns]',
    new DurationNanosecond(),
    fc.tuple(fc.nat(10_000), fc.nat(999_999_999)).map(([s, ns]) => `PT${s}.${pad(ns, 9)}S`),
  ],
  ['list<utf8>', new List(item(new Utf8())), fc.array(fc.option(fc.string()), { maxLength: 4 })],
  [
    'list<list<int64>>',
    new List(item(new List(item(new Int64())))),
    fc.array(fc.option(fc.array(int64, { maxLength: 3 })), { maxLength: 3 }),
  ],
  [
    'fixed_size_list<float32>[3]',
    new FixedSizeList(3, item(new Float32(), false)),
    fc.array(half, { minLength: 3, maxLength: 3 }),
  ],
  [
    'struct',
    new Struct([new Field('x', new Int64(), false), new Field('y', new List(item(new Utf8())), true)]),
    fc.record({ x: int64, y: fc.option(fc.array(fc.string(), { maxLength: 2 })) }),
  ],
  [
    'map',
    new Map_(
      new Field(
        'entries',
        new Struct<{ key: Utf8Type; value: Int32Type }>([
          new Field('key', new Utf8(), false),
          new Field('value', new Int32(), true),
        ]),
        false,
      ),
    ),
    fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => !/^\d+$|^__proto__$/.test(key)),
      fc.option(fc.integer()),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ],
  ['dictionary', new Dictionary(new Utf8(), new Int8()), fc.constantFrom('a', 'b', 'ü')],
];

describe('what JSON prints of a cell makes the same cell again', () => {
  test.each(cases)('%s', (_name, type, arbitrary) => {
    fc.assert(
      fc.property(fc.array(fc.option(arbitrary), { maxLength: 12 }), (values) => {
        expect(throughCells(type, values)).toEqual(values);
      }),
      { numRuns: 60 },
    );
  });
});

describe('values may be written in other ways too', () => {
  test.each([
    ['a whole number for int64', new Int64(), 7, '7'],
    ['a number for a decimal', new Decimal(2, 10, 128), 1.5, '1.50'],
    ['an exponent for a decimal', new Decimal(2, 10, 128), 1e3, '1000.00'],
    ['zeros beyond the scale', new Decimal(2, 10, 128), '1.5000', '1.50'],
    [
      'an offset for a moment with a zone',
      new TimestampMicrosecond('UTC'),
      '2024-05-01T12:00:00+02:00',
      '2024-05-01T10:00:00.000000Z',
    ],
    [
      'a moment without a zone in a column with one',
      new TimestampMillisecond('UTC'),
      '2024-05-01 12:00',
      '2024-05-01T12:00:00.000Z',
    ],
    [
      'Z in a column without a zone',
      new TimestampMillisecond(),
      '2024-05-01T12:00:00Z',
      '2024-05-01T12:00:00.000',
    ],
    ['a date as a moment', new TimestampSecond(), '2024-05-01', '2024-05-01T00:00:00'],
    ['bytes as an object', new Binary(), { base64: 'AAE=' }, 'AAE='],
    ['base64 for addresses', new Binary(), '-_8', '+/8='],
    ['hours and minutes', new DurationMillisecond(), 'PT1H2M', 'PT3720.000S'],
    ['a struct with fields left out', new Struct([new Field('x', new Int32(), true)]), {}, { x: null }],
    ['the nearest float16', new Float16(), 0.1, 0.0999755859375],
    ['a float16 below the normal ones', new Float16(), 6e-8, 2 ** -24],
  ])('%s', (_name, type, value, printed) => {
    expect(throughCells(type, [value])).toEqual([printed]);
  });

  test('an undefined value is null', () => {
    expect(throughCells(new Utf8(), [undefined, 'a'])).toEqual([null, 'a']);
  });

  test('JSON columns take text that is JSON, and any other JSON', () => {
    const json = field(new LargeBinary(), true, new Map([['ARROW:extension:name', 'lance.json']]));
    const data = columnFromJson(json, ['{"a": 1}', { b: [2] }, 3, null]);
    expect([0, 1, 2, 3].map((row) => dataCellToJson(data, row))).toEqual([
      '{"a": 1}',
      '{"b":[2]}',
      '3',
      null,
    ]);
    expect(writtenField(json).type).toBeInstanceOf(Utf8);
    expect(writtenField(json).metadata.get('ARROW:extension:name')).toBe('arrow.json');
    expect(() => columnFromJson(json, ['{'])).toThrow(/expected JSON/);
  });

  test('blobs take bytes as base64', () => {
    const type = new Struct([new Field('data', new LargeBinary(), true), new Field('uri', new Utf8(), true)]);
    const blob = field(type, true, new Map([['ARROW:extension:name', 'lance.blob.v2']]));
    const data = columnFromJson(blob, [{ base64: 'aGk=' }, null, { base64: '' }]);
    expect([0, 1, 2].map((row) => dataCellToJson(data, row))).toEqual([
      { data: 'aGk=', uri: null },
      null,
      { data: '', uri: null },
    ]);
    expect(() => columnFromJson(blob, ['aGk='])).toThrow('c: expected {"base64": "…"}, got "aGk=".');
  });
});

describe('what does not fit is refused, with the place and what was expected', () => {
  const point = new Struct([new Field('x', new Int32(), false)]);
  test.each([
    ['text', new Utf8(), 3, 'c: expected text, got 3.'],
    ['text with half a character', new Utf8(), 'a\ud800', 'c: it is not whole Unicode text.'],
    ['bool', new Bool(), 'true', 'c: expected true or false, got "true".'],
    ['int32', new Int32(), 'x', 'c: expected a whole number, got "x".'],
    ['int32 with a fraction', new Int32(), 1.5, 'c: expected a whole number, got 1.5.'],
    ['int8 overflow', new Int8(), 128, 'c: 128 is outside -128 to 127.'],
    [
      'int64 overflow',
      new Int64(),
      '9223372036854775808',
      'c: 9223372036854775808 is outside -9223372036854775808 to 9223372036854775807.',
    ],
    ['uint64 below zero', new Uint64(), '-1', 'c: -1 is outside 0 to 18446744073709551615.'],
    [
      'int64 as a float',
      new Int64(),
      2 ** 60,
      'c: a whole number of more than 53 bits must be sent as text.',
    ],
    ['float32 overflow', new Float32(), 1e39, 'c: 1e+39 is too large for float32.'],
    ['float16 overflow', new Float16(), 70_000, 'c: 70000 is too large for float16.'],
    ['float as text', new Float64(), '1.5', 'c: expected a number, got "1.5".'],
    [
      'decimal with more decimals',
      new Decimal(2, 10, 128),
      '1.234',
      'c: expected a decimal with at most 2 decimals, got "1.234".',
    ],
    ['decimal overflow', new Decimal(0, 3, 128), '1000', 'c: 1000 has more than 3 digits.'],
    ['base64', new Binary(), 'ä', 'c: it is not base64.'],
    ['bytes of another size', new FixedSizeBinary(2), 'AAAA', 'c: expected 2 bytes, got 3.'],
    [
      'no moment',
      new TimestampSecond(),
      'yesterday',
      'c: “yesterday” is not a moment: a moment is written like 2024-05-01T12:30:00.',
    ],
    [
      'a day that is not',
      new DateDay(),
      '2023-02-29',
      'c: “2023-02-29” is not a date: the month has no day 29.',
    ],
    [
      'a month that is not',
      new DateDay(),
      '2023-13-01',
      'c: “2023-13-01” is not a date: there is no month 13.',
    ],
    [
      'an hour that is not',
      new TimeSecond(),
      '24:00:00',
      'c: “24:00:00” is not a time: there is no time 24:00:00.',
    ],
    [
      'a finer fraction',
      new TimestampMillisecond(),
      '2024-01-01T00:00:00.0001',
      'c: “2024-01-01T00:00:00.0001” is not a moment: the column keeps 3 decimals of a second.',
    ],
    [
      'an offset without a zone',
      new TimestampSecond(),
      '2024-01-01T00:00:00+02:00',
      'c: “2024-01-01T00:00:00+02:00” is not a moment: the column has no time zone, so none can be given.',
    ],
    ['a moment as a number', new TimestampSecond(), 5, 'c: expected a moment as text, got 5.'],
    [
      'a moment too far',
      new TimestampNanosecond(),
      '9999-01-01T00:00:00',
      'c: “9999-01-01T00:00:00” is not a moment: it is outside what the column can hold.',
    ],
    ['a list', new List(item(new Utf8())), 'a', 'c: expected a list, got "a".'],
    ['inside a list', new List(item(new Utf8())), ['a', 1], 'c[1]: expected text, got 1.'],
    [
      'null where a list has none',
      new List(item(new Utf8(), false)),
      ['a', null],
      'c[1]: it cannot be empty.',
    ],
    [
      'a vector of another size',
      new FixedSizeList(3, item(new Float32())),
      [1, 2],
      'c: expected 3 values, got 2.',
    ],
    [
      'null inside a vector',
      new FixedSizeList(2, item(new Float32(), false)),
      [1, null],
      'c[1]: it cannot be empty.',
    ],
    [
      'inside a vector',
      new FixedSizeList(2, item(new Float32())),
      [1, 'x'],
      'c[1]: expected a number, got "x".',
    ],
    ['a struct', point, [1], 'c: expected an object, got a list of 1.'],
    ['an unknown field', point, { x: 1, z: 2 }, 'c: it has no field “z”.'],
    ['a field left out', point, {}, 'c.x: it cannot be empty.'],
    [
      'deep inside',
      new List(item(point)),
      [{ x: 1 }, { x: 'no' }],
      'c[1].x: expected a whole number, got "no".',
    ],
  ])('%s', (_name, type, value, message) => {
    expect(() => columnFromJson(field(type), [value])).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message }),
    );
  });

  test('the row is named as the caller calls it', () => {
    const values = [['a'], ['b', 'c'], null, [], ['d', 5]];
    const fault = () => columnFromJson(field(new List(item(new Utf8()))), values, (row) => `Row ${row + 1}`);
    expect(fault).toThrow('Row 5, c[1]: expected text, got 5.');
  });

  test('a column that may not be empty', () => {
    expect(() => columnFromJson(field(new Utf8(), false), ['a', null])).toThrow('c: it cannot be empty.');
  });

  test('a dictionary that is full', () => {
    const many = Array.from({ length: 129 }, (_, index) => `v${index}`);
    expect(() => columnFromJson(field(new Dictionary(new Utf8(), new Int8())), many)).toThrow(
      'at most 128 different values',
    );
  });
});
