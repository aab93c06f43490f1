import { expect, test } from 'vitest';
import type { RowsState } from '../../grid/index.ts';
import { describeTruth } from './describe-truth.ts';

const facts = {
  ref: 'main:3',
  total: 12,
  scope: 'all',
  engine: 'lance',
  elapsedMs: 12.34,
  isExact: null,
  indexCoverage: null,
  all: new Map(),
};
const state = (patch: Partial<NonNullable<RowsState['facts']>> = {}): RowsState => ({
  total: 12,
  facts: { ...facts, ...patch },
  isLoading: false,
  error: null,
  revision: 1,
});
const words = (input: Partial<Parameters<typeof describeTruth>[0]>) =>
  describeTruth({ state: state(), tableRows: 218, sort: [], search: null, isFiltered: false, ...input }).join(
    ' · ',
  );

test('says scope, order, exactness, engine and time', () => {
  expect(words({ sort: [{ column: 'taken', desc: true }, { column: 'title' }] })).toBe(
    '12 of 218 rows · sorted by taken ↓, title · exact · Lance · 12 ms',
  );
});

test('while an answer is under way, says that the rows answer the question before', () => {
  expect(words({ sort: [{ column: 'taken' }], isWaiting: true })).toBe(
    'Sorting by taken… · the rows are still the ones before',
  );
  expect(words({ isWaiting: true, isFiltered: true })).toBe('Asking… · the rows are still the ones before');
});

test('never calls an approximate or partial answer exact', () => {
  expect(
    words({
      state: state({ isExact: false, indexCoverage: 0.876 }),
      search: { kind: 'similar', rowId: '7' },
    }),
  ).toBe('12 of 218 rows · most similar to row 7 · approximate · index covers 87 % · Lance · 12 ms');
  expect(words({ state: state({ scope: 'first 10000', elapsedMs: 3.21 }) })).toBe(
    '12 of 218 rows · first 10000 · Lance · 3.2 ms',
  );
});

test('a window of a whole result is exact', () => {
  expect(words({ state: state({ scope: 'rows 1 to 256 of 3000000' }) })).toBe(
    '12 of 218 rows · exact · Lance · 12 ms',
  );
});

test('a search says how it is ranked and what it leaves out', () => {
  const search = { kind: 'text' as const, text: 'gate' };
  expect(
    words({
      state: state({ isExact: true, indexCoverage: 0, scope: 'best 12 of 12 rows that match the words' }),
      search,
    }),
  ).toBe('12 of 218 rows · ranked by text score · exact · Lance · 12 ms');
  expect(
    words({ state: state({ isExact: true, scope: 'best 12 of 90 rows that match the words' }), search }),
  ).toBe(
    '12 of 218 rows · ranked by text score · exact · best 12 of 90 rows that match the words · Lance · 12 ms',
  );
});

test('is silent before the first answer', () => {
  expect(words({ state: { total: null, facts: null, isLoading: true, error: null, revision: 0 } })).toBe('');
});
