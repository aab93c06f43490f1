import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findGroups } from './find-groups.ts';

const run = (values: readonly string[], maxGroups: number, onAsk: (positions: number) => void = () => {}) =>
  findGroups({
    count: values.length,
    maxGroups,
    tokensAt: async (positions) => {
      onAsk(positions.length);
      return positions.map((position) => values[position]!);
    },
  });

const runsOf = (values: readonly string[]) =>
  values.flatMap((value, start) =>
    start > 0 && values[start - 1] === value
      ? []
      : [{ start, rows: values.slice(start).findIndex((next) => next !== value) }],
  );

test('finds the runs that a walk over all values finds, or says that there are too many', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 30 })), { maxLength: 30 }),
      fc.integer({ min: 1, max: 25 }),
      async (runs, maxGroups) => {
        const values = runs
          .sort((a, b) => a[1] - b[1])
          .flatMap(([length, value]) => new Array<string>(length).fill(String(value).padStart(2, '0')));
        const walked = runsOf(values).map(({ start, rows }) => ({
          start,
          rows: rows < 0 ? values.length - start : rows,
        }));
        expect(await run(values, maxGroups)).toEqual(walked.length > maxGroups ? null : walked);
      },
    ),
  );
});

test('asks for few positions, in few rounds', async () => {
  const values = Array.from({ length: 100_000 }, (_, i) => String(Math.floor(i / 20_000)));
  const asked: number[] = [];
  await run(values, 100, (positions) => asked.push(positions));
  expect(asked.length).toBeLessThanOrEqual(19);
  expect(asked.reduce((sum, count) => sum + count, 0)).toBeLessThan(5 * 18 * 2);
});
