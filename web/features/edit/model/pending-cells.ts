/** A cell whose new value is shown before the rows that carry it arrive. */
export interface PendingCell {
  rowId: string;
  column: string;
  value: unknown;
  /** The version that holds it; `null` while the server has not answered. */
  version: number | null;
}

export type PendingCells = Readonly<Record<string, PendingCell>>;

export const cellKey = (rowId: string, column: string): string => `${rowId}/${column}`;

export const addPending = (cells: PendingCells, added: readonly PendingCell[]): PendingCells => ({
  ...cells,
  ...Object.fromEntries(added.map((cell) => [cellKey(cell.rowId, cell.column), cell])),
});

export const dropPending = (
  cells: PendingCells,
  gone: readonly Pick<PendingCell, 'rowId' | 'column'>[],
): PendingCells => {
  const keys = new Set(gone.map(({ rowId, column }) => cellKey(rowId, column)));
  return Object.fromEntries(Object.entries(cells).filter(([key]) => !keys.has(key)));
};

/** What stands in a cell of rows that were read at `version`: the pending value where it is newer than they are. */
export function pendingValue(
  cells: PendingCells,
  { rowId, column, version }: { rowId: string; column: string; version: number },
): { value: unknown } | null {
  const cell = cells[cellKey(rowId, column)];
  return cell && (cell.version === null || cell.version > version) ? { value: cell.value } : null;
}
