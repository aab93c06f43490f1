import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allSelected,
  countSelected,
  emptySelection,
  formatSelection,
  isSelected,
  parseSelection,
  type RowSelection,
  selectRows,
  toggleRow,
} from './selection.ts';

const ids = fc.uniqueArray(fc.bigInt({ min: 0n, max: 18446744073709551615n }).map(String), { maxLength: 20 });
const selections: fc.Arbitrary<RowSelection> = fc.oneof(
  ids.map((list): RowSelection => ({ kind: 'ids', ids: new Set(list) })),
  ids.map((list): RowSelection => ({ kind: 'all', except: new Set(list) })),
);

const sorted = (selection: RowSelection) => [
  selection.kind,
  [...(selection.kind === 'ids' ? selection.ids : selection.except)].sort(),
];

test('an address gives the same selection back', () => {
  fc.assert(
    fc.property(selections, (selection) => {
      expect(sorted(parseSelection(formatSelection(selection)))).toEqual(sorted(selection));
    }),
  );
});

test('runs are short, and what cannot be read is left out', () => {
  const range = selectRows(
    emptySelection,
    Array.from({ length: 5000 }, (_none, at) => String(at + 7)),
    true,
  );
  expect([formatSelection(range), formatSelection(allSelected), formatSelection(emptySelection)]).toEqual([
    '7-5006',
    'all',
    null,
  ]);
  expect(sorted(parseSelection('5.x.9-7.1-99999999999.3'))).toEqual(['ids', ['3', '5']]);
});

test('a short address cannot name more rows than a page can hold', () => {
  const text = Array.from({ length: 700 }, (_none, at) => `${at * 100_000}-${at * 100_000 + 99_999}`).join(
    '.',
  );
  const selection = parseSelection(text);
  expect(selection.kind === 'ids' && selection.ids.size).toBe(1_000_000);
});

test('toggling twice changes nothing, whichever kind it is', () => {
  fc.assert(
    fc.property(selections, fc.bigInt({ min: 0n, max: 99n }).map(String), (selection, id) => {
      const once = toggleRow(selection, id);
      expect(isSelected(once, id)).toBe(!isSelected(selection, id));
      expect(sorted(toggleRow(once, id))).toEqual(sorted(selection));
    }),
  );
});

test('all but two of ten are eight', () => {
  expect(countSelected(selectRows(allSelected, ['1', '2'], false), 10)).toBe(8);
});
