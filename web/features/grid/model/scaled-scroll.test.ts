import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planReveal, planScroll, type ScrollSizes, scrollEnds, settlePhysical } from './scaled-scroll.ts';

const long: ScrollSizes = { contentPx: 10_000_000 * 28, viewportPx: 600, extraPx: 32 };
const short: ScrollSizes = { contentPx: 218 * 44, viewportPx: 600, extraPx: 32 };

test('a table that fits is scrolled as it is', () => {
  expect(planScroll({ physical: 0, logical: 0 }, 5000, short)).toEqual({ physical: 5000, logical: 5000 });
  expect(scrollEnds(short)).toEqual({ physical: 218 * 44 + 32 - 600, logical: 218 * 44 + 32 - 600 });
});

test('both ends of ten million rows are exact', () => {
  const ends = scrollEnds(long);
  const start = { physical: 0, logical: 0 };
  expect(planScroll(start, ends.physical, long).logical).toBe(10_000_000 * 28 - (600 - 32));
  expect(planScroll({ physical: 99, logical: 12_345 }, 0, long).logical).toBe(0);
});

test('the wheel moves pixel by pixel, the thumb in proportion', () => {
  const place = { physical: 4_000_000, logical: 140_000_000 };
  expect(planScroll(place, 4_000_120, long).logical).toBe(140_000_120);
  const ends = scrollEnds(long);
  expect(planScroll(place, ends.physical / 2, long).logical).toBeCloseTo(ends.logical / 2, 0);
});

test('settling and scrolling back again stay at the same row, whatever the place', () => {
  const ends = scrollEnds(long);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: ends.logical }),
      fc.integer({ min: -2000, max: 2000 }),
      (logical, wheel) => {
        const physical = settlePhysical(logical, long);
        const moved = planScroll({ physical, logical }, physical + wheel, long);
        expect(moved.logical).toBeGreaterThanOrEqual(0);
        expect(moved.logical).toBeLessThanOrEqual(ends.logical);
        const atEnd = physical + wheel <= 0 || physical + wheel >= ends.physical - 1;
        if (!atEnd) expect(moved.logical).toBe(Math.max(0, Math.min(ends.logical, logical + wheel)));
      },
    ),
  );
});

test('a row that is far away comes to stand in the middle, at the ends as near as can be', () => {
  const sizes = { contentPx: 280_000, viewportPx: 632, extraPx: 32 };
  expect(planReveal({ topPx: 140_000, heightPx: 28 }, 0, sizes)).toBe(140_000 + 14 - 300);
  expect(planReveal({ topPx: 140_000, heightPx: 28 }, 200_000, sizes)).toBe(140_000 + 14 - 300);
  expect(planReveal({ topPx: 280_000 - 28, heightPx: 28 }, 0, sizes)).toBe(280_000 - 600);
  expect(planReveal({ topPx: 28, heightPx: 28 }, 200_000, sizes)).toBe(0);
});

test('revealing moves as little as it can', () => {
  const sizes = { contentPx: 28_000, viewportPx: 632, extraPx: 32 };
  expect(planReveal({ topPx: 280, heightPx: 28 }, 0, sizes)).toBeNull();
  expect(planReveal({ topPx: 28 * 30, heightPx: 28 }, 0, sizes)).toBe(28 * 31 - 600);
  expect(planReveal({ topPx: 0, heightPx: 28 }, 500, sizes)).toBe(0);
});
