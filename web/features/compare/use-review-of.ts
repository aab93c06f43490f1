import type { BranchInfo } from '#shared/api/tables.ts';
import { useOpenReviews } from '../../api/index.ts';
import { goTo, reviewPath } from '../../state/addresses.ts';
import { showReviewDialog } from '../../state/review-dialog.ts';
import type { Comparison } from './queries.ts';

export interface ReviewOf {
  /** `Review…`, or the number of the one that is open. */
  label: string;
  title: string | null;
  open: () => void;
}

/** The review of two branches: the one that is open, or the dialog that opens one; `null` where they are no two branches. */
export function useReviewOf(
  { table, from, into }: Comparison,
  branches: readonly BranchInfo[],
): ReviewOf | null {
  const review = useOpenReviews(table).find((one) => one.from === from && one.into === into);
  const areBranches = [from, into].every((ref) => branches.some(({ name }) => name === ref)) && from !== into;
  if (!areBranches) return null;
  return {
    label: review ? `Review ${review.id}` : 'Review…',
    title: review?.title ?? null,
    open: () => {
      if (review) goTo(reviewPath(review.id));
      else showReviewDialog({ kind: 'open', table, from, into });
    },
  };
}
