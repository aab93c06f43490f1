import { expect, test } from 'vitest';
import { formatColumnType, parseColumnType } from '#shared/domain/column-type.ts';
import {
  formatJson,
  formatNumber,
  formatTime,
  formatTimeForCell,
  formatValue,
  showControls,
  toJson,
} from './format-value.ts';

const thin = (text: string) => text.replaceAll(' ', '\u2009');
const show = (value: unknown, type: string) => formatValue(value, parseColumnType(type));
const number = (value: unknown, type: string) => formatNumber(value, parseColumnType(type));

test('numbers keep every digit', () => {
  expect([
    show(9007199254740993n, 'int64'),
    number(9007199254740993n, 'int64'),
    number(-1234567, 'int32'),
  ]).toEqual(['9007199254740993', thin('9 007 199 254 740 993'), thin('-1 234 567')]);
  expect([
    show(Math.fround(0.1), 'float32'),
    show(0.1 + 0.2, 'float64'),
    show(Number.NaN, 'float32'),
    show(-0, 'float64'),
    show(Number.NEGATIVE_INFINITY, 'float64'),
  ]).toEqual(['0.1', '0.30000000000000004', 'NaN', '-0', '−∞']);
  expect([
    number(0.1 + 0.2, 'float64'),
    number(Math.fround(0.1), 'float32'),
    number(1e-9, 'float64'),
    number(1234567.5, 'float64'),
    number(2.5e20, 'float64'),
  ]).toEqual(['0.3', '0.1', '1e-9', thin('1 234 567.5'), '2.5e+20']);
});

test('decimals get their point back', () => {
  expect([
    show(12345n, 'decimal128(10, 2)'),
    show(-5n, 'decimal128(10, 3)'),
    show(7n, 'decimal128(10, -2)'),
    number(-123456789n, 'decimal128(20, 2)'),
    number(-5n, 'decimal128(10, 2)'),
  ]).toEqual(['123.45', '-0.005', '700', thin('-1 234 567.89'), '-0.05']);
});

test('times are exact to the unit, before 1970 as well', () => {
  expect([
    formatTime(1714744931123456789n, parseColumnType('timestamp[ns, UTC]')),
    formatTime(-1n, parseColumnType('timestamp[us]')),
    formatTime(0n, parseColumnType('timestamp[s, Europe/Berlin]')),
    formatTime(Date.UTC(1969, 11, 31), parseColumnType('date32')),
    formatTime(45_296_500_000n, parseColumnType('time64[us]')),
    formatTime(90_500n, parseColumnType('duration[ms]')),
  ]).toEqual([
    '2024-05-03T14:02:11.123456789Z',
    '1969-12-31T23:59:59.999999',
    '1970-01-01T00:00:00Z',
    '1969-12-31',
    '12:34:56.5',
    '90.5 s',
  ]);
  expect(formatTimeForCell(1714744931000000n, parseColumnType('timestamp[us]'))).toBe('2024-05-03 14:02:11');
});

test('nested values become JSON that loses nothing', () => {
  expect(
    toJson(
      { id: 9007199254740993n, tags: ['a', null], at: 0n },
      parseColumnType('struct<id: int64, tags: list<utf8>, at: timestamp[s, UTC]>'),
    ),
  ).toEqual({
    id: '9007199254740993',
    tags: ['a', null],
    at: '1970-01-01T00:00:00Z',
  });
  expect(show(new Float32Array([0.1, 2]), 'fixed_size_list<float32>[2]')).toBe('[0.1,2]');
  expect(show([['k', 1]], 'map<utf8, int32>')).toBe('[["k",1]]');
  expect(toJson('{"a":1}', { kind: 'json' })).toEqual({ a: 1 });
});

test('control characters are seen, line breaks stay', () => {
  expect(showControls('a\0\x1f\x7f\n\tb')).toBe('a\\0\\x1f\\x7f\n\tb');
});

test('inside nested values whole numbers are numbers, exact, and text is text', () => {
  const type = parseColumnType(
    'struct<ids: list<int64>, name: utf8, more: struct<n: int32, none: utf8>, empty: list<int8>>',
  );
  const value = { ids: [1n, 9007199254740993n], name: '1', more: { n: 2, none: null }, empty: [] };
  expect(formatJson(value, type)).toBe(
    '{"ids":[1,9007199254740993],"name":"1","more":{"n":2,"none":null},"empty":[]}',
  );
  expect(show(value, formatColumnType(type))).toBe(formatJson(value, type));
  expect(formatJson(value, type, 2)).toBe(`{
  "ids": [
    1,
    9007199254740993
  ],
  "name": "1",
  "more": {
    "n": 2,
    "none": null
  },
  "empty": []
}`);
});

test('laid out as JSON.stringify lays out', () => {
  const type = parseColumnType('struct<a: list<struct<b: float64, c: utf8>>, d: bool>');
  const value = {
    a: [
      { b: 0.5, c: 'x\n"y"' },
      { b: 1, c: '' },
    ],
    d: true,
  };
  for (const indent of [0, 1, 2])
    expect(formatJson(value, type, indent)).toBe(JSON.stringify(value, null, indent));
});
