import { CircleX, GitMerge, GitPullRequestArrow } from 'lucide-react';
import type { ReviewState } from '#shared/api/review-parts.ts';
import { cx } from '../../../ui/index.ts';
import styles from './review.module.css';

const marks = {
  open: { icon: GitPullRequestArrow, text: 'Open' },
  merged: { icon: GitMerge, text: 'Merged' },
  closed: { icon: CircleX, text: 'Closed' },
};

/** Open, merged or closed. */
export function StateMark({ state }: { state: ReviewState }) {
  const { icon: Icon, text } = marks[state];
  return (
    <span className={cx(styles.state, styles[state])}>
      <Icon aria-hidden />
      {text}
    </span>
  );
}
