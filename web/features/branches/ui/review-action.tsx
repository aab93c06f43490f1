import { GitPullRequestArrow } from 'lucide-react';
import type { BranchInfo } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { useOpenReviews } from '../../../api/index.ts';
import { goTo, reviewPath } from '../../../state/addresses.ts';
import { useCommands } from '../../../state/commands.ts';
import { showReviewDialog } from '../../../state/review-dialog.ts';
import { Button } from '../../../ui/index.ts';
import { commitsAhead } from '../model.ts';

export interface ReviewActionProps {
  table: string;
  /** The branch on whose head one is; null for tags and past versions. */
  branch: BranchInfo | null;
  into: string;
}

/** The branch's review: the one that is open, or the way to open one. */
export function ReviewAction({ table, branch, into }: ReviewActionProps) {
  const review = useOpenReviews(table).find(({ from }) => from === branch?.name);
  const open = () => {
    if (review) goTo(reviewPath(review.id));
    else if (branch) showReviewDialog({ kind: 'open', table, from: branch.name, into });
  };
  const whyNot =
    branch === null || branch.name === mainBranch
      ? 'Choose a branch to have it reviewed'
      : !review && commitsAhead(branch) === 0
        ? `${branch.name} has nothing that ${into} lacks`
        : null;
  useCommands([
    {
      id: 'branches.review',
      title: review ? `Open review ${review.id} of this branch` : 'Review this branch…',
      group: 'Branches',
      keys: ['Shift+R'],
      whyNot: () => whyNot,
      run: open,
    },
    {
      id: 'branches.checks',
      title: 'Checks of this table…',
      group: 'Branches',
      run: () =>
        showReviewDialog({
          kind: 'checks',
          table,
          branch: into,
          ...(branch ? { tryOn: branch.name } : {}),
        }),
    },
    {
      id: 'branches.rules',
      title: 'Review rules of this table…',
      group: 'Branches',
      run: () => showReviewDialog({ kind: 'rules', table }),
    },
  ]);
  if (whyNot !== null) return null;
  return (
    <Button
      size="s"
      look="quiet"
      keys="Shift+R"
      icon={<GitPullRequestArrow />}
      tip={review ? review.title : 'Ask others to look at it before it lands'}
      onClick={open}
    >
      {review ? `Review ${review.id}` : 'Review…'}
    </Button>
  );
}
