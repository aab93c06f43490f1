import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** A cell whose new value is shown before the rows that carry it arrive. */
export interface PendingCell {
  rowId: string;
  column: string;
  /** As rows carry it. */
  value: unknown;
  /** The version that holds it; `null` while the server has not answered. */
  version: number | null;
}

export type PendingCells = Readonly<Record<string, PendingCell>>;

const cellKey = (rowId: string, column: string): string => `${rowId}/${column}`;

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

const noCells: PendingCells = {};
const store = createStore<{ places: Readonly<Record<string, PendingCells>> }>(() => ({ places: {} }));

const placeOf = (table: string, branch: string): string => JSON.stringify([table, branch]);

function change(table: string, branch: string, next: (cells: PendingCells) => PendingCells): void {
  const place = placeOf(table, branch);
  const before = store.getState().places[place] ?? noCells;
  const after = next(before);
  if (after !== before) store.setState(({ places }) => ({ places: { ...places, [place]: after } }));
}

/** Shows values of a branch's cells before the rows that carry them arrive. */
export const showPending = (table: string, branch: string, cells: readonly PendingCell[]): void =>
  change(table, branch, (before) => addPending(before, cells));

export const hidePending = (table: string, branch: string, cells: readonly PendingCell[]): void =>
  change(table, branch, (before) => dropPending(before, cells));

/** Forgets values that the rows on the screen carry themselves by now. */
export const settlePending = (table: string, branch: string, shownVersion: number): void =>
  change(table, branch, (cells) => {
    const waiting = Object.entries(cells).filter(
      ([, { version }]) => version === null || version > shownVersion,
    );
    return waiting.length === Object.keys(cells).length ? cells : Object.fromEntries(waiting);
  });

/** The cells of a branch that are shown with newer values than their rows carry. */
export const usePendingCells = (table: string, branch: string): PendingCells =>
  useStore(store, ({ places }) => places[placeOf(table, branch)] ?? noCells);
