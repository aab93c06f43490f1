import type { ColumnProfile } from '#shared/api/tables.ts';
import type { ColumnShift } from '#shared/domain/column-shift.ts';

export interface WholeShift {
  shift: ColumnShift;
  /** What both sides were counted over. */
  scope: string;
}

const binCount = 24;

type Bin = NonNullable<ColumnProfile['histogram']>[number];

/** How a column is spread over all rows of the old and of the new side, from their profiles; `null` where they say nothing. */
export function planWholeShift(before: ColumnProfile, after: ColumnProfile): WholeShift | null {
  const scope = before.scope === after.scope ? before.scope : `old: ${before.scope}; new: ${after.scope}`;
  if (before.histogram && after.histogram) {
    const shift = joinHistograms(before, after);
    return shift && { shift, scope };
  }
  const shift = before.top && after.top ? joinTops(before, after) : null;
  return shift && { shift, scope };
}

function joinHistograms(before: ColumnProfile, after: ColumnProfile): ColumnShift | null {
  const [old, next] = [before.histogram ?? [], after.histogram ?? []];
  const edges = [...old, ...next].flatMap(({ from, to }) => [from, to]).filter(Number.isFinite);
  if (edges.length === 0) return null;
  const low = Math.min(...edges);
  const high = Math.max(...edges);
  const count = low === high ? 1 : binCount;
  const bins = Array.from({ length: count }, () => ({ before: 0, after: 0 }));
  spread(old, { low, high, count }, (at, rows) => {
    bins[at]!.before += rows;
  });
  spread(next, { low, high, count }, (at, rows) => {
    bins[at]!.after += rows;
  });
  return {
    kind: 'histogram',
    bins: bins.map((bin) => ({ before: Math.round(bin.before), after: Math.round(bin.after) })),
    low,
    high,
    emptyBefore: before.nulls + (before.nans ?? 0),
    emptyAfter: after.nulls + (after.nans ?? 0),
    meanBefore: before.mean,
    meanAfter: after.mean,
    cells: 0,
  };
}

/** Lays bins of one width into those of another; rows of a bin count as evenly spread over it. */
function spread(
  bins: readonly Bin[],
  { low, high, count }: { low: number; high: number; count: number },
  add: (at: number, rows: number) => void,
): void {
  const width = (high - low) / count;
  const place = (value: number): number =>
    width === 0 ? 0 : Math.max(0, Math.min(count - 1, Math.floor((value - low) / width)));
  for (const { from, to, rows } of bins) {
    const [first, last] = [place(from), place(to)];
    if (first === last || to <= from) {
      add(first, rows);
      continue;
    }
    for (let at = first; at <= last; at += 1) {
      const start = Math.max(from, low + at * width);
      const end = Math.min(to, low + (at + 1) * width);
      add(at, (rows * Math.max(0, end - start)) / (to - from));
    }
  }
}

const textOf = (value: unknown): string | null =>
  value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

/** The values that are counted on both sides; one that only one side lists counts as 0 where the other lists all. */
function joinTops(before: ColumnProfile, after: ColumnProfile): ColumnShift | null {
  const countsOf = ({ top }: ColumnProfile) =>
    new Map((top ?? []).map(({ value, rows }) => [textOf(value), rows]));
  const [old, next] = [countsOf(before), countsOf(after)];
  const listsAll = ({ top, distinct, isDistinctExact }: ColumnProfile): boolean =>
    isDistinctExact && distinct !== null && distinct <= (top?.length ?? 0);
  const count = (counts: ReadonlyMap<string | null, number>, profile: ColumnProfile, text: string | null) =>
    counts.get(text) ?? (listsAll(profile) ? 0 : null);
  const values = [...new Set([...old.keys(), ...next.keys()])].flatMap((text) => {
    const [was, is] = [count(old, before, text), count(next, after, text)];
    return was === null || is === null ? [] : [{ text, before: was, after: is }];
  });
  if (values.length === 0) return null;
  return {
    kind: 'values',
    values: values.sort((a, b) => b.before + b.after - (a.before + a.after)).slice(0, 8),
    others: {
      values: Math.max(0, Math.max(before.distinct ?? 0, after.distinct ?? 0) - 8),
      before: 0,
      after: 0,
    },
    cells: 0,
  };
}
