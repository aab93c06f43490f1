import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { EditOp } from '#shared/domain/edits.ts';
import {
  addPending,
  dropPending,
  type PendingCell,
  type PendingCells,
  pendingValue,
} from './model/pending-cells.ts';

interface EditState {
  /** Values on their way, by table and branch. */
  pending: Readonly<Record<string, PendingCells>>;
  /** Newest versions that edits of this page made, by table and branch. */
  heads: Readonly<Record<string, number>>;
  dialog: { kind: 'setValue' | 'tag'; column?: string } | null;
}

export const editStore = createStore<EditState>(() => ({ pending: {}, heads: {}, dialog: null }));

const placeKey = (table: string, branch: string): string => JSON.stringify([table, branch]);

export const openEditDialog = (dialog: EditState['dialog']): void => editStore.setState({ dialog });
export const closeEditDialog = (): void => editStore.setState({ dialog: null });
export const useEditDialog = (): EditState['dialog'] => useStore(editStore, ({ dialog }) => dialog);

const noCells: PendingCells = {};

function changePending(table: string, branch: string, change: (cells: PendingCells) => PendingCells): void {
  const key = placeKey(table, branch);
  editStore.setState(({ pending }) => ({ pending: { ...pending, [key]: change(pending[key] ?? noCells) } }));
}

/** Shows values before the rows that carry them arrive. */
export const showPending = (table: string, branch: string, cells: readonly PendingCell[]): void =>
  changePending(table, branch, (before) => addPending(before, cells));

export const hidePending = (table: string, branch: string, cells: readonly PendingCell[]): void =>
  changePending(table, branch, (before) => dropPending(before, cells));

/** The value to show instead of a cell's own, if an edit of it is newer than the rows that are on the screen. */
export function usePendingValue(at: {
  table: string;
  branch: string;
  version: number;
  row: string;
  column: string;
}): { value: unknown } | null {
  const cells = useStore(editStore, ({ pending }) => pending[placeKey(at.table, at.branch)] ?? noCells);
  return pendingValue(cells, { rowId: at.row, column: at.column, version: at.version });
}

/** The version that the next edit is made against: the one on the screen, or a newer one that this page made. */
export const headOf = (table: string, branch: string, shown: number): number =>
  Math.max(shown, editStore.getState().heads[placeKey(table, branch)] ?? 0);

export const rememberHead = (table: string, branch: string, version: number): void =>
  editStore.setState(({ heads }) => ({ heads: { ...heads, [placeKey(table, branch)]: version } }));

/** The cells that an edit sets on rows given by id, as they will read. */
export function pendingCellsOf(op: EditOp, version: number | null): PendingCell[] {
  if (op.op !== 'set' || !('ids' in op.rows)) return [];
  return op.rows.ids.flatMap((id) =>
    Object.entries(op.values).map(([column, value]) => ({ rowId: String(id), column, value, version })),
  );
}
