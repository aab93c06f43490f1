import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valuesEqual } from './values-equal.ts';

const nanWithBits = new Float64Array(BigUint64Array.of(0x7ff8_0000_0000_0001n).buffer)[0] as number;

const same: [string, unknown, unknown][] = [
  ['null and null', null, undefined],
  ['NaN and another NaN', Number.NaN, nanWithBits],
  ['scalar -0 and 0', -0, 0],
  ['-0 and 0 in a list', [-0], [0]],
  ['a 64-bit integer and the number of its value', 7n, 7],
  ['moments by instant', new Date('2024-01-01T01:00:00+01:00'), new Date('2024-01-01T00:00:00Z')],
  ['bytes', Uint8Array.of(1, 2), Uint8Array.of(1, 2)],
  ['vectors of the same NaN', Float32Array.of(Number.NaN), Float32Array.of(Number.NaN)],
  ['structs in another order', { a: 1, b: [null] }, { b: [null], a: 1 }],
  [
    'maps in another order',
    new Map([
      [1, 'a'],
      [2, 'b'],
    ]),
    new Map([
      [2, 'b'],
      [1, 'a'],
    ]),
  ],
];

const different: [string, unknown, unknown][] = [
  ['null and empty text', null, ''],
  ['null and empty list', null, []],
  ['null and 0', null, 0],
  ['empty list and list of null', [], [null]],
  ['vector -0 and 0', Float32Array.of(-0), Float32Array.of(0)],
  ['vectors of other widths', Float32Array.of(1), Float64Array.of(1)],
  ['text and number', '1', 1],
  ['bool and number', true, 1],
  ['64-bit integers beyond 2^53', 9_007_199_254_740_993n, 9_007_199_254_740_992n],
  ['struct with null and struct without the field', { a: null }, {}],
  ['struct and list', {}, []],
  ['map with another value', new Map([[1, 'a']]), new Map([[1, 'b']])],
];

test.each(same)('%s are equal', (_name, a, b) => {
  expect(valuesEqual(a, b)).toBe(true);
  expect(valuesEqual(b, a)).toBe(true);
});

test.each(different)('%s differ', (_name, a, b) => {
  expect(valuesEqual(a, b)).toBe(false);
  expect(valuesEqual(b, a)).toBe(false);
});

test('every value equals its copy', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
      (value) => {
        expect(valuesEqual(value, structuredClone(value))).toBe(true);
      },
    ),
  );
});
