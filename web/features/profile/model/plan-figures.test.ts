import { expect, test } from 'vitest';
import type { Facet, FacetsAnswer } from '#shared/api/facets.ts';
import type { ColumnProfile } from '#shared/api/tables.ts';
import { planFigures } from './plan-figures.ts';

const profile: ColumnProfile = {
  name: 'size',
  nulls: 3,
  distinct: 1000,
  isDistinctExact: false,
  min: '12345',
  max: '90000',
  mean: 50_000.5,
  quantiles: [20_000, 30_000.2, 50_000, 70_000, 80_000],
  histogram: null,
  top: null,
  scope: 'a sample of 1000 of 20000 rows',
  isSample: true,
};
const facet: Facet = {
  column: 'size',
  kind: 'whole',
  bins: { kind: 'ordered', edges: [0, 50_000, 100_001], bars: [0, 1], values: [] },
  distinct: null,
  figures: { min: 1, max: 100_000, mean: 49_999.5, distinct: 19_876 },
  all: [9970, 9970, 60, 0, 0, 0],
  kept: [9970, 9970, 60, 0, 0, 0],
  inside: [9970, 9970, 60, 0, 0, 0],
  marked: null,
};
const answer = { rows: 20_000, counted: 20_000, matching: 20_000, isSample: false } as FacetsAnswer;
const plain = (text: string) => text.replaceAll('\u2009', ' ');
const planned = (input: Partial<Parameters<typeof planFigures>[0]>) => {
  const { facts, note } = planFigures({ profile, counted: null, isTime: false, ...input });
  return { ...Object.fromEntries(facts.map(([name, value]) => [name, plain(value)])), note: plain(note) };
};

test('figures of a sample say so', () => {
  expect(planned({})).toMatchObject({
    Nulls: '3',
    'Distinct in the sample': 'about 1 000',
    Least: '12 345',
    'Middle half': '30 000 to 70 000',
    note: 'Covers a sample of 1 000 of 20 000 rows.',
  });
});

test('what was counted over all rows stands before what a sample says', () => {
  expect(planned({ counted: { facet, answer } })).toMatchObject({
    Nulls: '60',
    Distinct: 'about 19 876',
    Least: '1',
    Most: '100 000',
    note: 'Median, middle half and 5 % to 95 % cover a sample of 1 000 of 20 000 rows, the others all 20 000 rows.',
  });
});

test('under a filter only the nulls are known of all rows that match', () => {
  const inside = [4000, 1000, 7, 0, 0, 0];
  const counted = { facet: { ...facet, inside }, answer: { ...answer, matching: 5007 } };
  expect(planned({ counted })).toMatchObject({
    Nulls: '7',
    Least: '12 345',
    note: expect.stringMatching(
      /^Distinct in the sample, least, most, mean, median, .*, the others all 5 007 rows that match\.$/,
    ),
  });
});

test('a profile of all rows needs nothing else', () => {
  const whole = { ...profile, isSample: false, scope: 'all 20000 rows' };
  expect(planned({ profile: whole, counted: { facet, answer } })).toMatchObject({
    Nulls: '3',
    note: 'Covers all 20 000 rows.',
  });
});
