import { useEffect } from 'react';
import type { ChoiceStore } from '../choice-store.ts';
import type { ConflictItem } from '../model/choices.ts';

export interface PruneInput {
  conflicts: readonly ConflictItem[];
  /** Whether `conflicts` are all there are. */
  isComplete: boolean;
  isKnown: boolean;
}

/** Drops choices that no longer apply, once it is known what does. */
export function usePrunedChoices(choices: ChoiceStore, { conflicts, isComplete, isKnown }: PruneInput): void {
  useEffect(() => {
    if (isKnown && isComplete) choices.prune(conflicts, isComplete);
  }, [choices, conflicts, isComplete, isKnown]);
}
