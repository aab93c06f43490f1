import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrow, type Data, type DataType } from './arrow.ts';
import { dataCellToJson } from './cell-json.ts';
import { concatData } from './concat-data.ts';
import { gather } from './gather.ts';
import { columnFromJson } from './json-to-cell.ts';
import { nullData } from './null-data.ts';

const {
  Field,
  Bool,
  Int32,
  Int64,
  Float16,
  Float32,
  Utf8,
  LargeUtf8,
  Binary,
  FixedSizeBinary,
  Decimal,
  TimestampMicrosecond,
  DateDay,
  List,
  FixedSizeList,
  Struct,
  Dictionary,
  Int8,
  Null,
} = arrow;

const item = (type: DataType, isNullable = true) => new Field('item', type, isNullable);
const types: [string, DataType, unknown[]][] = [
  ['null', new Null(), [null]],
  ['bool', new Bool(), [true, false, null]],
  ['int32', new Int32(), [1, -2, null]],
  ['int64', new Int64(), ['9223372036854775807', '0', null]],
  ['float16', new Float16(), [1.5, -0.25, null]],
  ['utf8', new Utf8(), ['', 'ä', 'long enough', null]],
  ['large_utf8', new LargeUtf8(), ['', 'x', null]],
  ['binary', new Binary(), ['AAE=', '', null]],
  ['fixed_size_binary', new FixedSizeBinary(3), ['AAEC', null]],
  ['decimal', new Decimal(2, 20, 128), ['1.50', '-3.00', null]],
  ['timestamp', new TimestampMicrosecond('UTC'), ['2024-05-01T10:00:00.000001Z', null]],
  ['date', new DateDay(), ['2024-05-01', null]],
  ['list', new List(item(new List(item(new Utf8())))), [[], [['a'], null, []], null]],
  ['vector', new FixedSizeList(2, item(new Float32(), false)), [[1, 2], [3, 4], null]],
  [
    'struct',
    new Struct([new Field('x', new Int32(), false), new Field('y', new Bool(), true)]),
    [{ x: 1, y: null }, { x: 2, y: true }, null],
  ],
  ['dictionary', new Dictionary(new Utf8(), new Int8()), ['a', 'b', 'c', null]],
];

const printed = (data: Data) => Array.from({ length: data.length }, (_, row) => dataCellToJson(data, row));

describe('columns one behind the other', () => {
  test.each(types)('%s', (_name, type, values) => {
    const field = new Field('c', type, true);
    const part = fc.array(fc.constantFrom(...values), { maxLength: 10 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const whole = concatData(
          type,
          parts.map((each) => columnFromJson(field, each)),
        );
        expect(printed(whole)).toEqual(parts.flat());
      }),
      { numRuns: 40 },
    );
  });

  test.each(types)('%s, cut out of longer ones', (_name, type, values) => {
    const field = new Field('c', type, true);
    const long = columnFromJson(field, [...values, ...values, ...values]);
    const cut = [long.slice(1, 2), long.slice(values.length, values.length), long.slice(2, 1)];
    expect(printed(concatData(type, cut))).toEqual(cut.flatMap(printed));
  });

  test.each(types)('%s, and what was concatenated can be picked from', (_name, type, values) => {
    const field = new Field('c', type, true);
    const whole = concatData(type, [
      columnFromJson(field, values),
      nullData(type, 2),
      columnFromJson(field, values),
    ]);
    const order = Int32Array.from({ length: whole.length }, (_, row) => whole.length - 1 - row);
    expect(printed(gather(whole, order))).toEqual(printed(whole).reverse());
  });
});

test.each(types)('nulls of %s', (_name, type) => {
  const nulls = nullData(type, 3);
  expect(printed(nulls)).toEqual([null, null, null]);
  const table = new arrow.Table({ c: new arrow.Vector([nulls]) });
  const back = arrow.tableFromIPC(arrow.tableToIPC(table, 'file'));
  expect(back.getChild('c')?.nullCount ?? 3).toBe(3);
});

test('a dictionary that would get too many values is refused', () => {
  const field = new Field('c', new Dictionary(new Utf8(), new Int8()), true);
  const part = (from: number) =>
    columnFromJson(
      field,
      Array.from({ length: 100 }, (_, index) => `v${from + index}`),
    );
  expect(printed(concatData(field.type, [part(0), part(0)]))).toHaveLength(200);
  expect(() => concatData(field.type, [part(0), part(100)])).toThrow('at most 128 different values');
});
