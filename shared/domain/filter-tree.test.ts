import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatFilter, parseFilter } from '../sql/filter.ts';
import type { ColumnChip } from './filter.ts';
import { type FilterTree, formatTree, isTyped, treeOfSql, treeToSql } from './filter-tree.ts';

const columns = [
  { name: 'category', type: 'utf8', role: 'label' as const },
  { name: 'n', type: 'int64', role: 'number' as const },
  { name: 'box', type: 'struct<label: utf8, at: struct<x: float64>>', role: 'other' as const },
];

const chip: fc.Arbitrary<ColumnChip> = fc.oneof(
  fc.record({
    column: fc.constant('n'),
    op: fc.constantFrom('eq' as const, 'lt' as const),
    values: fc.tuple(fc.integer({ min: -9, max: 9 })),
  }),
  fc.record({
    column: fc.constant('category'),
    op: fc.constant('in' as const),
    values: fc.array(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 3 }),
    isNegated: fc.constant(true),
  }),
  fc.constant<ColumnChip>({ column: 'category', op: 'isBlank', values: [] }),
  fc.constant<ColumnChip>({ column: 'box', path: ['at', 'x'], op: 'gt', values: [0.5] }),
);

const { tree } = fc.letrec<{ tree: FilterTree; leaf: FilterTree; group: FilterTree }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('group')),
  leaf: fc.oneof(
    { weight: 4, arbitrary: chip.map((one): FilterTree => ({ kind: 'chip', chip: one })) },
    { weight: 1, arbitrary: fc.constant<FilterTree>({ kind: 'sql', sql: 'length(category) > n' }) },
  ),
  group: fc.record({
    kind: fc.constant('group' as const),
    mode: fc.constantFrom('all' as const, 'any' as const),
    isNegated: fc.boolean(),
    items: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
  }),
}));

test('a tree says as text what it says as a tree: read again, it prints the same', () => {
  fc.assert(
    fc.property(tree, (made) => {
      const sql = treeToSql(made)!;
      const again = treeOfSql(sql, columns)!;
      expect(formatFilter(parseFilter(treeToSql(again)!))).toBe(formatFilter(parseFilter(sql)));
    }),
  );
});

test('and, or, not and fields of structs have typed forms; the rest is text', () => {
  const read = (sql: string) => treeOfSql(sql, columns);
  expect(read("box.label = 'cat' or not (n > 3 and category = '')")).toEqual({
    kind: 'group',
    mode: 'any',
    isNegated: false,
    items: [
      { kind: 'chip', chip: { column: 'box', path: ['label'], op: 'eq', values: ['cat'] } },
      {
        kind: 'group',
        mode: 'all',
        isNegated: true,
        items: [
          { kind: 'chip', chip: { column: 'n', op: 'gt', values: [3] } },
          { kind: 'chip', chip: { column: 'category', op: 'isBlank', values: [] } },
        ],
      },
    ],
  });
  expect(read('n + 1 > 3 or n = 2')).toMatchObject({
    items: [{ kind: 'sql', sql: 'n + 1 > 3' }, { kind: 'chip' }],
  });
  expect(read('nothing = 3')).toEqual({ kind: 'sql', sql: 'nothing = 3' });
  expect(read('n = = 3')).toBeNull();
});

test('words say the groups, and what is not finished has no text', () => {
  const made = treeOfSql("(n = 1 or n = 2) and not (category in ('a', 'b') or n < 0)", columns)!;
  expect(formatTree(made)).toBe('(n is 1 or n is 2) and not (category is any of a, b or n is less than 0)');
  expect(isTyped(made)).toBe(true);
  expect(isTyped(treeOfSql('n = 1 or n = n + 1', columns)!)).toBe(false);
  const open: FilterTree = { kind: 'chip', chip: { column: 'n', op: 'eq', values: [] } };
  expect(treeToSql({ kind: 'group', mode: 'any', isNegated: false, items: [made, open] })).toBeUndefined();
  expect(treeToSql({ kind: 'group', mode: 'any', isNegated: false, items: [] })).toBeUndefined();
});
