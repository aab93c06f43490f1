import { binCountOf, type FacetBins, planNumberBins, specialCodes } from '#shared/domain/facets/bins.ts';
import { blocksOf } from '#shared/domain/facets/count-facets.ts';
import { planTimeBins } from '#shared/domain/facets/time-bins.ts';
import type { Data } from '../../../arrow/arrow.ts';
import type { PlannedFacet } from './plan-facet.ts';
import { readNumbers } from './read-numbers.ts';

/** Values of a column as they come, then as bins. */
export class NumberCoder {
  readonly #values: Float64Array;
  readonly #isNull: Uint8Array;
  readonly #facet: PlannedFacet;
  #rows = 0;

  constructor(rows: number, facet: PlannedFacet) {
    this.#values = new Float64Array(rows);
    this.#isNull = new Uint8Array(rows);
    this.#facet = facet;
  }

  add(data: Data): void {
    readNumbers(data, this.#values, this.#rows);
    if (data.nullCount > 0)
      for (let row = 0; row < data.length; row++) if (!data.getValid(row)) this.#isNull[this.#rows + row] = 1;
    this.#rows += data.length;
  }

  /** Yields between blocks of rows. */
  *finish(): Generator<void, { bins: FacetBins; codes: Uint8Array } | { why: string }> {
    const { min, max } = yield* this.#range();
    const { source, isFloat32 } = this.#facet;
    if (source === 'whole' && Math.max(-min, max) > Number.MAX_SAFE_INTEGER)
      return { why: 'Its numbers are beyond 2^53, where bins would not be exact.' };
    const bins = this.#plan({ min, max, ...this.#nearlyAll() });
    const edges = Float64Array.from(bins.edges, (edge) => (isFloat32 ? Math.fround(edge) : edge));
    const codes = new Uint8Array(this.#values.length);
    const special = specialCodes(binCountOf(bins));
    const last = edges.length - 1;
    const first = edges[0] ?? 0;
    const inner = edges[Math.min(1, last)] ?? 0;
    const scale = last > 2 ? (last - 2) / (edges[last - 1]! - inner) : 0;
    for (const [from, to] of blocksOf(codes.length)) {
      for (let row = from; row < to; row++) {
        const value = this.#values[row]!;
        if (this.#isNull[row] === 1) codes[row] = special.null;
        else if (value >= first && value < edges[last]!) {
          let bin = Math.max(0, Math.min(last - 1, Math.floor((value - inner) * scale) + 1));
          while (value < edges[bin]!) bin -= 1;
          while (value >= edges[bin + 1]!) bin += 1;
          codes[row] = bin;
        } else codes[row] = Number.isNaN(value) ? special.nan : special.rest;
      }
      yield;
    }
    return { bins, codes };
  }

  #plan({ min, max, low, high }: { min: number; max: number; low: number; high: number }): FacetBins {
    const { source } = this.#facet;
    if (min > max) return { kind: 'ordered', edges: [], bars: [], values: [] };
    if (source === 'timestamp' || source === 'date')
      return planTimeBins({ min, max, isDate: source === 'date' });
    return planNumberBins({ min, max, low, high, isWhole: source === 'whole' || source === 'text' });
  }

  /** Where 99 % of the values lie, from some of them. */
  #nearlyAll(): { low: number; high: number } {
    const step = Math.max(1, Math.floor(this.#values.length / lookedAt));
    const some: number[] = [];
    for (let row = 0; row < this.#values.length; row += step)
      if (this.#isNull[row] === 0 && Number.isFinite(this.#values[row])) some.push(this.#values[row]!);
    const sorted = Float64Array.from(some).sort();
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return { low: at(0.005), high: at(0.995) };
  }

  *#range(): Generator<void, { min: number; max: number }> {
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    const values = this.#values;
    const hasNulls = this.#isNull.includes(1);
    for (const [from, to] of blocksOf(values.length)) {
      for (let row = from; row < to; row++) {
        const value = values[row]!;
        if (hasNulls && this.#isNull[row] === 1) continue;
        if (value < min && value !== Number.NEGATIVE_INFINITY) min = value;
        if (value > max && value !== Number.POSITIVE_INFINITY) max = value;
      }
      yield;
    }
    return { min, max };
  }

  /** For lengths of texts, which are counted by the reader of texts. */
  put(value: number, isNull: boolean): void {
    this.#values[this.#rows] = value;
    if (isNull) this.#isNull[this.#rows] = 1;
    this.#rows += 1;
  }
}

const lookedAt = 50_000;
