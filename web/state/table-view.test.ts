import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptySelection } from './selection.ts';
import {
  formatTableView,
  parseTableView,
  plainView,
  type TableView,
  tableViews,
  whereOf,
} from './table-view.ts';

const name = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((text) => text.trim() !== '' && text.isWellFormed());
const views: fc.Arbitrary<TableView> = fc.record({
  refText: name,
  view: fc.constantFrom(...tableViews),
  conditions: fc.array(
    fc.oneof(fc.record({ sql: name }), fc.record({ sql: name, isOff: fc.constant(true) })),
    { maxLength: 4 },
  ),
  sort: fc.array(
    fc.record(
      { column: name, desc: fc.constant(true), nulls: fc.constant('first' as const) },
      { requiredKeys: ['column'] },
    ),
    { maxLength: 3 },
  ),
  group: fc.option(name),
  columns: fc.option(fc.array(name, { minLength: 1, maxLength: 5 })),
  search: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant('text' as const), text: name }),
      fc.record({ kind: fc.constant('similar' as const), rowId: fc.constant('17'), column: name }),
    ),
  ),
  rowId: fc.option(fc.nat().map(String)),
  stage: fc.option(fc.oneof(name, fc.constant(''))),
  isBeside: fc.boolean(),
  selection: fc.constant(emptySelection),
  chart: fc.option(name),
  at: fc.nat(),
});

test('a very long view stands in the fragment, which no server refuses', () => {
  const sql = `n in (${Array.from({ length: 10_000 }, (_none, i) => i).join(', ')})`;
  const address = formatTableView({ ...plainView, conditions: [{ sql }] });
  expect(address.slice(0, 8)).toBe('#?where=');
  expect(parseTableView(address).conditions).toEqual([{ sql }]);
});

test('an address gives the same view back, whatever the names', () => {
  fc.assert(
    fc.property(views, (view) => {
      expect(parseTableView(formatTableView(view))).toEqual(view);
    }),
  );
});

test('the plain view has no query string, and nonsense is the plain view', () => {
  expect(formatTableView(plainView)).toBe('');
  expect(parseTableView('?view=tv&row=x&at=-3&like=1;drop&sel=zzz&where=%20')).toEqual(plainView);
});

test('an address reads like what it shows', () => {
  const text = formatTableView({
    ...plainView,
    refText: 'exp:12',
    conditions: [{ sql: "category = 'tools'" }, { sql: 'taken is null', isOff: true }],
    sort: [{ column: 'taken', desc: true }, { column: 'title' }],
    search: { kind: 'text', text: 'old ships' },
  });
  expect(decodeURIComponent(text)).toBe(
    "?ref=exp:12&where=category+=+'tools'&where=taken+is+null&off=1&sort=taken:desc&sort=title&q=old+ships",
  );
});

test('conditions that are on are joined, each in its own brackets', () => {
  expect(whereOf([])).toBeUndefined();
  expect(whereOf([{ sql: ' a = 1 or b = 2 ' }])).toBe('a = 1 or b = 2');
  expect(whereOf([{ sql: 'a = 1 or b = 2' }, { sql: 'x', isOff: true }, { sql: 'c' }])).toBe(
    '(a = 1 or b = 2) AND (c)',
  );
});
