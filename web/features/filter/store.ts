import { createStore } from 'zustand/vanilla';

interface FilterPanel {
  isOpen: boolean;
  /** The condition that is changed; null for a new one. */
  index: number | null;
  /** Chosen at first, for a new one. */
  column: string | null;
}

export const filterPanel = createStore<FilterPanel>(() => ({ isOpen: false, index: null, column: null }));

/** Opens the builder: for a new condition, on a column, or on one that is there. */
export const openFilter = (at: { index?: number; column?: string } = {}): void =>
  filterPanel.setState({ isOpen: true, index: at.index ?? null, column: at.column ?? null });

export const closeFilter = (): void => filterPanel.setState({ isOpen: false });
