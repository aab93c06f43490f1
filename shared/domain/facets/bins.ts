/** A value that a bin of a text, a truth or a list's element stands for. */
export type FacetValue = string | boolean;

/**
 * How the values of a column fall into bins. Bin `i` of an ordered column holds `edges[i] <= value < edges[i + 1]`;
 * bars are runs of bins that are shown as one. Behind the bins come four of their own: null, NaN, all other values, and
 * empty lists.
 */
export interface FacetBins {
  kind: 'ordered' | 'values';
  /** One more than bins; empty for values. Times are milliseconds since 1970. */
  edges: number[];
  /** The first bin of each bar. */
  bars: number[];
  /** Of `values`: one per bin, the most frequent first. */
  values: FacetValue[];
}

/** Bins at most, so that the bin of a row and those behind them fit into a byte. */
export const maxBins = 246;
const mostBars = 48;

export const binCountOf = ({ kind, edges, values }: FacetBins): number =>
  kind === 'ordered' ? Math.max(0, edges.length - 1) : values.length;

/** The codes behind the bins. `rest`: infinite numbers, and values beyond those that have a bin. */
export function specialCodes(binCount: number) {
  return {
    null: binCount,
    nan: binCount + 1,
    rest: binCount + 2,
    empty: binCount + 3,
    size: binCount + 4,
  } as const;
}

/** The bar of each code; the special codes keep places of their own behind the bars. */
export function barOfCode(bins: FacetBins): Uint8Array {
  const count = binCountOf(bins);
  const { size } = specialCodes(count);
  const bars = new Uint8Array(size);
  let bar = -1;
  for (let bin = 0; bin < count; bin++) {
    if (bins.bars[bar + 1] === bin) bar += 1;
    bars[bin] = Math.max(0, bar);
  }
  for (let code = count; code < size; code++) bars[code] = bins.bars.length + (code - count);
  return bars;
}

/** Sums counts per code to counts per bar, with the special codes behind them. */
export function sumBars(bins: FacetBins, counts: ArrayLike<number>): number[] {
  const bars = barOfCode(bins);
  const sums = new Array<number>(bins.bars.length + 4).fill(0);
  for (let code = 0; code < counts.length; code++) sums[bars[code]!]! += counts[code]!;
  return sums;
}

/** `1`, `2` or `5` times a power of ten, at least `least`; `tens` is the power. */
function niceStep(least: number): { digit: number; tens: number } {
  let tens = Math.floor(Math.log10(least));
  for (;;) {
    for (const digit of [1, 2, 5]) if (scaled(digit, tens) >= least * (1 - 1e-9)) return { digit, tens };
    tens += 1;
  }
}

/** `whole * 10^tens` as the nearest double, so that it is written with few digits. */
const scaled = (whole: number, tens: number): number =>
  tens >= 0 ? whole * 10 ** tens : tens >= -22 ? whole / 10 ** -tens : Number(`${whole}e${tens}`);

/** Bins per bar so that there are few enough bars, by steps that keep their edges round. */
function binsPerBar(count: number, digit: number): number {
  const choices =
    digit === 2 ? [1, 5, 10, 25, 50, 100] : digit === 5 ? [1, 2, 4, 10, 20, 100] : [1, 2, 5, 10, 20, 50];
  return choices.find((per) => Math.ceil(count / per) <= mostBars) ?? Math.ceil(count / mostBars);
}

export interface NumberRange {
  min: number;
  max: number;
  /** No bins smaller than 1. */
  isWhole: boolean;
  /** Where nearly all numbers lie; far fewer beyond it share one bin at either end. */
  low?: number;
  high?: number;
}

/** How much wider than nearly all numbers the range must be, for the ends to be drawn together. */
const farFactor = 4;

/** Bins of finite numbers from `min` to `max`, with round edges. */
export function planNumberBins({ min, max, isWhole, low = min, high = max }: NumberRange): FacetBins {
  const isFar = high > low && max - min > farFactor * (high - low);
  if (!isFar) return planEvenBins({ min, max, isWhole });
  const inner = planEvenBins({ min: Math.max(min, low), max: Math.min(max, high), isWhole });
  const step = inner.edges[1]! - inner.edges[0]!;
  const before = outerEdge(Math.min(min, inner.edges[0]!), step, Math.floor);
  const after = outerEdge(max, step, (value) => Math.floor(value) + 1);
  const hasBefore = min < inner.edges[0]!;
  const hasAfter = max >= inner.edges.at(-1)!;
  const shift = hasBefore ? 1 : 0;
  const count = inner.edges.length - 1;
  return {
    kind: 'ordered',
    edges: [...(hasBefore ? [before] : []), ...inner.edges, ...(hasAfter ? [after] : [])],
    bars: [
      ...(hasBefore ? [0] : []),
      ...inner.bars.map((bin) => bin + shift),
      ...(hasAfter ? [count + shift] : []),
    ],
    values: [],
  };
}

/** A multiple of the step with few digits. */
const outerEdge = (value: number, step: number, round: (steps: number) => number): number => {
  const edge = round(value / step) * step;
  const short = Number.isFinite(edge) ? Number(edge.toPrecision(12)) : value;
  return round === Math.floor ? Math.min(short, value) : Math.max(short, nextAbove(value));
};

const nextAbove = (value: number): number => value + Math.max(Math.abs(value) * 2 ** -50, Number.MIN_VALUE);

function planEvenBins({ min, max, isWhole }: NumberRange): FacetBins {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const least = Math.max(
    (max - min) / (maxBins - 4),
    largest * 1e-13,
    isWhole ? 1 : largest === 0 ? 1 : Number.MIN_VALUE,
  );
  const span = max > min ? least : isWhole ? 1 : Math.max(largest / 10, 1e-300);
  const { digit, tens } = niceStep(Number.isFinite(span) ? span : Number.MAX_VALUE / maxBins);
  const at = (index: number): number => scaled(index * digit, tens);
  let first = Math.floor(min / scaled(digit, tens));
  while (at(first) > min) first -= 1;
  while (at(first + 1) <= min) first += 1;
  const edges = [at(first)];
  for (let index = first + 1; edges.at(-1)! <= max && edges.length <= maxBins; index++) edges.push(at(index));
  const count = edges.length - 1;
  return {
    kind: 'ordered',
    edges,
    bars: startsOfBars({ count, per: binsPerBar(count, digit), first }),
    values: [],
  };
}

/** Bars begin where the edge is a multiple of the bar's step. */
function startsOfBars({ count, per, first }: { count: number; per: number; first: number }): number[] {
  const bars = [0];
  for (let bin = 1; bin < count; bin++) if ((first + bin) % per === 0) bars.push(bin);
  return bars;
}

/** The most frequent values, a bin each. */
export function planValueBins(counts: Iterable<readonly [FacetValue, number]>, limit = 200): FacetBins {
  const values = [...counts]
    .sort(([a, inA], [b, inB]) => inB - inA || (a < b ? -1 : a > b ? 1 : 0))
    .slice(0, limit)
    .map(([value]) => value);
  return { kind: 'values', edges: [], bars: values.map((_value, bin) => bin), values };
}

/** The bin of a finite number among ascending edges, or -1 where it is in none. */
export function binOf(value: number, edges: ArrayLike<number>): number {
  const last = edges.length - 1;
  if (last < 1 || !(value >= edges[0]! && value < edges[last]!)) return -1;
  let bin = Math.min(last - 1, Math.floor(((value - edges[0]!) / (edges[last]! - edges[0]!)) * last));
  while (value < edges[bin]!) bin -= 1;
  while (value >= edges[bin + 1]!) bin += 1;
  return bin;
}
