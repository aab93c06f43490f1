import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ColumnProfile } from '#shared/api/tables.ts';
import { planWholeShift } from './whole-shift.ts';

const profile = (over: Partial<ColumnProfile>): ColumnProfile => ({
  name: 'a',
  nulls: 0,
  distinct: 2,
  isDistinctExact: true,
  min: null,
  max: null,
  mean: null,
  quantiles: null,
  histogram: null,
  top: null,
  scope: 'all 10 rows',
  ...over,
});

test('values that one side lists count as none on the other where that lists all', () => {
  const before = profile({ top: [{ value: 'cat', rows: 10 }], distinct: 1 });
  const after = profile({ top: [{ value: 'kitty', rows: 10 }], distinct: 1 });
  expect(planWholeShift(before, after)).toMatchObject({
    scope: 'all 10 rows',
    shift: {
      values: [
        { text: 'cat', before: 10, after: 0 },
        { text: 'kitty', before: 0, after: 10 },
      ],
    },
  });
});

test('a value whose count one side does not tell is left out', () => {
  const before = profile({ top: [{ value: 'cat', rows: 10 }], distinct: 900 });
  const after = profile({
    top: [
      { value: 'cat', rows: 9 },
      { value: 'dog', rows: 8 },
    ],
    distinct: 900,
    scope: 'a sample of 100 of 1000 rows',
  });
  const whole = planWholeShift(before, after);
  expect(whole?.shift).toMatchObject({ values: [{ text: 'cat', before: 10, after: 9 }] });
  expect(whole?.scope).toBe('old: all 10 rows; new: a sample of 100 of 1000 rows');
});

test('bins of different widths are laid into common ones, and no row is lost', () => {
  const bins = fc
    .tuple(
      fc.integer({ min: -100, max: 100 }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 }),
    )
    .map(([start, width, rows]) =>
      rows.map((count, at) => ({ from: start + at * width, to: start + (at + 1) * width, rows: count })),
    );
  fc.assert(
    fc.property(bins, bins, (old, next) => {
      const whole = planWholeShift(profile({ histogram: old }), profile({ histogram: next }));
      if (whole?.shift.kind !== 'histogram') throw new Error('numbers make a histogram');
      const sum = (list: readonly { rows: number }[]) => list.reduce((total, { rows }) => total + rows, 0);
      const { bins: common } = whole.shift;
      const near = (found: number, wanted: number) => Math.abs(found - wanted) <= common.length / 2;
      expect(
        near(
          common.reduce((total, bin) => total + bin.before, 0),
          sum(old),
        ),
      ).toBe(true);
      expect(
        near(
          common.reduce((total, bin) => total + bin.after, 0),
          sum(next),
        ),
      ).toBe(true);
    }),
  );
});
