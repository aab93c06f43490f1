import type { ChangeKind } from '#shared/api/edits.ts';
import { hasBit } from '#shared/domain/bits.ts';
import { changeKindOf, conflictKind } from '#shared/domain/diff.ts';
import type { EqualChange } from '#shared/domain/equal-changes.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import { withLanceErrors } from '../lance-errors.ts';
import { rowPositions, scanRows } from '../write-read.ts';
import { columnNamed } from './column-named.ts';
import type { Comparison } from './comparison.ts';
import { orderRows } from './order-rows.ts';
import { matchEqualChange } from './overview.ts';
import { rowsByKey } from './rows-by-key.ts';
import type { Side } from './side.ts';

export interface RowFilter {
  change?: ChangeKind[];
  /** Modified rows whose cell of it changed, by any of its names. */
  column?: string;
  conflictsOnly?: boolean;
  /** In Lance's dialect, over the row as `from` has it, or as base had it where `from` removed it. */
  where?: string;
  /** Only the rows with these keys, as JSON. */
  keys?: RowKey[];
  /** Only rows in which a column changed alike. */
  equal?: EqualChange;
}

/** Whether each row of the order is asked for. Rows that `from` changed in nothing of base show up as conflicts only. */
export async function filterRows(
  comparison: Comparison,
  { change, column, conflictsOnly, where, keys, equal }: RowFilter,
  signal: AbortSignal,
): Promise<(row: number) => boolean> {
  const { three, conflicts, primaryRows } = comparison;
  const kinds = change && new Set(change);
  const number = column === undefined ? null : columnNamed(comparison, column);
  const matches = where === undefined ? null : await matchRows(comparison, where, signal);
  const chosen = keys === undefined ? null : await rowsOfKeys(comparison, keys);
  const isEqual = equal === undefined ? null : await matchEqualChange(comparison, equal, signal);
  return (row) => {
    if (isEqual !== null && !isEqual(row)) return false;
    if (chosen !== null && !chosen.has(row)) return false;
    const hasConflict = conflicts.kinds[row] !== conflictKind.none;
    if (row >= primaryRows && !(conflictsOnly && hasConflict)) return false;
    if (conflictsOnly && !hasConflict) return false;
    if (kinds && !kinds.has(changeKindOf(three.from[row]!))) return false;
    if (number !== null && !isTouched(comparison, number, row)) return false;
    return matches === null || matches(row);
  };
}

async function rowsOfKeys(comparison: Comparison, keys: readonly RowKey[]): Promise<Set<number>> {
  const rowOf = rowsByKey(await orderRows(comparison));
  return new Set(keys.flatMap((key) => rowOf(key) ?? []));
}

const isTouched = ({ three, conflicts }: Comparison, column: number, row: number): boolean =>
  hasBit(three.fromCells.get(column), row) || hasBit(conflicts.cells.get(column), row);

const idsPerFilter = 2000;

async function matchRows(
  { base, from, ids, three }: Comparison,
  where: string,
  signal: AbortSignal,
): Promise<(row: number) => boolean> {
  const rows = [...Array(three.count).keys()];
  const removed = rows.flatMap((row) => (ids.from[row]! < 0 ? [ids.base[row]!] : []));
  const present = rows.flatMap((row) => (ids.from[row]! < 0 ? [] : [ids.from[row]!]));
  const [ours, gone] = await Promise.all([
    matchIds(from, present, { where, signal }),
    matchIds(base, removed, { where, signal }),
  ]);
  return (row) => (ids.from[row]! < 0 ? gone(ids.base[row]!) : ours(ids.from[row]!));
}

/** Few rows are asked for by their ids; for many, the filter runs over the table. */
async function matchIds(
  { handle, table, ref }: Side,
  ids: readonly number[],
  { where, signal }: { where: string; signal: AbortSignal },
): Promise<(id: number) => boolean> {
  if (ids.length === 0) return () => false;
  const filter = ids.length > idsPerFilter ? where : `_rowid in (${ids.join(', ')}) and (${where})`;
  const found = await withLanceErrors({ table, ref }, () => scanRows(handle, {}, { where: filter, signal }));
  const positionOf = rowPositions(found.ids);
  return (id) => positionOf(id) >= 0;
}
