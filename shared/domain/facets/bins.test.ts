import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barOfCode, binCountOf, binOf, maxBins, planNumberBins, planValueBins, sumBars } from './bins.ts';
import { planTimeBins } from './time-bins.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });

describe('bins of numbers', () => {
  it('cover every number between the least and the most, in ascending round edges', () => {
    fc.assert(
      fc.property(finite, finite, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
        const [min, max] = a <= b ? [a, b] : [b, a];
        const bins = planNumberBins({ min, max, isWhole: false });
        expect(binCountOf(bins)).toBeLessThanOrEqual(maxBins);
        expect(bins.edges.every((edge, at) => at === 0 || edge > bins.edges[at - 1]!)).toBe(true);
        for (const value of [min, max, Math.min(max, min + share * (max - min))]) {
          const bin = binOf(value, bins.edges);
          expect(bin).toBeGreaterThanOrEqual(0);
          expect(value).toBeGreaterThanOrEqual(bins.edges[bin]!);
          expect(value).toBeLessThan(bins.edges[bin + 1]!);
        }
      }),
    );
  });

  it('of whole numbers are never smaller than one', () => {
    expect(planNumberBins({ min: 1, max: 5, isWhole: true })).toEqual({
      kind: 'ordered',
      edges: [1, 2, 3, 4, 5, 6],
      bars: [0, 1, 2, 3, 4],
      values: [],
    });
    expect(planNumberBins({ min: 7, max: 7, isWhole: true }).edges).toEqual([7, 8]);
  });

  it('draw the few far numbers together at the ends', () => {
    const bins = planNumberBins({ min: -1113, max: 1688, isWhole: true, low: -30, high: 150 });
    expect(bins.edges[0]).toBeLessThanOrEqual(-1113);
    expect(bins.edges[1]).toBeGreaterThanOrEqual(-40);
    expect(bins.edges.at(-2)).toBeGreaterThan(150);
    expect(bins.edges.at(-1)).toBeGreaterThan(1688);
    expect(Number.isInteger(bins.edges.at(-1))).toBe(true);
    fc.assert(
      fc.property(fc.uniqueArray(finite, { minLength: 4, maxLength: 4 }), (four) => {
        const [min, low, high, max] = four.sort((a, b) => a - b) as [number, number, number, number];
        const { edges } = planNumberBins({ min, low, high, max, isWhole: false });
        expect(edges.every((edge, at) => at === 0 || edge > edges[at - 1]!)).toBe(true);
        for (const value of four) {
          const bin = binOf(value, edges);
          expect(value).toBeGreaterThanOrEqual(edges[bin]!);
          expect(value).toBeLessThan(edges[bin + 1]!);
        }
      }),
    );
  });

  it('have edges that are short to write', () => {
    const { edges } = planNumberBins({ min: 0.1, max: 24.9, isWhole: false });
    expect(Math.max(...edges.map((edge) => String(edge).length))).toBeLessThanOrEqual(4);
  });

  it('put a number on an edge into the bin that begins there', () => {
    expect(binOf(2, [0, 1, 2, 3])).toBe(2);
    expect(binOf(3, [0, 1, 2, 3])).toBe(-1);
    expect(binOf(Number.NaN, [0, 1])).toBe(-1);
  });
});

describe('bins of times', () => {
  it('begin at natural units, in ascending order, around every instant', () => {
    const instant = fc.integer({ min: Date.UTC(1700, 0), max: Date.UTC(2400, 0) });
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        const [min, max] = a <= b ? [a, b] : [b, a];
        const { edges, bars } = planTimeBins({ min, max, isDate: false });
        expect(edges.length - 1).toBeLessThanOrEqual(maxBins);
        expect(edges[0]).toBeLessThanOrEqual(min);
        expect(edges.at(-1)).toBeGreaterThan(max);
        expect(edges.every((edge, at) => at === 0 || edge > edges[at - 1]!)).toBe(true);
        expect(bars[0]).toBe(0);
      }),
    );
  });

  it('are days for a month, months for ten years', () => {
    const of = (from: string, to: string) =>
      planTimeBins({ min: Date.parse(from), max: Date.parse(to), isDate: true }).edges.map((edge) =>
        new Date(edge).toISOString().slice(0, 10),
      );
    expect(of('2001-01-01', '2001-01-05')).toEqual([
      '2001-01-01',
      '2001-01-02',
      '2001-01-03',
      '2001-01-04',
      '2001-01-05',
      '2001-01-06',
    ]);
    expect(of('2001-01-15', '2011-01-15').slice(0, 3)).toEqual(['2001-01-01', '2001-02-01', '2001-03-01']);
  });
});

describe('bars', () => {
  it('are sums of bins, with null, NaN, the rest and empty lists behind them', () => {
    const bins = planNumberBins({ min: 0, max: 239, isWhole: true });
    const counts = Array.from({ length: binCountOf(bins) + 4 }, (_none, at) => at + 1);
    const sums = sumBars(bins, counts);
    expect(sums.length).toBe(bins.bars.length + 4);
    expect(sums.reduce((a, b) => a + b)).toBe(counts.reduce((a, b) => a + b));
    expect(sums.slice(-4)).toEqual(counts.slice(-4));
    expect(Math.max(...barOfCode(bins))).toBe(bins.bars.length + 3);
  });

  it('of values stand by their counts', () => {
    expect(
      planValueBins(
        [
          ['b', 2],
          ['a', 2],
          ['c', 5],
        ],
        2,
      ).values,
    ).toEqual(['c', 'a']);
  });
});
