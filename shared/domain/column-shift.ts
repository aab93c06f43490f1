import * as z from 'zod';
import type { CellChange, ComparedKind } from './equal-changes.ts';
import { toInstant } from './instant.ts';

const Count = z.number().int().nonnegative();

/** How the values of a column moved, old against new, over its changed cells. */
export const ColumnShift = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('histogram'),
    /** Of equal width from `low` to `high`; of times in milliseconds since 1970. */
    bins: z.array(z.object({ before: Count, after: Count })),
    low: z.number(),
    high: z.number(),
    /** Cells that are null, NaN or infinite. */
    emptyBefore: Count,
    emptyAfter: Count,
    meanBefore: z.number().nullable(),
    meanAfter: z.number().nullable(),
    cells: Count,
  }),
  z.object({
    kind: z.literal('values'),
    /** The most frequent values of both sides together; of lists their items. `null` for a null. */
    values: z.array(z.object({ text: z.string().nullable(), before: Count, after: Count })),
    /** Other values, and in how many cells they stand. */
    others: z.object({ values: Count, before: Count, after: Count }),
    cells: Count,
  }),
]);
export type ColumnShift = z.infer<typeof ColumnShift>;

export interface ShiftCounter {
  add(cell: CellChange): void;
  /** `null` where a distribution says nothing: fewer than two cells, or values of which none stands twice. */
  finish(): ColumnShift | null;
}

const binCount = 24;
const shownValues = 8;
const mostValues = 200_000;

/** Counts how the values of one column moved. Values are as JSON writes cells; `type` is that of the column as text. */
export const countShift = (kind: ComparedKind, type: string): ShiftCounter =>
  kind === 'number' || kind === 'time' ? countNumbers(kind, type) : countValues(kind);

function countNumbers(kind: 'number' | 'time', type: string): ShiftCounter {
  const sides = { before: [] as number[], after: [] as number[] };
  let cells = 0;
  const put = (side: 'before' | 'after', value: unknown): void => {
    const number = value === null ? Number.NaN : kind === 'time' ? toInstant(value, type) : Number(value);
    if (number !== null && Number.isFinite(number)) sides[side].push(number);
  };
  return {
    add({ before, after }) {
      cells += 1;
      put('before', before);
      put('after', after);
    },
    finish() {
      if (cells < 2) return null;
      const { low, high } = rangeOf([sides.before, sides.after]);
      if (low > high) return null;
      const bins = Array.from({ length: low === high ? 1 : binCount }, () => ({ before: 0, after: 0 }));
      for (const side of ['before', 'after'] as const)
        for (const value of sides[side]) bins[placeOf(value, low, high)]![side] += 1;
      return {
        kind: 'histogram',
        bins,
        low,
        high,
        emptyBefore: cells - sides.before.length,
        emptyAfter: cells - sides.after.length,
        meanBefore: meanOf(sides.before),
        meanAfter: meanOf(sides.after),
        cells,
      };
    },
  };
}

function rangeOf(lists: readonly (readonly number[])[]): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const list of lists)
    for (const value of list) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  return { low, high };
}

/** In halves, so that the width of a range of any doubles is finite. */
function placeOf(value: number, low: number, high: number): number {
  if (low === high) return 0;
  const share = (value / 2 - low / 2) / (high / 2 - low / 2);
  return Math.max(0, Math.min(binCount - 1, Math.floor(share * binCount)));
}

/** By running mean, so that large values do not overflow. */
function meanOf(values: readonly number[]): number | null {
  let mean = 0;
  for (const [index, value] of values.entries()) mean += value / (index + 1) - mean / (index + 1);
  return values.length === 0 ? null : mean;
}

function countValues(kind: 'category' | 'list'): ShiftCounter {
  const counts = new Map<string | null, { before: number; after: number }>();
  const beyond = { values: 0, before: 0, after: 0 };
  let cells = 0;
  const put = (side: 'before' | 'after', value: unknown): void => {
    const text = value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);
    const known = counts.get(text);
    if (known) known[side] += 1;
    else if (counts.size < mostValues) counts.set(text, { before: 0, after: 0, [side]: 1 });
    else beyond[side] += 1;
  };
  const putAll = (side: 'before' | 'after', value: unknown): void => {
    if (kind === 'list' && Array.isArray(value)) for (const item of value) put(side, item ?? null);
    else put(side, value);
  };
  return {
    add({ before, after }) {
      cells += 1;
      putAll('before', before);
      putAll('after', after);
    },
    finish() {
      if (cells < 2) return null;
      const sorted = [...counts]
        .map(([text, sides]) => ({ text, ...sides }))
        .sort(
          (a, b) => b.before + b.after - (a.before + a.after) || ((a.text ?? '') < (b.text ?? '') ? -1 : 1),
        );
      if (!sorted.some(({ before, after }) => before + after > 1)) return null;
      const rest = sorted.slice(shownValues);
      const sum = (side: 'before' | 'after') =>
        rest.reduce((total, entry) => total + entry[side], beyond[side]);
      return {
        kind: 'values',
        values: sorted.slice(0, shownValues),
        others: { values: rest.length + beyond.values, before: sum('before'), after: sum('after') },
        cells,
      };
    },
  };
}
