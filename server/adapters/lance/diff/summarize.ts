import type { DiffSummary } from '#shared/api/edits.ts';
import { columnsOfRow } from '#shared/domain/bits.ts';
import { conflictKind, countChanges } from '#shared/domain/diff.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';
import { diffColumns } from '#shared/domain/schema-diff.ts';
import type { Comparison } from './comparison.ts';

/** Name under which a column is shown: as `from` has it, else as it was. */
export const shownName = ({ columns }: Pick<Comparison, 'columns'>, column: number): string => {
  const { from, into, base } = columns[column]!;
  return (from ?? base ?? into)!.name;
};

/** All that stands against a merge by key. */
export const obstaclesOf = ({ obstacles, noKey }: Comparison): string[] =>
  noKey === null ? obstacles : [noKey, ...obstacles];

/** What `from` changed since base, in numbers. */
export function summarize(comparison: Comparison): DiffSummary {
  const { columns, three, primaryRows, conflicts, disputes, base, from, into, isTwoWay } = comparison;
  const obstacles = obstaclesOf(comparison);
  const primary = {
    count: primaryRows,
    from: three.from,
    fromCells: withinRows(three.fromCells, primaryRows),
  };
  const counts = countChanges(primary, (column) =>
    columns[column]!.base === null ? null : shownName(comparison, column),
  );
  const pairs = columns
    .filter((column) => column.from !== null || column.base !== null)
    .map((column) => ({ before: column.base, after: column.from }))
    .filter(({ before, after }) => (before ?? after)!.name !== hiddenKeyColumn);
  return {
    base: isTwoWay ? null : base.ref,
    from: from.ref,
    into: into.ref,
    mode: isTwoWay ? 'two-way' : 'three-way',
    rows: counts.rows,
    columns: diffColumns(pairs),
    cells: counts.cells,
    conflicts: { rows: conflicts.rows, cells: conflicts.cellCount + disputes.length },
    mergeable: obstacles.length === 0 && conflicts.rows === 0 && disputes.length === 0,
    notices: obstacles,
  };
}

function withinRows(cells: ReadonlyMap<number, Uint8Array>, rows: number): Map<number, Uint8Array> {
  return new Map(
    [...cells].map(([column, bits]) => {
      const some = bits.slice(0, (rows + 7) >> 3);
      if (rows % 8 !== 0 && some.length > 0) some[some.length - 1]! &= (1 << (rows % 8)) - 1;
      return [column, some];
    }),
  );
}

/** Columns that `from` changed in a row, by number; none for rows that it added or removed. */
export const changedColumns = ({ three, columns }: Comparison, row: number): number[] =>
  columnsOfRow(three.fromCells, row).filter((column) => columns[column]!.base !== null);

/** Columns of a row that are in conflict, by number. */
export const conflictColumns = ({ conflicts }: Comparison, row: number): number[] =>
  conflicts.kinds[row] === conflictKind.none ? [] : columnsOfRow(conflicts.cells, row);
