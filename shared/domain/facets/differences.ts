import { binCountOf, type FacetBins, type FacetValue, specialCodes } from './bins.ts';

export interface ComparedColumn {
  column: string;
  bins: FacetBins;
  /** Rows per code of the rows in question, and of the others. */
  these: readonly number[];
  rest: readonly number[];
}

export interface ValueDifference {
  value: FacetValue | null;
  these: number;
  rest: number;
  shareOfThese: number;
  shareOfRest: number;
  /** Difference of the shares after an arcsine transform (Cohen’s h): 0.2 small, 0.5 medium, 0.8 large. */
  effect: number;
}

export interface ColumnDifference {
  column: string;
  /** 0 (spread alike) to 1 (no value in common). */
  effect: number;
  /**
   * Of ordered columns: the chance that one of these rows has the greater value, less the chance that it has the lesser
   * (Cliff’s δ, −1 to 1); else null.
   */
  shift: number | null;
  /** Rows on either side that have a value in a bin: the shift is among these. */
  valued: { these: number; rest: number };
  /** Of columns of values, and null: those whose share differs, the greatest effect first. */
  values: ValueDifference[];
}

/** What is different about some rows: columns by how far their distributions lie apart, values by the effect on their share. */
export function rankDifferences(columns: readonly ComparedColumn[], valuesPerColumn = 4): ColumnDifference[] {
  return columns
    .map((column) => differenceOf(column, valuesPerColumn))
    .filter(({ effect }) => effect > 0)
    .sort((a, b) => b.effect - a.effect || (a.column < b.column ? -1 : 1));
}

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
const arc = (share: number): number => 2 * Math.asin(Math.sqrt(Math.min(1, Math.max(0, share))));

function differenceOf({ column, bins, these, rest }: ComparedColumn, most: number): ColumnDifference {
  const inThese = sum(these);
  const inRest = sum(rest);
  if (inThese === 0 || inRest === 0)
    return { column, effect: 0, shift: null, valued: { these: 0, rest: 0 }, values: [] };
  const count = binCountOf(bins);
  const special = specialCodes(count);
  const isOrdered = bins.kind === 'ordered';
  const shift = isOrdered ? cliff(these.slice(0, count), rest.slice(0, count)) : null;
  const apart =
    these.reduce((total, one, code) => total + Math.abs(one / inThese - (rest[code] ?? 0) / inRest), 0) / 2;
  const codes = [...(isOrdered ? [] : Array.from({ length: count }, (_none, code) => code)), special.null];
  const values = codes
    .map((code): ValueDifference => {
      const shareOfThese = (these[code] ?? 0) / inThese;
      const shareOfRest = (rest[code] ?? 0) / inRest;
      return {
        value: code === special.null ? null : bins.values[code]!,
        these: these[code] ?? 0,
        rest: rest[code] ?? 0,
        shareOfThese,
        shareOfRest,
        effect: arc(shareOfThese) - arc(shareOfRest),
      };
    })
    .filter(({ effect }) => Math.abs(effect) > 0.02)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
    .slice(0, most);
  return {
    column,
    effect: Math.max(isOrdered ? Math.abs(shift ?? 0) : 0, isOrdered ? 0 : apart, nullEffect(values)),
    shift,
    valued: { these: sum(these.slice(0, count)), rest: sum(rest.slice(0, count)) },
    values,
  };
}

const nullEffect = (values: readonly ValueDifference[]): number => {
  const found = values.find(({ value }) => value === null);
  return found ? Math.abs(found.shareOfThese - found.shareOfRest) : 0;
};

/** Cliff’s δ from counts per bin; null where one side has none. */
function cliff(these: readonly number[], rest: readonly number[]): number | null {
  const inThese = sum(these);
  const inRest = sum(rest);
  if (inThese === 0 || inRest === 0) return null;
  let below = 0;
  let more = 0;
  these.forEach((one, code) => {
    const same = rest[code]!;
    more += one * (below - (inRest - below - same));
    below += same;
  });
  return more / (inThese * inRest);
}
