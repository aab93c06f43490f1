import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSlices } from './parquet-protocol.ts';

const groups = fc.array(
  fc.record({
    rows: fc.integer({ min: 0, max: 5_000 }),
    packedBytes: fc.constant(0),
    plainBytes: fc.integer({ min: 0, max: 10 ** 9 }),
  }),
  { maxLength: 6 },
);

describe('planSlices', () => {
  it('has every row from the first wanted on once and in order, whatever the sizes', () => {
    fc.assert(
      fc.property(
        groups,
        fc.nat(8_000),
        fc.integer({ min: 1, max: 10 ** 7 }),
        fc.constantFrom(1, 1 / 16, 1 / 256),
        (made, done, probedRowBytes, share) => {
          const starts = made.map((_, at) => made.slice(0, at).reduce((sum, { rows }) => sum + rows, 0));
          const total = made.reduce((sum, { rows }) => sum + rows, 0);
          const slices = planSlices({ groups: made }, { done, probedRowBytes, share });
          const isInside = slices.every(
            ({ group, offset, rows }) => rows > 0 && offset + rows <= made[group]!.rows,
          );
          let next = Math.min(done, total);
          const isInOrder = slices.every(({ group, offset, rows }) => {
            const follows = starts[group]! + offset === next;
            next += rows;
            return follows;
          });
          expect({ isInside, isInOrder, end: next }).toEqual({ isInside: true, isInOrder: true, end: total });
        },
      ),
    );
  });

  it('takes a row group that fits at once, and cuts one that does not', () => {
    const facts = {
      groups: [
        { rows: 1_000, packedBytes: 1, plainBytes: 1_000_000 },
        { rows: 300, packedBytes: 1, plainBytes: 3 * 96 * 1024 ** 2 },
      ],
    };
    expect(planSlices(facts, { done: 0, probedRowBytes: 1, share: 1 })).toEqual([
      { group: 0, offset: 0, rows: 1_000 },
      { group: 1, offset: 0, rows: 100 },
      { group: 1, offset: 100, rows: 100 },
      { group: 1, offset: 200, rows: 100 },
    ]);
  });
});
