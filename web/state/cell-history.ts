import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

interface WantedCell {
  rowId: string;
  column: string;
}

const wanted = createStore<{ cell: WantedCell | null }>(() => ({ cell: null }));

/** Asks the row panel to open the history of a cell as soon as it shows the row. */
export const openCellHistory = (cell: WantedCell): void => wanted.setState({ cell });

/** The cell was opened, or the panel shows something else by now. */
export const closeCellHistory = (): void => wanted.setState({ cell: null });

/** Whether the history of this cell is asked for. */
export const useIsHistoryWanted = ({ rowId, column }: WantedCell): boolean =>
  useStore(wanted, ({ cell }) => cell?.rowId === rowId && cell.column === column);
