import { expect, test } from 'vitest';
import type { CheckRun } from '#shared/api/review-parts.ts';
import type { Review } from '#shared/api/reviews.ts';
import { digestChoices } from '#shared/domain/choices-digest.ts';
import type { Compared } from '../compare/index.ts';
import { choicesBlocker } from './settled.ts';

const comparedWith = (take: 'from' | 'into', open = 0): Compared =>
  ({
    open,
    state: { summary: { conflicts: { rows: 1, cells: 1 } } },
    choices: { getState: () => ({ book: { entries: {}, rest: take } }) },
  }) as unknown as Compared;

const reviewWith = (run: Partial<CheckRun> | null): Review =>
  ({
    checks: [{ name: 'known', severity: 'required' }],
    checkRun: run,
  }) as unknown as Review;

test('results of checks count for the choices that they were made with only', () => {
  const run = { isStale: false, choicesDigest: digestChoices({ take: 'from' }) };
  expect(choicesBlocker(reviewWith(run), comparedWith('from'))).toEqual([]);
  expect(choicesBlocker(reviewWith(run), comparedWith('into'))).toMatchObject([
    { code: 'checks-not-run', names: ['known'] },
  ]);
  expect(choicesBlocker(reviewWith(run), comparedWith('into', 1))).toEqual([]);
  expect(choicesBlocker(reviewWith(null), comparedWith('into'))).toEqual([]);
  expect(choicesBlocker(reviewWith(run), null)).toEqual([]);
});

test('the same choices in another order are the same choices', () => {
  const [a, b] = [
    { key: ['x', 1], column: 'label', take: 'from' as const },
    { key: 'y', take: 'into' as const },
  ];
  expect(digestChoices({ choices: [a, b] })).toBe(digestChoices({ choices: [b, a] }));
  expect(digestChoices({ choices: [a, b] })).not.toBe(digestChoices({ choices: [a] }));
});
