import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** What any screen can ask for: a review of a branch, the checks of a table, its rules. */
export type ReviewDialog =
  | { kind: 'open'; table: string; from: string; into: string }
  | { kind: 'checks'; table: string; branch: string; name?: string; tryOn?: string }
  | { kind: 'rules'; table: string };

const dialogs = createStore<{ dialog: ReviewDialog | null }>(() => ({ dialog: null }));

export const showReviewDialog = (dialog: ReviewDialog): void => dialogs.setState({ dialog });
export const closeReviewDialog = (): void => dialogs.setState({ dialog: null });
export const useReviewDialog = (): ReviewDialog | null => useStore(dialogs, ({ dialog }) => dialog);
