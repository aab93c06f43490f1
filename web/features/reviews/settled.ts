import type { Blocker } from '#shared/api/review-parts.ts';
import type { MergeReviewBody, Review } from '#shared/api/reviews.ts';
import { digestChoices } from '#shared/domain/choices-digest.ts';
import { formatOf } from '../../ui/format-quantity.ts';
import { type Compared, toMergeInput } from '../compare/index.ts';

const hasConflicts = (compared: Compared): boolean => (compared.state.summary?.conflicts.cells ?? 0) > 0;

/** How this person has settled the conflicts, as checks and merge take it; nothing where there are none. */
export function settledOf(compared: Compared | null): Pick<MergeReviewBody, 'choices' | 'take'> {
  if (!compared || !hasConflicts(compared)) return {};
  const { choices, take } = toMergeInput(compared.choices.getState().book);
  return { ...(choices.length > 0 ? { choices } : {}), ...(take ? { take } : {}) };
}

/** Conflicts of the review, and those that this person has not settled yet. */
export const conflictsOf = (compared: Compared | null): { open: number; has: boolean } =>
  compared?.state.summary ? { open: compared.open, has: hasConflicts(compared) } : { open: 0, has: false };

/**
 * Conflicts are settled otherwise than when the checks ran, so the server will not take their results; it cannot know of
 * choices that only this page has.
 */
export function choicesBlocker({ checks, checkRun }: Review, compared: Compared | null): Blocker[] {
  const names = checks.filter(({ severity }) => severity === 'required').map(({ name }) => name);
  if (!compared || !hasConflicts(compared) || compared.open > 0 || names.length === 0) return [];
  if (!checkRun || checkRun.isStale || checkRun.choicesDigest === digestChoices(settledOf(compared)))
    return [];
  const message = 'The checks ran with other choices than these.';
  return [{ code: 'checks-not-run', message, hint: 'Run the checks.', names }];
}

/** Why there is no result to check or to merge yet; `null` when there is. */
export function whyNotSettled(compared: Compared | null): string | null {
  const { open } = conflictsOf(compared);
  return open > 0 ? `${formatOf(open, 'conflict')} left to settle.` : null;
}
