import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valuesEqual } from '#shared/domain/values-equal.ts';
import { cellKinds } from '../testing/arbitrary-cells.ts';
import { makeArrowTable } from '../testing/columns.ts';
import { arrow, type Data } from './arrow.ts';
import { createCellsEqual } from './cells-equal.ts';

const dataOf = (type: string, values: ArrayLike<unknown>): Data =>
  makeArrowTable({ x: { type, values } }).getChild('x')!.data[0]!;

/** As it arrives from Lance: through IPC bytes. */
const throughIpc = (type: string, values: ArrayLike<unknown>): Data =>
  arrow.tableFromIPC(arrow.tableToIPC(makeArrowTable({ x: { type, values } }), 'file')).getChild('x')!
    .data[0]!;

describe('createCellsEqual', () => {
  test.each(cellKinds.map((kind) => [kind.type, kind] as const))(
    '%s follows valuesEqual',
    (type, { cell, plain }) => {
      fc.assert(
        fc.property(
          fc.array(cell, { minLength: 1, maxLength: 12 }),
          fc.array(cell, { minLength: 1, maxLength: 12 }),
          (a, b) => {
            const equal = createCellsEqual(dataOf(type, a), throughIpc(type, b));
            for (const [i, left] of a.entries()) {
              for (const [j, right] of b.entries())
                expect([i, j, equal(i, j)]).toEqual([i, j, valuesEqual(plain(left), plain(right))]);
            }
          },
        ),
        { numRuns: 30 },
      );
    },
  );

  test('a cast that keeps the value is no change', () => {
    const equal = createCellsEqual(dataOf('int32', [1, 2, null]), dataOf('int64', [1n, 3n, null]));
    expect([equal(0, 0), equal(1, 1), equal(2, 2), equal(0, 2)]).toEqual([true, false, true, false]);
    const decimals = createCellsEqual(dataOf('decimal128(10, 2)', [150n]), dataOf('float64', [1.5]));
    expect(decimals(0, 0)).toBe(true);
  });

  test('dictionaries compare by value, also with plain text', () => {
    const equal = createCellsEqual(
      dataOf('dictionary<int32, utf8>', ['b', 'a', null]),
      dataOf('utf8', ['a', 'b', null]),
    );
    expect([equal(0, 1), equal(1, 0), equal(0, 0), equal(2, 2), equal(2, 0)]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
  });
});
