import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planNumberBins, planValueBins } from './bins.ts';
import { type Brush, brushOfCondition, codesOfBrush, conditionOfBrush, type FacetKind } from './brush.ts';

const reread = (column: string, kind: FacetKind, brush: Brush) => {
  const sql = conditionOfBrush({ column, kind }, brush);
  return sql === null ? null : brushOfCondition(sql, { column, kind });
};

describe('a brush as a condition', () => {
  it('is read back as it was', () => {
    const range = fc
      .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 1, max: 1e6 }))
      .map(([from, by]): Brush => ({ kind: 'range', from, to: from + by }));
    const kinds = fc.constantFrom<FacetKind>('number', 'whole', 'length', 'timestamp');
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), kinds, range, (column, kind, brush) => {
        expect(reread(column, kind, brush)).toEqual({ brush, isExact: true });
      }),
    );
    const values = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        values,
        fc.constantFrom<FacetKind>('text', 'element'),
        fc.boolean(),
        (list, kind, isNull) => {
          const brush: Brush = { kind: 'values', values: list, ...(isNull ? { isNull } : {}) };
          expect(reread('a b', kind, brush)).toEqual({ brush, isExact: true });
        },
      ),
    );
  });

  it('reads as the builder writes it', () => {
    expect(conditionOfBrush({ column: 'delay', kind: 'whole' }, { kind: 'range', from: 10, to: 20 })).toBe(
      'delay between 10 and 19',
    );
    expect(conditionOfBrush({ column: 'ok', kind: 'bool' }, { kind: 'values', values: [true] })).toBe(
      'ok is true',
    );
    expect(
      conditionOfBrush(
        { column: 'day', kind: 'date' },
        { kind: 'range', from: Date.UTC(2001, 0, 1), to: Date.UTC(2001, 1, 1) },
      ),
    ).toBe("day >= date '2001-01-01' and day < date '2001-02-01'");
  });

  it('is none for conditions on other columns, or of another kind', () => {
    expect(brushOfCondition('other > 3', { column: 'delay', kind: 'whole' })).toBeNull();
    expect(brushOfCondition('delay > 3 or delay < 1', { column: 'delay', kind: 'whole' })).toBeNull();
    expect(brushOfCondition("name like 'a%'", { column: 'name', kind: 'text' })).toBeNull();
    expect(brushOfCondition('this is not sql', { column: 'delay', kind: 'whole' })).toBeNull();
  });

  it('is not exact where a bound is not quite a bound of bins', () => {
    expect(brushOfCondition('x > 3', { column: 'x', kind: 'number' })?.isExact).toBe(false);
    expect(brushOfCondition('x > 3', { column: 'x', kind: 'whole' })).toMatchObject({ brush: { from: 4 } });
  });
});

describe('the codes of a brush', () => {
  const bins = planNumberBins({ min: 0, max: 9, isWhole: true });

  it('are the bins that it covers, or none where it cuts through one', () => {
    expect(codesOfBrush({ kind: 'range', from: 2, to: 5 }, bins)).toEqual([2, 3, 4]);
    expect(codesOfBrush({ kind: 'range', from: 2, to: 2 }, bins)).toEqual([]);
    expect(codesOfBrush({ kind: 'range', from: 2.5, to: 5 }, bins)).toBeNull();
    expect(codesOfBrush({ kind: 'values', values: [], isNull: true }, bins)).toEqual([10]);
  });

  it('are unknown for values without a bin', () => {
    const values = planValueBins([
      ['a', 2],
      ['b', 1],
    ]);
    expect(codesOfBrush({ kind: 'values', values: ['b'] }, values)).toEqual([1]);
    expect(codesOfBrush({ kind: 'values', values: ['c'] }, values)).toBeNull();
  });
});
