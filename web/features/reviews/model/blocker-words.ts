import type { Blocker, BlockerCode } from '#shared/api/review-parts.ts';
import { formatOf } from '../../../ui/format-quantity.ts';

/** What a person can do about a blocker from where it stands. */
export type BlockerAction = 'settle' | 'run-checks' | 'show-checks' | 'approve' | 'show-threads' | null;

const actions: Partial<Record<BlockerCode, BlockerAction>> = {
  conflicts: 'settle',
  'checks-not-run': 'run-checks',
  'checks-failed': 'show-checks',
  'checks-unreadable': 'show-checks',
  approvals: 'approve',
  threads: 'show-threads',
};

export const actionOf = ({ code }: Pick<Blocker, 'code'>): BlockerAction => actions[code] ?? null;

/** The blockers as they stand with the conflicts that this person has settled here, and not yet merged. */
export function openBlockers(
  blockers: readonly Blocker[],
  { openConflicts, hasConflicts }: { openConflicts: number; hasConflicts: boolean },
): Blocker[] {
  return blockers.flatMap((blocker) => {
    if (blocker.code !== 'conflicts' || !hasConflicts) return [blocker];
    if (openConflicts === 0) return [];
    return [{ ...blocker, message: `${formatOf(openConflicts, 'conflict')} left to settle.` }];
  });
}
