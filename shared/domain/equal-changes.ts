import * as z from 'zod';
import type { ColumnType } from './column-type.ts';
import type { ColumnRole } from './columns.ts';
import { diffNumbers } from './number-delta.ts';

/** How changes of a column are compared with each other and counted. */
export type ComparedKind = 'number' | 'time' | 'category' | 'list';

const numberKinds = /^(u?int(8|16|32|64)|float(16|32|64)|decimal(128|256))$/;
const timeKinds = /^(timestamp|date32|date64)$/;
const categoryKinds = /^(bool|utf8|large_utf8|time32|time64|duration)$/;

/** How a column's changes are compared; `null` for media, vectors, structs and other bytes, where equal changes say little. */
export function comparedKindOf(type: ColumnType, role: ColumnRole | null): ComparedKind | null {
  const plain = type.kind === 'dictionary' ? type.value : type;
  if (numberKinds.test(plain.kind)) return 'number';
  if (timeKinds.test(plain.kind)) return 'time';
  if (categoryKinds.test(plain.kind)) return role === 'json' ? null : 'category';
  if (!('item' in plain) || role === 'vector') return null;
  const isLong = plain.kind === 'fixed_size_list' && plain.size > 8;
  return !isLong && comparedKindOf(plain.item, null) !== null ? 'list' : null;
}

const Json: z.ZodType<unknown> = z.json();

/**
 * A change that many rows can share: from one value to another, the same items of a list gone and come, or a number
 * moved by one amount whatever it was. Values are as JSON writes cells: 64-bit integers, decimals and times as text.
 */
export const EqualChange = z.union([
  z.strictObject({ column: z.string(), before: Json, after: Json }),
  z.strictObject({ column: z.string(), removed: z.array(Json), added: z.array(Json) }),
  z.strictObject({ column: z.string(), delta: z.string() }),
]);
export type EqualChange = z.infer<typeof EqualChange>;

/** The same for equal changes of a column and for no others, whatever order the names of an object are in. */
export const changeToken = (change: EqualChange): string => JSON.stringify(ordered(change));

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => [name, ordered(part)]);
}

/** What a list lost and gained, in its order, whatever else moved. */
export function listChange(
  before: readonly unknown[],
  after: readonly unknown[],
): { removed: unknown[]; added: unknown[] } {
  const left = new Map<string, number>();
  for (const item of before) {
    const token = JSON.stringify(item);
    left.set(token, (left.get(token) ?? 0) + 1);
  }
  const added = after.filter((item) => !takeOne(left, item));
  return {
    removed: [...before]
      .reverse()
      .filter((item) => takeOne(left, item))
      .reverse(),
    added,
  };
}

function takeOne(counts: Map<string, number>, item: unknown): boolean {
  const token = JSON.stringify(item);
  const count = counts.get(token) ?? 0;
  if (count > 0) counts.set(token, count - 1);
  return count > 0;
}

export interface CellChange {
  before: unknown;
  after: unknown;
}

/** The change of a cell with its own values; of a list what it lost and gained. */
export function equalChangeOf(
  column: string,
  kind: ComparedKind,
  { before, after }: CellChange,
): EqualChange {
  return kind === 'list' && Array.isArray(before) && Array.isArray(after)
    ? { column, ...listChange(before, after) }
    : { column, before, after };
}

/** By how much a cell moved, exact for whole numbers; `null` where that says nothing. */
export const deltaOf = (kind: ComparedKind, { before, after }: CellChange): string | null =>
  kind !== 'number' || before === null || after === null ? null : diffNumbers(before, after).delta;

/** Whether a cell changed as `change` says. */
export function matchesChange(change: EqualChange, kind: ComparedKind): (cell: CellChange) => boolean {
  if ('delta' in change) return (cell) => deltaOf(kind, cell) === change.delta;
  const token = changeToken(change);
  return (cell) => changeToken(equalChangeOf(change.column, kind, cell)) === token;
}

/** Rows that changed alike. */
export interface EqualChangeGroup {
  change: EqualChange;
  rows: number;
}

/** Most different changes of a column that are told apart; with more, those that come later are not grouped. */
export const mostToldApart = 500_000;

export interface EqualChangeCounter {
  add(cell: CellChange): void;
  /** Of two rows and more, largest first. */
  groups(): EqualChangeGroup[];
  /** All changes were told apart. */
  isComplete(): boolean;
}

/** Counts the equal changes of one column. Numbers that moved by one amount from several values are one group. */
export function countEqualChanges(column: string, kind: ComparedKind): EqualChangeCounter {
  const counts = new Map<string, { cell: CellChange; rows: number; isMixed: boolean }>();
  let isComplete = true;
  return {
    add(cell) {
      const delta = deltaOf(kind, cell);
      const token = delta ?? changeToken(equalChangeOf(column, kind, cell));
      const known = counts.get(token);
      if (known) {
        known.rows += 1;
        if (delta !== null && known.cell.before !== cell.before) known.isMixed = true;
      } else if (counts.size < mostToldApart) counts.set(token, { cell, rows: 1, isMixed: false });
      else isComplete = false;
    },
    groups: () =>
      [...counts.values()]
        .filter(({ rows }) => rows > 1)
        .sort((a, b) => b.rows - a.rows)
        .map(({ cell, rows, isMixed }) => ({
          change: isMixed ? { column, delta: deltaOf(kind, cell)! } : equalChangeOf(column, kind, cell),
          rows,
        })),
    isComplete: () => isComplete,
  };
}
