import { openBranchStep } from '../../state/branch-steps.ts';
import type { PickStore } from './pick-store.ts';
import type { Comparison } from './queries.ts';

/** Opens the step that brings the picked rows to a branch. */
export function bringPicked({ table, from, into }: Comparison, picks: PickStore): void {
  const keys = [...picks.getState().picks.values()].map(({ key }) => key);
  if (keys.length > 0) openBranchStep({ kind: 'cherry-pick', table, from, into, keys });
}
