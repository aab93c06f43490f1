import type { DiffSummary } from '#shared/api/edits.ts';
import type { GridColumn } from '../../grid/index.ts';

export interface TableColumns {
  /** Changed columns, the one that is asked for first, then by their changed cells. */
  shown: GridColumn[];
  /** Changed columns that are left out for now. */
  hiddenChanged: number;
  /** Columns in which nothing changed: they stand in the card of a row. */
  unchanged: number;
}

export interface TableColumnsInput {
  columns: readonly GridColumn[];
  cells: DiffSummary['cells'];
  /** The column that the list is narrowed to. */
  first: string | null;
  most: number;
}

/** Which columns a table of changes shows: changed ones first, however wide the table is. */
export function planTableColumns({ columns, cells, first, most }: TableColumnsInput): TableColumns {
  const rank = (name: string): number => (name === first ? Number.POSITIVE_INFINITY : (cells[name] ?? 0));
  const changed = columns
    .filter(({ name }) => rank(name) > 0)
    .sort((a, b) => (rank(b.name) > rank(a.name) ? 1 : rank(b.name) < rank(a.name) ? -1 : 0));
  return {
    shown: changed.slice(0, most),
    hiddenChanged: Math.max(0, changed.length - most),
    unchanged: columns.length - changed.length,
  };
}
