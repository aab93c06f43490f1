import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

interface EditState {
  /** Newest versions that edits of this page made, by table and branch. */
  heads: Readonly<Record<string, number>>;
  dialog: { kind: 'setValue' | 'tag'; column?: string } | null;
}

export const editStore = createStore<EditState>(() => ({ heads: {}, dialog: null }));

const placeKey = (table: string, branch: string): string => JSON.stringify([table, branch]);

export const openEditDialog = (dialog: EditState['dialog']): void => editStore.setState({ dialog });
export const closeEditDialog = (): void => editStore.setState({ dialog: null });
export const useEditDialog = (): EditState['dialog'] => useStore(editStore, ({ dialog }) => dialog);

/** The version that the next edit is made against: the one on the screen, or a newer one that this page made. */
export const headOf = (table: string, branch: string, shown: number): number =>
  Math.max(shown, editStore.getState().heads[placeKey(table, branch)] ?? 0);

export const rememberHead = (table: string, branch: string, version: number): void =>
  editStore.setState(({ heads }) => ({ heads: { ...heads, [placeKey(table, branch)]: version } }));
