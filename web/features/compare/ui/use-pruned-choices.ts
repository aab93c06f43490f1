import { useEffect } from 'react';
import type { ChoiceStore } from '../choice-store.ts';
import type { ConflictItem } from '../model/choices.ts';

export interface PruneInput {
  conflicts: readonly ConflictItem[];
  /** Whether `conflicts` are all there are. */
  isComplete: boolean;
  isKnown: boolean;
  heads: string;
}

/** Drops choices that no longer apply, once it is known what does. */
export function usePrunedChoices(
  choices: ChoiceStore,
  { conflicts, isComplete, isKnown, heads }: PruneInput,
): void {
  useEffect(() => {
    if (!isKnown || !isComplete) return;
    choices.prune(conflicts, isComplete);
    choices.dropStaleRest(conflicts, heads);
  }, [choices, conflicts, isComplete, isKnown, heads]);
}
