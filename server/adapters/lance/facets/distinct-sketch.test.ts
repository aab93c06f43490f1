import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DistinctSketch } from './distinct-sketch.ts';

it('is near the number of different values, however they lie and however often they come', () => {
  const cases = fc.record({
    count: fc.integer({ min: 0, max: 200_000 }),
    start: fc.integer({ min: -1e9, max: 1e9 }),
    step: fc.constantFrom(1, 1000, 86_400_000, 0.1, 2 ** -40),
    turns: fc.integer({ min: 1, max: 2 }),
  });
  fc.assert(
    fc.property(cases, ({ count, start, step, turns }) => {
      const sketch = new DistinctSketch();
      for (let turn = 0; turn < turns; turn++)
        for (let at = 0; at < count; at++) sketch.add((start + at) * step);
      expect(Math.abs(sketch.estimate() - count)).toBeLessThanOrEqual(2 + count * 0.05);
    }),
    { numRuns: 30 },
  );
});

it('takes 0 and −0 for one', () => {
  const sketch = new DistinctSketch();
  sketch.add(0);
  sketch.add(-0);
  expect(sketch.estimate()).toBe(1);
});
