import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planJustified } from './plan-justified.ts';

const options = fc.record({
  aspects: fc.array(fc.double({ min: 0.4, max: 3, noNaN: true }), { minLength: 1, maxLength: 60 }),
  widthPx: fc.integer({ min: 320, max: 2400 }),
  targetPx: fc.integer({ min: 80, max: 400 }),
  gapPx: fc.integer({ min: 0, max: 16 }),
  isEnd: fc.boolean(),
});

test('every item stands in exactly one row, in order', () => {
  fc.assert(
    fc.property(options, (given) => {
      const rows = planJustified(given);
      expect(
        rows.flatMap((row) => Array.from({ length: row.end - row.start }, (_none, at) => row.start + at)),
      ).toEqual(given.aspects.map((_aspect, at) => at));
    }),
  );
});

test('rows fill the width and never leave it', () => {
  fc.assert(
    fc.property(options, (given) => {
      for (const row of planJustified(given)) {
        const sum = given.aspects
          .slice(row.start, row.end)
          .reduce((total, aspect) => total + Math.max(0.35, Math.min(3.5, aspect)), 0);
        const widthPx = sum * row.heightPx + given.gapPx * (row.end - row.start - 1);
        expect(widthPx).toBeLessThanOrEqual(given.widthPx + 0.01);
      }
    }),
  );
});

test('photographs come out near the wanted height, the last row of the list as well', () => {
  const aspects = Array.from({ length: 48 }, (_none, at) => [1.5, 1.33, 0.75, 1][at % 4] as number);
  const rows = planJustified({ aspects, widthPx: 1200, targetPx: 200, gapPx: 8, isEnd: true });
  for (const row of rows) expect(Math.abs(row.heightPx - 200)).toBeLessThan(50);
  expect(planJustified({ aspects: [1.5, 1], widthPx: 1200, targetPx: 200, gapPx: 8, isEnd: true })).toEqual([
    { start: 0, end: 2, heightPx: 200 },
  ]);
});
