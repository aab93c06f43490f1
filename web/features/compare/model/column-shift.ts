import type { DiffSummary } from '#shared/api/edits.ts';
import { toInstant } from '#shared/domain/instant.ts';
import { formatValue } from '../../grid/index.ts';
import { type Change, sidesOf } from './change.ts';
import type { DiffColumn } from './value-diff.ts';

/** How the values of a column moved, over its changed cells. */
export type ColumnShift =
  | {
      kind: 'histogram';
      bins: { before: number; after: number }[];
      low: number;
      high: number;
      nullsBefore: number;
      nullsAfter: number;
    }
  | { kind: 'values'; values: { text: string; before: number; after: number }[]; others: number };

const binCount = 16;
const shownValues = 6;

const numberOf = (column: DiffColumn, value: unknown): number | null => {
  if (value === null || value === undefined) return null;
  const number =
    column.kind === 'time' ? toInstant(value, column.type) : Number(formatValue(value, column.parsed));
  return number !== null && Number.isFinite(number) ? number : null;
};

/** Old over new for the cells of a column that changed; `null` where a distribution says nothing. */
export function planShift(
  column: DiffColumn,
  changes: readonly Change[],
  mode: DiffSummary['mode'],
): ColumnShift | null {
  const cells = changes
    .filter(({ columns }) => columns.includes(column.name))
    .map((change) => {
      const { before, after } = sidesOf(change, mode);
      return { before: before?.[column.name] ?? null, after: after?.[column.name] ?? null };
    });
  if (cells.length < 2) return null;
  switch (column.kind) {
    case 'number':
    case 'time':
      return histogramOf(column, cells);
    case 'text':
    case 'bool':
    case 'list':
      return valuesOf(column, cells);
    default:
      return null;
  }
}

interface Cell {
  before: unknown;
  after: unknown;
}

function histogramOf(column: DiffColumn, cells: readonly Cell[]): ColumnShift | null {
  const before = cells.map((cell) => numberOf(column, cell.before));
  const after = cells.map((cell) => numberOf(column, cell.after));
  const known = [...before, ...after].filter((value) => value !== null);
  if (known.length === 0) return null;
  const low = Math.min(...known);
  const high = Math.max(...known);
  const bins = Array.from({ length: low === high ? 1 : binCount }, () => ({ before: 0, after: 0 }));
  const place = (value: number): number =>
    low === high ? 0 : Math.min(binCount - 1, Math.floor(((value - low) / (high - low)) * binCount));
  for (const value of before) if (value !== null) bins[place(value)]!.before += 1;
  for (const value of after) if (value !== null) bins[place(value)]!.after += 1;
  const nulls = (values: readonly (number | null)[]) => values.filter((value) => value === null).length;
  return { kind: 'histogram', bins, low, high, nullsBefore: nulls(before), nullsAfter: nulls(after) };
}

function valuesOf(column: DiffColumn, cells: readonly Cell[]): ColumnShift | null {
  const counts = new Map<string, { before: number; after: number }>();
  const item = 'item' in column.parsed ? column.parsed.item : column.parsed;
  const textsOf = (value: unknown): string[] => {
    if (value === null) return ['null'];
    if (column.kind !== 'list') return [formatValue(value, column.parsed)];
    return Array.from(value as ArrayLike<unknown>, (one) => formatValue(one, item));
  };
  const count = (value: unknown, side: 'before' | 'after'): void => {
    for (const text of textsOf(value)) {
      const entry = counts.get(text) ?? { before: 0, after: 0 };
      entry[side] += 1;
      counts.set(text, entry);
    }
  };
  for (const { before, after } of cells) {
    count(before, 'before');
    count(after, 'after');
  }
  const sorted = [...counts]
    .map(([text, sides]) => ({ text, ...sides }))
    .sort((a, b) => b.before + b.after - (a.before + a.after) || (a.text < b.text ? -1 : 1));
  const isTelling = sorted.some(({ before, after }) => before + after > 1);
  return isTelling
    ? {
        kind: 'values',
        values: sorted.slice(0, shownValues),
        others: Math.max(0, sorted.length - shownValues),
      }
    : null;
}
