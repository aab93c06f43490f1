import { closeReviewDialog, useReviewDialog } from '../../../state/review-dialog.ts';
import { ChecksDialog } from './checks-dialog.tsx';
import { OpenReviewDialog } from './open-review-dialog.tsx';
import { RulesDialog } from './rules-dialog.tsx';

/** The dialogs of reviews, opened from anywhere by `showReviewDialog`. */
export function ReviewDialogs() {
  const dialog = useReviewDialog();
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'open':
      return <OpenReviewDialog {...dialog} onClose={closeReviewDialog} />;
    case 'checks':
      return <ChecksDialog {...dialog} onClose={closeReviewDialog} />;
    case 'rules':
      return <RulesDialog table={dialog.table} onClose={closeReviewDialog} />;
  }
}
