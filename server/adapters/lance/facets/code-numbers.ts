import type { FacetFigures } from '#shared/api/facets.ts';
import { binCountOf, type FacetBins, planNumberBins, specialCodes } from '#shared/domain/facets/bins.ts';
import { blocksOf } from '#shared/domain/facets/count-facets.ts';
import { planTimeBins } from '#shared/domain/facets/time-bins.ts';
import type { Data } from '../../../arrow/arrow.ts';
import { DistinctSketch } from './distinct-sketch.ts';
import type { PlannedFacet } from './plan-facet.ts';
import { readNumbers } from './read-numbers.ts';
import { RowValues } from './row-values.ts';

/** How many rows come, and whether they are too many for memory. */
export interface RowsPlan {
  rows: number;
  isInFile: boolean;
}

export interface Room {
  values: Float64Array;
  valuesAt: number;
  isNull: Uint8Array;
  isNullAt: number;
}

/** Values of a column as they come, then as bins. */
export class NumberCoder {
  readonly #values: RowValues<Float64Array<ArrayBuffer>>;
  readonly #isNull: RowValues<Uint8Array<ArrayBuffer>>;
  readonly #facet: PlannedFacet;
  readonly #plan: RowsPlan;

  constructor(plan: RowsPlan, facet: PlannedFacet) {
    this.#values = new RowValues(Float64Array, plan);
    this.#isNull = new RowValues(Uint8Array, plan);
    this.#facet = facet;
    this.#plan = plan;
  }

  /** Room for further rows, for lengths of texts, which are counted by the reader of texts. */
  room(count: number): Room {
    const { values, at: valuesAt } = this.#values.room(count);
    const { values: isNull, at: isNullAt } = this.#isNull.room(count);
    return { values, valuesAt, isNull, isNullAt };
  }

  add(data: Data): void {
    const { values, valuesAt, isNull, isNullAt } = this.room(data.length);
    readNumbers(data, values, valuesAt);
    isNull.fill(0, isNullAt, isNullAt + data.length);
    if (data.nullCount > 0)
      for (let row = 0; row < data.length; row++) if (!data.getValid(row)) isNull[isNullAt + row] = 1;
  }

  /** Yields between blocks of rows. */
  *finish(): Generator<
    void,
    | { bins: FacetBins; codes: RowValues<Uint8Array<ArrayBuffer>>; figures: FacetFigures | null }
    | { why: string }
  > {
    const range = yield* this.#range();
    const { source, isFloat32 } = this.#facet;
    if (source === 'whole' && Math.max(-range.min, range.max) > Number.MAX_SAFE_INTEGER)
      return { why: 'Its numbers are beyond 2^53, where bins would not be exact.' };
    const bins = this.#binsOf(range);
    const edges = Float64Array.from(bins.edges, (edge) => (isFloat32 ? Math.fround(edge) : edge));
    const codes = new RowValues(Uint8Array, this.#plan);
    const special = specialCodes(binCountOf(bins));
    const last = edges.length - 1;
    const first = edges[0] ?? 0;
    const end = edges[last]!;
    const inner = edges[Math.min(1, last)] ?? 0;
    const scale = last > 2 ? (last - 2) / (edges[last - 1]! - inner) : 0;
    for (const [from, to] of blocksOf(this.#plan.rows)) {
      const values = this.#values.block(from, to);
      const isNull = this.#isNull.block(from, to);
      const { values: into, at } = codes.room(to - from);
      for (let row = 0; row < values.length; row++) {
        const value = values[row]!;
        if (isNull[row] === 1) into[at + row] = special.null;
        else if (value >= first && value < end) {
          let bin = Math.max(0, Math.min(last - 1, Math.floor((value - inner) * scale) + 1));
          while (value < edges[bin]!) bin -= 1;
          while (value >= edges[bin + 1]!) bin += 1;
          into[at + row] = bin;
        } else into[at + row] = Number.isNaN(value) ? special.nan : special.rest;
      }
      yield;
    }
    return { bins, codes, figures: range.figures };
  }

  #binsOf({ min, max, some }: Range): FacetBins {
    const { source } = this.#facet;
    if (min > max) return { kind: 'ordered', edges: [], bars: [], values: [] };
    if (source === 'timestamp' || source === 'date')
      return planTimeBins({ min, max, isDate: source === 'date' });
    const sorted = Float64Array.from(some).sort();
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    const isWhole = source === 'whole' || source === 'text';
    return planNumberBins({ min, max, low: at(0.005), high: at(0.995), isWhole });
  }

  /** From where to where they go, what else is known of all, and some of them, by which one sees where 99 % lie. */
  *#range(): Generator<void, Range> {
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    const { rows } = this.#plan;
    const some: number[] = [];
    const sketch = new DistinctSketch();
    let sum = 0;
    let finite = 0;
    const step = Math.max(1, Math.floor(rows / lookedAt));
    for (const [from, to] of blocksOf(rows)) {
      const values = this.#values.block(from, to);
      const isNull = this.#isNull.block(from, to);
      for (let row = 0; row < values.length; row++) {
        if (isNull[row] === 1) continue;
        const value = values[row]!;
        if (!Number.isFinite(value)) continue;
        if (value < min) min = value;
        if (value > max) max = value;
        sum += value;
        finite += 1;
        sketch.add(value);
      }
      for (let row = Math.ceil(from / step) * step - from; row < values.length; row += step)
        if (isNull[row] === 0 && Number.isFinite(values[row])) some.push(values[row]!);
      yield;
    }
    const figures = finite === 0 ? null : { min, max, mean: sum / finite, distinct: sketch.estimate() };
    return { min, max, some, figures };
  }
}

interface Range {
  min: number;
  max: number;
  some: number[];
  figures: FacetFigures | null;
}

const lookedAt = 50_000;
