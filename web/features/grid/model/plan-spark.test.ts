import { expect, test } from 'vitest';
import { planSpark } from './plan-spark.ts';

test('bars stand around zero, or on the ground where nothing is below it', () => {
  expect(planSpark([1, -1], 4, 10)).toBe('M1 5V1M3 5V9');
  expect(planSpark([1, 0.5], 4, 10)).toBe('M1 9V1M3 9V5');
});

test('a long vector has one bar per two pixels, and no number breaks the path', () => {
  const values = Array.from({ length: 1280 }, (_none, at) => (at % 7 === 0 ? Number.NaN : Math.sin(at / 50)));
  const path = planSpark(values, 100, 24);
  expect([path.split('M').length - 1, path.includes('NaN')]).toEqual([50, false]);
});
