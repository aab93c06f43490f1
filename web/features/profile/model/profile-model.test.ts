import { expect, test } from 'vitest';
import type { Facet, FacetsAnswer } from '#shared/api/facets.ts';
import { compareRows } from './compare-rows.ts';
import { findGaps } from './find-gaps.ts';
import { formatFigure, formatScope } from './format-figure.ts';

const facet: Facet = {
  column: 'label',
  kind: 'text',
  bins: { kind: 'values', edges: [], bars: [0, 1], values: ['cat', 'dog'] },
  distinct: 2,
  all: [50, 50, 0, 0, 0, 0],
  kept: [50, 50, 0, 0, 0, 0],
  inside: [10, 0, 0, 0, 0, 0],
  marked: [0, 5, 0, 0, 0, 0],
};
const answer = (patch: Partial<FacetsAnswer>): FacetsAnswer => ({
  ref: { branch: 'main', version: 1 },
  rows: 100,
  counted: 100,
  isSample: false,
  matching: 10,
  marked: null,
  facets: [facet],
  skipped: [],
  cube: null,
  elapsedMs: 0,
  ...patch,
});

test('the selection comes before the filter, and both are compared with all other rows', () => {
  expect(compareRows(answer({}))).toMatchObject({
    these: 'filtered',
    theseRows: 10,
    restRows: 90,
    columns: [
      {
        values: [
          { value: 'cat', these: 10, rest: 40 },
          { value: 'dog', these: 0, rest: 50 },
        ],
      },
    ],
  });
  expect(compareRows(answer({ marked: 5 }))).toMatchObject({ these: 'selected', theseRows: 5, restRows: 95 });
  expect(compareRows(answer({ matching: 100 }))).toBeNull();
});

test('gaps are runs of empty bins between rows, the longest first', () => {
  const bins = { kind: 'ordered' as const, edges: [0, 1, 2, 3, 4, 5, 6, 7], bars: [0], values: [] };
  expect(findGaps({ bins, all: [0, 3, 0, 1, 0, 0, 2, 0, 0, 0, 0] })).toEqual([
    { from: 4, to: 6, bins: 2 },
    { from: 2, to: 3, bins: 1 },
  ]);
});

test('figures are short and scopes are grouped', () => {
  expect([formatFigure(0.123456), formatFigure(-2), formatFigure(Number.NaN)]).toEqual([
    '0.1235',
    '−2',
    'NaN',
  ]);
  expect(formatScope('all 108284 rows')).toBe('all 108\u2009284 rows');
});
