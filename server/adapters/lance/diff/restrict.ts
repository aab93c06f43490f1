import { AppError } from '#shared/api/problem.ts';
import { type CellBits, columnsOfRow, setCell } from '#shared/domain/bits.ts';
import { findConflicts, rowChange, type ThreeWayRows } from '#shared/domain/diff.ts';
import type { MergePlanInput } from '../../../ports/table-diff.ts';
import { scanRows } from '../write-read.ts';
import { columnNamed } from './column-named.ts';
import type { Comparison } from './comparison.ts';
import { type OrderedRows, orderRows } from './order-rows.ts';
import { rowsByKey } from './rows-by-key.ts';

/** The part of a comparison that is to be merged: rows by number as in the whole, but only those that take part count. */
export interface MergeScope {
  comparison: Comparison;
  ordered: OrderedRows;
  /** Columns that take part; `null` for all. */
  columns: ReadonlySet<number> | null;
  /** False for a choice of rows: then columns are neither added nor dropped nor renamed. */
  mergesSchema: boolean;
}

/** Narrows a comparison to chosen rows and columns. BAD_REQUEST names what is not there. */
export async function restrictTo(
  comparison: Comparison,
  only: MergePlanInput['only'],
  signal: AbortSignal,
): Promise<MergeScope> {
  const ordered = await orderRows(comparison);
  const whole = { comparison, ordered, columns: null, mergesSchema: true };
  if (!only || (!only.rowIds && !only.keys && !only.columns)) return whole;
  const columns = only.columns ? new Set(only.columns.map((name) => columnNamed(comparison, name))) : null;
  const rows = only.rowIds || only.keys ? await chosenRows(comparison, ordered, only, signal) : null;
  const three = keepOnly(comparison.three, (row) => rows === null || rows.has(row), columns);
  return {
    comparison: { ...comparison, three, conflicts: findConflicts(three) },
    ordered,
    columns,
    mergesSchema: columns !== null,
  };
}

/** Rows that do not take part count as unchanged on both sides; with columns chosen, no row is added or removed. */
function keepOnly(
  three: ThreeWayRows,
  isKept: (row: number) => boolean,
  columns: ReadonlySet<number> | null,
): ThreeWayRows {
  const kept: ThreeWayRows = {
    count: three.count,
    from: new Uint8Array(three.count),
    into: new Uint8Array(three.count),
    fromCells: new Map(),
    intoCells: new Map(),
    differing: new Map(),
  };
  const copy = (name: 'fromCells' | 'intoCells' | 'differing', row: number): number => {
    const cells: CellBits = kept[name];
    const chosen = columnsOfRow(three[name], row).filter((column) => !columns || columns.has(column));
    for (const column of chosen) setCell(cells, three.count, column, row);
    return chosen.length;
  };
  for (let row = 0; row < three.count; row++) {
    if (!isKept(row)) continue;
    if (columns && three.from[row] !== rowChange.modified) continue;
    const changed = copy('fromCells', row);
    if (three.from[row] === rowChange.modified && changed === 0) continue;
    copy('intoCells', row);
    copy('differing', row);
    kept.from[row] = three.from[row]!;
    kept.into[row] = three.into[row]!;
  }
  return kept;
}

async function chosenRows(
  comparison: Comparison,
  ordered: OrderedRows,
  { rowIds, keys }: NonNullable<MergePlanInput['only']>,
  signal: AbortSignal,
): Promise<Set<number>> {
  const { ids, from } = comparison;
  const rows = new Set<number>();
  if (rowIds) {
    const rowOf = new Map<number, number>();
    ids.from.forEach((id, row) => {
      if (id >= 0) rowOf.set(id, row);
    });
    const unchanged: number[] = [];
    for (const rowId of rowIds) {
      const row = rowOf.get(Number(rowId));
      if (row === undefined) unchanged.push(Number(rowId));
      else rows.add(row);
    }
    await assertRowsExist(comparison, unchanged, signal);
  }
  if (keys) {
    const rowOf = rowsByKey(ordered);
    for (const key of keys) {
      const row = rowOf(key);
      if (row === null)
        throw new AppError({
          code: 'BAD_REQUEST',
          message: `The row ${JSON.stringify(key)} did not change on ${from.ref.branch}.`,
        });
      rows.add(row);
    }
  }
  return rows;
}

/** A chosen row that did not change has nothing to bring; one that is not there is a mistake. */
async function assertRowsExist({ from }: Comparison, ids: number[], signal: AbortSignal): Promise<void> {
  if (ids.length === 0) return;
  const found = await scanRows(from.handle, {}, { where: `_rowid in (${ids.join(', ')})`, signal });
  const known = new Set(found.ids);
  const missing = ids.find((id) => !known.has(id));
  if (missing === undefined) return;
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `There is no row ${missing} on ${from.ref.branch}.`,
    hint: 'Row ids are those of the branch that the rows come from.',
  });
}
