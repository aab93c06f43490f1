import { expect, test } from 'vitest';
import { pendingCellsOf, toShownValue } from './shown-value.ts';

test.each([
  ['utf8', 'a', 'a'],
  ['int64', '9007199254740993', 9007199254740993n],
  ['int8', 5, 5],
  ['float32', 'NaN', Number.NaN],
  ['bool', false, false],
  ['timestamp[us, UTC]', '1970-01-01T00:00:01.500Z', 1_500_000n],
  ['timestamp[s]', '1970-01-01T00:00:02.000', 2n],
  ['date32', '1970-01-02', 86_400_000],
  ['list<utf8>', ['a'], ['a']],
  ['utf8', null, null],
])('%s shows %s at once', (type, value, shown) => {
  expect(toShownValue(value, type)).toEqual({ value: shown });
});

test('what rows alone can tell is not shown before they come', () => {
  expect(
    ['struct<a: int64>', 'list<int64>', 'decimal128(10, 2)'].map((type) => toShownValue({}, type)),
  ).toEqual([null, null, null]);
});

test('an edit of rows by id names its cells', () => {
  const columns = [
    { name: 'a', type: 'utf8' },
    { name: 'n', type: 'int64' },
  ];
  expect(
    pendingCellsOf({ op: 'set', rows: { ids: ['1', 2] }, values: { n: '5', other: 1 } }, columns),
  ).toEqual([
    { rowId: '1', column: 'n', value: 5n },
    { rowId: '2', column: 'n', value: 5n },
  ]);
  expect([
    pendingCellsOf({ op: 'set', rows: { all: true }, values: { a: 'x' } }, columns),
    pendingCellsOf({ op: 'delete', rows: { ids: [1] } }, columns),
  ]).toEqual([[], []]);
});
