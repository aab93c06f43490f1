import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf } from '#shared/domain/facets/count-facets.ts';
import { rowsAtOnce } from '#shared/domain/facets/cube.ts';
import { RowValues } from './row-values.ts';

describe('values of rows', () => {
  it('come back by blocks as they were put in, from memory and from a file', () => {
    const parts = fc.array(fc.integer({ min: 0, max: 900_000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, fc.boolean(), (counts, isInFile) => {
        const rows = counts.reduce((sum, count) => sum + count, 0);
        const kept = new RowValues(Int32Array, { rows, isInFile });
        let row = 0;
        for (const count of counts) {
          const { values, at } = kept.room(count);
          for (let index = 0; index < count; index++) values[at + index] = row++;
        }
        for (const turn of [1, 2])
          for (const [from, to] of blocksOf(rows)) {
            const block = kept.block(from, to);
            expect([turn, block.length, block[0], block.at(-1)]).toEqual([turn, to - from, from, to - 1]);
            expect(block.every((value, at) => value === from + at)).toBe(true);
          }
      }),
      { numRuns: 12 },
    );
  });

  it('take more at once than a block has', () => {
    const rows = 3 * rowsAtOnce + 5;
    const kept = new RowValues(Float64Array, { rows, isInFile: true });
    const { values, at } = kept.room(rows);
    for (let row = 0; row < rows; row++) values[at + row] = row / 2;
    expect(kept.block(3 * rowsAtOnce, rows)).toEqual(
      Float64Array.from({ length: 5 }, (_none, row) => (3 * rowsAtOnce + row) / 2),
    );
  });
});
