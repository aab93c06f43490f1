import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter } from '../sql/filter.ts';
import {
  type ColumnChip,
  type FilterChip,
  filterToSql,
  formatChip,
  splitFilter,
  sqlToChips,
} from './filter.ts';
import { type FilterValue, opsFor, parseNumberValue } from './filter-ops.ts';

const columns = [
  { name: 'category', type: 'utf8', role: 'label' as const },
  { name: 'Up Per "x"', type: 'utf8', role: 'text' as const },
  { name: 'weight', type: 'float64', role: 'number' as const },
  { name: 'id', type: 'int64', role: 'key' as const },
  { name: 'taken', type: 'timestamp[us, UTC]', role: 'time' as const },
  { name: 'date', type: 'date32', role: 'time' as const },
  { name: 'tags', type: 'list<utf8>', role: 'label' as const },
  { name: 'ok', type: 'bool', role: 'label' as const },
  { name: 'picture', type: 'blob', role: 'image' as const },
];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom("it's", '100%', 'a_b', '\\', '“', ''),
);
const valueFor = (input: string): fc.Arbitrary<FilterValue> => {
  switch (input) {
    case 'number':
      return fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((value) => (Object.is(value, -0) ? 0 : value));
    case 'integer':
      return fc
        .bigInt({ min: -(2n ** 62n), max: 2n ** 62n })
        .map((value) => parseNumberValue(String(value))!);
    case 'timestamp':
      return fc.constantFrom('2024-03-09 14:05:00Z', '2024-03-09');
    case 'date':
      return fc.constantFrom('2024-03-09', '1999-12-31');
    default:
      return text;
  }
};

const chip: fc.Arbitrary<ColumnChip> = fc
  .constantFrom(...columns)
  .chain((column) => fc.constantFrom(...opsFor(column)).map((op) => ({ column, op })))
  .chain(({ column, op: { op, arity, input } }) => {
    const count = { none: 0, one: 1, pair: 2, list: 3 }[arity];
    return fc.record({
      column: fc.constant(column.name),
      op: fc.constant(op),
      values: fc.array(op === 'matches' ? fc.constant('^a.*b$') : valueFor(input), {
        minLength: count,
        maxLength: count,
      }),
      isNegated: fc.boolean(),
    });
  });

describe('filter chips', () => {
  it('always make a filter that compiles, and that reads back as the same filter', () => {
    fc.assert(
      fc.property(fc.array(chip, { minLength: 1, maxLength: 4 }), (chips) => {
        const sql = filterToSql(chips)!;
        compileFilter({ text: sql, columns });
        const back = sqlToChips(sql, columns);
        expect(back).not.toBeNull();
        expect(filterToSql(back!)).toBe(sql);
      }),
      { numRuns: 500 },
    );
  });

  it('offer what fits the type', () => {
    const opsOf = (name: string) =>
      opsFor(columns.find((column) => column.name === name)!).map(({ op }) => op);
    expect(opsOf('category')[0]).toBe('in');
    expect(opsOf('tags')).toEqual(['hasAny', 'hasAll', 'isEmpty', 'isNull']);
    expect(opsOf('ok')).toEqual(['isTrue', 'isFalse', 'isNull']);
    expect(opsOf('picture')).toEqual(['isNull']);
    expect(opsFor(columns[4]!).find(({ op }) => op === 'lt')).toMatchObject({
      label: 'is before',
      input: 'timestamp',
    });
    expect(opsFor({ type: 'no such type', role: 'other' }).map(({ op }) => op)).toEqual(['isNull']);
  });

  it('are joined by and; those that are off or miss a value filter nothing', () => {
    const chips: FilterChip[] = [
      { column: 'category', op: 'in', values: ['tools', "o'clock"] },
      { column: 'weight', op: 'gt', values: [3], isOff: true },
      { column: 'weight', op: 'between', values: [1] },
      { column: 'date', op: 'isNull', values: [], isNegated: true },
      { sql: 'id = 1 or id = 2' },
    ];
    expect(filterToSql(chips)).toBe(
      `category in ('tools', 'o''clock') and "date" is not null and (id = 1 or id = 2)`,
    );
    expect(filterToSql([{ ...chips[0]!, isOff: true }])).toBeUndefined();
    expect(filterToSql([])).toBeUndefined();
  });

  it('say what they do', () => {
    expect(formatChip({ column: 'category', op: 'in', values: ['tools', 'fish'] })).toBe(
      'category is any of tools, fish',
    );
    expect(
      formatChip({
        column: 'category',
        op: 'in',
        values: ['1', '2', '3', '4', '5', '6', '7'],
        isNegated: true,
      }),
    ).toBe('category is none of 1, 2, 3, 4, 5 and 2 more');
    expect(formatChip({ column: 'weight', op: 'between', values: [1, 2] })).toBe('weight is between 1 and 2');
    expect(formatChip({ column: 'taken', op: 'isNull', values: [] })).toBe('taken is null');
    expect(formatChip({ sql: 'a + b > 3' })).toBe('a + b > 3');
  });

  it('are null for what the builder cannot say', () => {
    for (const sql of [
      'weight + 1 > 3',
      'id = 1 or id = 2',
      'nope = 1',
      'weight >',
      "category like 'a%'",
      "category ilike 'a_b%'",
      'weight > id',
    ])
      expect(sqlToChips(sql, columns)).toBeNull();
    expect(sqlToChips("category ilike '%100\\%%' and not array_has(tags, 'x')", columns)).toEqual([
      { column: 'category', op: 'contains', values: ['100%'] },
      { column: 'tags', op: 'hasAny', values: ['x'], isNegated: true },
    ]);
  });

  it('keep all digits of numbers', () => {
    expect(parseNumberValue('9007199254740993')).toEqual({ number: '9007199254740993' });
    expect(parseNumberValue(' 1.5e3 ')).toBe(1500);
    expect(parseNumberValue('1,5')).toBeNull();
    expect(filterToSql([{ column: 'id', op: 'eq', values: [{ number: '9007199254740993' }] }])).toBe(
      'id = 9007199254740993',
    );
  });

  it('are cut out of a text where “and” joins them', () => {
    expect(splitFilter(' `weight`>1   AND (id = 1 or id = 2) and not(ok)')).toEqual([
      'weight > 1',
      'id = 1 or id = 2',
      'not ok',
    ]);
    expect(splitFilter(' id = 1 or id = 2 ')).toEqual(['id = 1 or id = 2']);
    expect(splitFilter('weight > ')).toEqual(['weight >']);
  });
});
