import { createStore } from 'zustand/vanilla';
import { showError, showToast } from '../ui/toast.tsx';

/** One step that can be taken back. */
export interface UndoStep {
  /** What was done, in the past: “Deleted 3 rows on fix-glosses”. */
  label: string;
  undo: () => Promise<void>;
  /** Without it the step cannot be done again. */
  redo?: () => Promise<void>;
}

const steps = createStore<{ done: readonly UndoStep[]; undone: readonly UndoStep[] }>(() => ({
  done: [],
  undone: [],
}));

/** Remembers a step for Ctrl/⌘+Z and says it in a toast with Undo. */
export function showDone(step: UndoStep, hint?: string): void {
  steps.setState(({ done }) => ({ done: [...done.slice(-99), step], undone: [] }));
  showToast(step.label, {
    hint,
    action: { label: 'Undo', keys: 'Mod+Z', run: () => void undoStep(step).catch(showError) },
  });
}

/** The step that undo would take back now. */
export const lastStep = (): UndoStep | undefined => steps.getState().done.at(-1);
export const lastUndone = (): UndoStep | undefined => steps.getState().undone.at(-1);

/** Forgets the steps, for example when what they changed is gone. */
export const clearSteps = (): void => steps.setState({ done: [], undone: [] });

export async function undoStep(step = lastStep()): Promise<void> {
  if (!step || !steps.getState().done.includes(step)) return;
  await step.undo();
  steps.setState(({ done, undone }) => ({
    done: done.filter((one) => one !== step),
    undone: step.redo ? [...undone, step] : undone,
  }));
  showToast(`Undone: ${step.label}`);
}

export async function redoStep(): Promise<void> {
  const step = lastUndone();
  if (!step?.redo) return;
  await step.redo();
  steps.setState(({ done, undone }) => ({
    done: [...done, step],
    undone: undone.filter((one) => one !== step),
  }));
  showToast(`Done again: ${step.label}`);
}
