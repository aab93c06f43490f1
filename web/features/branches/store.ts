import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export type BranchDialog =
  | { kind: 'newBranch'; table: string; from: string; name?: string }
  | { kind: 'newTag'; table: string; ref: string }
  | { kind: 'manage'; table: string };

interface BranchState {
  dialog: BranchDialog | null;
  isListOpen: boolean;
}

export const branchStore = createStore<BranchState>(() => ({ dialog: null, isListOpen: false }));

export const openBranchDialog = (dialog: BranchDialog): void =>
  branchStore.setState({ dialog, isListOpen: false });
export const closeBranchDialog = (): void => branchStore.setState({ dialog: null });
export const setBranchListOpen = (isListOpen: boolean): void => branchStore.setState({ isListOpen });

export const useBranchDialog = (): BranchDialog | null => useStore(branchStore, ({ dialog }) => dialog);
export const useBranchListOpen = (): boolean => useStore(branchStore, ({ isListOpen }) => isListOpen);
