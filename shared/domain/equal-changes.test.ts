import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countShift } from './column-shift.ts';
import { parseColumnType } from './column-type.ts';
import {
  type CellChange,
  changeToken,
  comparedKindOf,
  countEqualChanges,
  EqualChange,
  listChange,
  matchesChange,
} from './equal-changes.ts';

const scalar = fc.oneof(
  fc.constantFrom('cat', 'kitty', 'dog', null),
  fc.integer({ min: 0, max: 3 }).map(String),
);
const cell = fc.oneof(
  fc.record({ before: scalar, after: scalar }),
  fc.record({ before: fc.array(scalar, { maxLength: 3 }), after: fc.array(scalar, { maxLength: 3 }) }),
);
const kinds = fc.constantFrom('number', 'category', 'list') as fc.Arbitrary<'number' | 'category' | 'list'>;

const count = (kind: 'number' | 'category' | 'list', cells: readonly CellChange[]) => {
  const counter = countEqualChanges('x', kind);
  for (const one of cells) counter.add(one);
  return counter.groups();
};

describe('equal changes', () => {
  test('a group has as many rows as match its change, and travels as it is', () => {
    fc.assert(
      fc.property(kinds, fc.array(cell, { maxLength: 40 }), (kind, cells) => {
        for (const { change, rows } of count(kind, cells)) {
          const sent = EqualChange.parse(JSON.parse(JSON.stringify(change)));
          expect(cells.filter(matchesChange(sent, kind))).toHaveLength(rows);
        }
      }),
    );
  });

  test('labels, list items and numbers that moved by one amount are found', () => {
    expect(
      count('category', [
        { before: 'cat', after: 'kitty' },
        { before: 'cat', after: 'kitty' },
        { before: 'cat', after: 'dog' },
      ]),
    ).toEqual([{ change: { column: 'x', before: 'cat', after: 'kitty' }, rows: 2 }]);
    expect(
      count('list', [
        { before: ['a', 'b'], after: ['b', 'new'] },
        { before: ['c', 'a'], after: ['new', 'c'] },
      ]),
    ).toEqual([{ change: { column: 'x', removed: ['a'], added: ['new'] }, rows: 2 }]);
    expect(
      count('number', [
        { before: '1', after: '11' },
        { before: '9007199254740993', after: '9007199254741003' },
        { before: 0.1, after: 0.3 },
      ]),
    ).toEqual([{ change: { column: 'x', delta: '10' }, rows: 2 }]);
  });

  test('what a list lost and gained turns one into the other, up to order', () => {
    fc.assert(
      fc.property(fc.array(scalar), fc.array(scalar), (before, after) => {
        const { removed, added } = listChange(before, after);
        const sorted = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).sort();
        expect(sorted([...before, ...added])).toEqual(sorted([...after, ...removed]));
      }),
    );
  });

  test('the order of names makes no other change', () => {
    expect(changeToken({ column: 'x', before: { a: 1, b: 2 }, after: null })).toBe(
      changeToken({ after: null, before: { b: 2, a: 1 }, column: 'x' }),
    );
  });

  test('media, vectors, structs and JSON are not compared', () => {
    const kindOf = (type: string, role: 'vector' | 'json' | null = null) =>
      comparedKindOf(parseColumnType(type), role);
    expect(
      ['int64', 'decimal128(9, 2)', 'timestamp[us]', 'date32', 'utf8', 'bool', 'list<utf8>'].map((type) =>
        kindOf(type),
      ),
    ).toEqual(['number', 'number', 'time', 'time', 'category', 'category', 'list']);
    expect([
      kindOf('blob'),
      kindOf('struct<x: int64>'),
      kindOf('list<struct<x: int64>>'),
      kindOf('fixed_size_list<float32>[512]'),
      kindOf('fixed_size_list<float32>[3]', 'vector'),
      kindOf('utf8', 'json'),
    ]).toEqual([null, null, null, null, null, null]);
  });
});

describe('how a column moved', () => {
  test('every number stands in one bin or among the empty ones, on both sides', () => {
    const value = fc.oneof(fc.double(), fc.constantFrom(null, 'NaN', '9007199254740993'));
    fc.assert(
      fc.property(fc.array(fc.record({ before: value, after: value }), { minLength: 2 }), (cells) => {
        const counter = countShift('number', 'float64');
        for (const one of cells) counter.add(one);
        const shift = counter.finish();
        if (shift === null) return;
        if (shift.kind !== 'histogram') throw new Error('numbers make a histogram');
        for (const [side, empty] of [
          ['before', shift.emptyBefore],
          ['after', shift.emptyAfter],
        ] as const)
          expect(shift.bins.reduce((sum, bin) => sum + bin[side], empty)).toBe(cells.length);
      }),
    );
  });

  test('every value is counted, shown or among the others', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ before: fc.string({ maxLength: 1 }), after: fc.string({ maxLength: 1 }) }), {
          minLength: 2,
        }),
        (cells) => {
          const counter = countShift('category', 'utf8');
          for (const one of cells) counter.add(one);
          const shift = counter.finish();
          if (shift === null) return;
          if (shift.kind !== 'values') throw new Error('texts make values');
          for (const side of ['before', 'after'] as const)
            expect(shift.values.reduce((sum, entry) => sum + entry[side], shift.others[side])).toBe(
              cells.length,
            );
        },
      ),
    );
  });

  test('times are instants, one cell is no distribution', () => {
    const counter = countShift('time', 'timestamp[us, UTC]');
    counter.add({ before: '2020-01-01T00:00:00Z', after: null });
    expect(counter.finish()).toBeNull();
    counter.add({ before: '2021-01-01T00:00:00Z', after: '2021-01-01T00:00:00Z' });
    expect(counter.finish()).toMatchObject({
      low: Date.UTC(2020, 0),
      high: Date.UTC(2021, 0),
      emptyAfter: 1,
      cells: 2,
    });
  });
});
