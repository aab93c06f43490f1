import { expect, test } from 'vitest';
import { type ChartKind, fitChoice } from './chart-choice.ts';
import { describeDrawn } from './chart-rows.ts';

const columns = [
  { name: 'label', kind: 'category', isWhole: false },
  { name: 'size', kind: 'number', isWhole: false },
] as const;
const choiceOf = (kind: ChartKind) =>
  fitChoice({ kind, x: null, y: null, color: null, measure: 'count', unit: 'auto' }, columns);
const range = { rows: 1000, x: null, y: null };
const said = (kind: ChartKind, rows: Parameters<typeof describeDrawn>[1]) =>
  describeDrawn(choiceOf(kind), rows, range).map((part) => part.replaceAll('\u2009', ' '));

test('a chart says which rows are in it', () => {
  expect(
    said('bar', [
      { x: 'cat', n: 600, kinds: 2 },
      { x: 'dog', n: 400, kinds: 2 },
    ]),
  ).toEqual(['all 2 values', 'all 1 000 rows']);
  expect(said('bar', [{ x: 'cat', n: 600, kinds: 5000 }])).toEqual([
    expect.stringMatching(/^the \d+ greatest of 5 000 values$/),
    '600 of 1 000 rows',
  ]);
  expect(said('histogram', [{ x: 1, n: 990 }])).toEqual(['990 of 1 000 rows, those with a value', 'exact']);
  expect(said('heat', [{ x: 'a', y: 1, n: 900 }])).toEqual(['900 of 1 000 rows, those with frequent values']);
  expect(said('box', [{ x: 'a', n: 700, kinds: 3 }])).toEqual([
    'the 1 most frequent of 3 values',
    '700 of 1 000 rows',
  ]);
  expect(said('scatter', [{ x: 1, y: 2 }])).toEqual(['1 of 1 000 rows, those with both values']);
});
