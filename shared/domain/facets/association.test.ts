import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { associate } from './association.ts';
import { planNumberBins, planValueBins } from './bins.ts';
import { rankDifferences } from './differences.ts';

const table = (rows: number[][], isOrdered: [boolean, boolean]) =>
  associate({ cells: rows.flat(), height: rows.length, width: rows[0]!.length, isOrdered });

/** Pearson’s r of mid-ranks, row by row. */
function naiveSpearman(pairs: [number, number][]): number | null {
  const ranks = (values: number[]) =>
    values.map((value) => {
      const below = values.filter((other) => other < value).length;
      const same = values.filter((other) => other === value).length;
      return below + (same + 1) / 2;
    });
  const a = ranks(pairs.map(([one]) => one));
  const b = ranks(pairs.map(([, one]) => one));
  const mean = (pairs.length + 1) / 2;
  const dot = (x: number[], y: number[]) =>
    x.reduce((sum, one, at) => sum + (one - mean) * (y[at]! - mean), 0);
  const spread = Math.sqrt(dot(a, a) * dot(b, b));
  return spread === 0 ? null : dot(a, b) / spread;
}

describe('association', () => {
  it('of two ordered columns is Spearman’s ρ', () => {
    const pairs = fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(pairs, (list) => {
        const cells = new Array(25).fill(0);
        for (const [a, b] of list) cells[a * 5 + b] += 1;
        const { value, rows } = associate({ cells, height: 5, width: 5, isOrdered: [true, true] });
        const naive = naiveSpearman(list);
        expect(rows).toBe(list.length);
        if (naive === null) expect(value).toBeNull();
        else expect(value).toBeCloseTo(naive, 9);
      }),
    );
  });

  it('is one where one column says the other, about nothing where they do not know each other', () => {
    expect(
      table(
        [
          [500, 0],
          [0, 500],
        ],
        [false, false],
      ),
    ).toEqual({
      measure: 'cramersV',
      value: expect.closeTo(1, 2),
      rows: 1000,
    });
    expect(
      table(
        [
          [250, 250],
          [250, 250],
        ],
        [false, false],
      ).value,
    ).toBeCloseTo(0, 6);
    expect(
      table(
        [
          [10, 0],
          [0, 10],
        ],
        [true, false],
      ),
    ).toMatchObject({ measure: 'eta', value: expect.closeTo(1, 9) });
    expect(
      table(
        [
          [5, 5],
          [5, 5],
        ],
        [false, true],
      ).value,
    ).toBeCloseTo(0, 9);
    expect(
      table(
        [
          [0, 9],
          [9, 0],
        ],
        [true, true],
      ).value,
    ).toBeCloseTo(-1, 9);
  });

  it('is unknown where a column does not vary', () => {
    expect(table([[5], [4]], [true, true]).value).toBeNull();
    expect(table([[5, 4]], [false, false]).value).toBeNull();
    expect(
      table(
        [
          [0, 0],
          [0, 0],
        ],
        [false, true],
      ).value,
    ).toBeNull();
  });
});

describe('what is different', () => {
  it('ranks columns by effect and says which values are more frequent', () => {
    const label = planValueBins([
      ['cat', 2],
      ['dog', 1],
    ]);
    const size = planNumberBins({ min: 0, max: 2, isWhole: true });
    const found = rankDifferences([
      { column: 'same', bins: label, these: [5, 5, 0, 0, 0, 0], rest: [50, 50, 0, 0, 0, 0] },
      { column: 'label', bins: label, these: [9, 1, 0, 0, 0, 0], rest: [50, 50, 0, 0, 0, 0] },
      { column: 'size', bins: size, these: [0, 0, 10, 0, 0, 0, 0], rest: [50, 50, 0, 0, 0, 0, 0] },
    ]);
    expect(found.map(({ column }) => column)).toEqual(['size', 'label']);
    expect(found[0]).toMatchObject({ effect: 1, shift: 1 });
    expect(found[1]).toMatchObject({
      effect: expect.closeTo(0.4),
      shift: null,
      values: [{ value: expect.any(String) }, { value: expect.any(String) }],
    });
  });

  it('is nothing where there is no other row', () => {
    const bins = planValueBins([['cat', 2]]);
    expect(rankDifferences([{ column: 'a', bins, these: [2, 0, 0, 0, 0], rest: [0, 0, 0, 0, 0] }])).toEqual(
      [],
    );
  });
});
