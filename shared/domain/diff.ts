import type { ChangeKind, DiffSummary } from '../api/edits.ts';
import { type Bits, type CellBits, columnsOfRow, countBits, createBits, hasBit, setBit } from './bits.ts';

/** What a side did to a row since base. */
export const rowChange = { none: 0, added: 1, removed: 2, modified: 3 } as const;

export const changeKindOf = (change: number): ChangeKind =>
  change === rowChange.added ? 'added' : change === rowChange.removed ? 'removed' : 'modified';

/**
 * The rows that `from` changed since base, and what `into` did to the same rows. Columns are numbered; a column means
 * the same on every side, whatever its name there.
 */
export interface ThreeWayRows {
  count: number;
  /** {@link rowChange} per row; never `none` for `from`. */
  from: Uint8Array;
  into: Uint8Array;
  /** Cells of modified rows whose values differ from base. */
  fromCells: CellBits;
  intoCells: CellBits;
  /** Cells that differ between `from` and `into`: of rows that both added, and of cells that both changed. */
  differing: CellBits;
}

export const conflictKind = {
  none: 0,
  cell: 1,
  removedModified: 2,
  modifiedRemoved: 3,
  addedAdded: 4,
} as const;

export interface RowConflicts {
  /** {@link conflictKind} per row. */
  kinds: Uint8Array;
  /** The cells in conflict; where one side removed the row, those that the other side changed. */
  cells: CellBits;
  rows: number;
  cellCount: number;
}

/** Where both sides changed one cell to different values, or one removed what the other changed. */
export function findConflicts(three: ThreeWayRows): RowConflicts {
  const kinds = new Uint8Array(three.count);
  let rows = 0;
  const touched = createBits(three.count);
  for (let row = 0; row < three.count; row++) {
    if (three.into[row] === rowChange.none) continue;
    setBit(touched, row);
    const kind = conflictOf(three, row);
    kinds[row] = kind;
    if (kind !== conflictKind.none) rows += 1;
  }
  const cells: CellBits = new Map();
  let cellCount = 0;
  const keep = (column: number, bits: Bits, row: number) => {
    if (!hasBit(bits, row)) return;
    let kept = cells.get(column);
    if (!kept) {
      kept = createBits(three.count);
      cells.set(column, kept);
    }
    setBit(kept, row);
    cellCount += 1;
  };
  for (let row = 0; row < three.count; row++) {
    if (kinds[row] === conflictKind.none) continue;
    for (const [column, bits] of cellsInConflict(three, kinds[row] as number)) {
      const isBoth =
        kinds[row] !== conflictKind.cell ||
        (hasBit(three.fromCells.get(column), row) && hasBit(three.intoCells.get(column), row));
      if (isBoth) keep(column, bits, row);
    }
  }
  return { kinds, cells, rows, cellCount };
}

function cellsInConflict(three: ThreeWayRows, kind: number): CellBits {
  if (kind === conflictKind.removedModified) return three.intoCells;
  if (kind === conflictKind.modifiedRemoved) return three.fromCells;
  return three.differing;
}

function conflictOf({ from, into, fromCells, intoCells, differing }: ThreeWayRows, row: number): number {
  const pair = `${from[row]}${into[row]}`;
  switch (pair) {
    case `${rowChange.added}${rowChange.added}`:
      return columnsOfRow(differing, row).length > 0 ? conflictKind.addedAdded : conflictKind.none;
    case `${rowChange.removed}${rowChange.modified}`:
      return conflictKind.removedModified;
    case `${rowChange.modified}${rowChange.removed}`:
      return conflictKind.modifiedRemoved;
    case `${rowChange.modified}${rowChange.modified}`: {
      const isSplit = columnsOfRow(differing, row).some(
        (column) => hasBit(fromCells.get(column), row) && hasBit(intoCells.get(column), row),
      );
      return isSplit ? conflictKind.cell : conflictKind.none;
    }
    default:
      return conflictKind.none;
  }
}

/** Row and cell counts of a diff. `nameOf` gives a column's name, `null` for those that are never counted. */
export function countChanges(
  { count, from, fromCells }: Pick<ThreeWayRows, 'count' | 'from' | 'fromCells'>,
  nameOf: (column: number) => string | null,
): Pick<DiffSummary, 'rows' | 'cells'> {
  const rows = { added: 0, removed: 0, modified: 0 };
  for (let row = 0; row < count; row++) rows[changeKindOf(from[row] as number)] += 1;
  const cells: Record<string, number> = {};
  for (const [column, bits] of [...fromCells].sort(([a], [b]) => a - b)) {
    const name = nameOf(column);
    const changed = countBits(bits);
    if (name !== null && changed > 0) cells[name] = changed;
  }
  return { rows, cells };
}
