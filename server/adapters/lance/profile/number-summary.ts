import type { ColumnProfile } from '#shared/api/tables.ts';
import type { Data } from '../../../arrow/arrow.ts';
import { dataCellToJson } from '../../../arrow/cell-json.ts';
import { numbersOf } from './numbers-of.ts';

export type ProfileFigures = Omit<ColumnProfile, 'name' | 'scope' | 'isDistinctExact'> & {
  isDistinctExact: boolean;
};

const quantileShares = [0.05, 0.25, 0.5, 0.75, 0.95];
const maxBins = 32;

/** Linear interpolation between the two nearest ranks (Hyndman and Fan, 1996, type 7). */
function quantile(sorted: Float64Array, share: number): number {
  const at = (sorted.length - 1) * share;
  const low = Math.floor(at);
  const below = sorted[low]!;
  const above = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return below + (above - below) * (at - low);
}

function histogramOf(sorted: Float64Array, isWhole: boolean): ColumnProfile['histogram'] {
  const min = sorted[0]!;
  const max = sorted.at(-1)!;
  const span = max - min;
  if (span === 0) return [{ from: min, to: max, rows: sorted.length }];
  const width = isWhole ? Math.max(1, Math.ceil((span + 1) / maxBins)) : span / maxBins;
  const count = isWhole ? Math.ceil((span + 1) / width) : maxBins;
  const rows = new Float64Array(count);
  for (const value of sorted) rows[Math.min(count - 1, Math.floor((value - min) / width))]! += 1;
  return Array.from(rows, (inBin, bin) => ({
    from: min + bin * width,
    to: bin === count - 1 && !isWhole ? max : min + (bin + 1) * width,
    rows: inBin,
  }));
}

function countDistinct(sorted: Float64Array): number {
  let distinct = sorted.length > 0 ? 1 : 0;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] !== sorted[i - 1]) distinct += 1;
  return distinct;
}

const maxCountedValues = 100;
const topValues = 20;

/** The most frequent of few different values: codes of labels, years, counts. 64-bit values are texts, as in rows. */
function topOf(sorted: Float64Array, distinct: number, isWide: boolean): ColumnProfile['top'] {
  if (distinct === 0 || distinct > maxCountedValues) return null;
  const runs: { value: number; rows: number }[] = [];
  for (const value of sorted) {
    const last = runs.at(-1);
    if (last?.value === value) last.rows += 1;
    else runs.push({ value, rows: 1 });
  }
  runs.sort((a, b) => b.rows - a.rows);
  return runs.slice(0, topValues).map(({ value, rows }) => ({ value: isWide ? String(value) : value, rows }));
}

/** Figures of a column of numbers or times, batch by batch. */
export class NumberSummary {
  readonly #parts: Float64Array[] = [];
  readonly #isWhole: boolean;
  #nulls = 0;
  #nans = 0;
  #min = { value: Number.POSITIVE_INFINITY, cell: null as unknown };
  #max = { value: Number.NEGATIVE_INFINITY, cell: null as unknown };
  #isExact = true;
  #isWide = false;

  constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  add(data: Data): void {
    const numbers = numbersOf(data);
    this.#isWide = data.values instanceof BigInt64Array || data.values instanceof BigUint64Array;
    const kept = new Float64Array(numbers.length);
    let count = 0;
    let minAt = -1;
    let maxAt = -1;
    const hasNulls = data.nullCount > 0;
    for (let row = 0; row < numbers.length; row++) {
      if (hasNulls && !data.getValid(row)) {
        this.#nulls += 1;
        continue;
      }
      const value = numbers[row]!;
      if (Number.isNaN(value)) {
        this.#nans += 1;
        continue;
      }
      if (minAt === -1 ? value <= this.#min.value : value < numbers[minAt]!) minAt = row;
      if (maxAt === -1 ? value >= this.#max.value : value > numbers[maxAt]!) maxAt = row;
      kept[count++] = value;
    }
    if (minAt !== -1) this.#min = { value: numbers[minAt]!, cell: dataCellToJson(data, minAt) };
    if (maxAt !== -1) this.#max = { value: numbers[maxAt]!, cell: dataCellToJson(data, maxAt) };
    if (Math.max(-this.#min.value, this.#max.value) > Number.MAX_SAFE_INTEGER && this.#isWhole)
      this.#isExact = false;
    this.#parts.push(kept.subarray(0, count));
  }

  finish(): ProfileFigures {
    const all = new Float64Array(this.#parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    all.sort();
    const first = all.findIndex((value) => value !== Number.NEGATIVE_INFINITY);
    const last = all.findLastIndex((value) => value !== Number.POSITIVE_INFINITY);
    const finite = first === -1 ? all.subarray(0, 0) : all.subarray(first, last + 1);
    const isEmpty = finite.length === 0;
    const sum = finite.reduce((total, value) => total + value, 0);
    const distinct = countDistinct(all);
    return {
      nulls: this.#nulls,
      ...(this.#nans > 0 ? { nans: this.#nans } : {}),
      distinct,
      isDistinctExact: this.#isExact,
      min: this.#min.cell,
      max: this.#max.cell,
      mean: isEmpty ? null : sum / finite.length,
      quantiles: isEmpty ? null : quantileShares.map((share) => quantile(finite, share)),
      histogram: isEmpty ? null : histogramOf(finite, this.#isWhole),
      top: this.#isWhole && this.#isExact ? topOf(all, distinct, this.#isWide) : null,
    };
  }
}
