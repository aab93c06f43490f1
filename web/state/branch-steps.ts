import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { RowId, RowKey } from '#shared/domain/selection.ts';

/** A step that brings changes onto a branch or takes them back; a dialog shows what it would do before it does it. */
export type BranchStep =
  | { kind: 'rebase'; table: string; branch: string; onto: string }
  | {
      kind: 'cherry-pick';
      table: string;
      /** Whose changes: a ref. */
      from: string;
      /** Offered first as the branch that receives them. */
      into?: string;
      /** One of these: rows by their key or by their id on `from`, columns, or versions of `from`. */
      keys?: readonly RowKey[];
      rowIds?: readonly RowId[];
      columns?: readonly string[];
      versions?: readonly number[];
    }
  | { kind: 'revert'; table: string; branch: string; versions: readonly number[] }
  | { kind: 'restore'; table: string; branch: string; ref?: string };

const store = createStore<{ step: BranchStep | null }>(() => ({ step: null }));

/** Opens the dialog of a step, from any screen. */
export const openBranchStep = (step: BranchStep): void => store.setState({ step });
export const closeBranchStep = (): void => store.setState({ step: null });
export const useBranchStep = (): BranchStep | null => useStore(store, ({ step }) => step);
