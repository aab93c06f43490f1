import { CircleAlert, CircleCheck, CircleDashed, CircleX, GitMerge, TriangleAlert } from 'lucide-react';
import type { ReviewStanding } from '#shared/api/reviews.ts';
import { countConflicts } from '#shared/domain/review-blockers.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Tooltip } from '../../../ui/index.ts';
import styles from './reviews-page.module.css';

/** Conflicts, checks and whether it can be merged, as signs with words. */
export function StandingMarks({ standing }: { standing: ReviewStanding }) {
  const { conflicts, checks, canMerge, blockers } = standing;
  const gone = blockers.find(({ code }) => code === 'branch-gone' || code === 'table-gone');
  const hasConflicts = conflicts !== null && conflicts.rows + conflicts.cells > 0;
  return (
    <>
      {gone && (
        <span className={styles.failed}>
          <CircleX aria-hidden /> {gone.code === 'table-gone' ? 'table is gone' : 'branch is gone'}
        </span>
      )}
      {hasConflicts && (
        <span className={styles.conflict}>
          <CircleAlert aria-hidden /> {countConflicts(conflicts)}
        </span>
      )}
      <CheckMark checks={checks} isBlocking={blockers.some(({ code }) => code === 'checks-failed')} />
      {canMerge && (
        <span className={styles.approved}>
          <GitMerge aria-hidden /> can be merged
        </span>
      )}
      {!canMerge && !gone && blockers.length > 0 && !hasConflicts && checks.failed === 0 && (
        <Tooltip text={blockers.map(({ message }) => message).join(' ')}>
          <span className={styles.quiet}>{blockers[0]?.message}</span>
        </Tooltip>
      )}
    </>
  );
}

function CheckMark({
  checks: { passed, failed, waiting, total },
  isBlocking,
}: Pick<ReviewStanding, 'checks'> & { isBlocking: boolean }) {
  if (total === 0) return null;
  if (failed > 0)
    return (
      <span className={isBlocking ? styles.failed : styles.wanted}>
        {isBlocking ? <CircleX aria-hidden /> : <TriangleAlert aria-hidden />} {failed} of{' '}
        {formatOf(total, 'check')} failed
      </span>
    );
  if (passed === total)
    return (
      <span className={styles.approved}>
        <CircleCheck aria-hidden /> {formatOf(total, 'check')} passed
      </span>
    );
  return (
    <span className={waiting > 0 ? styles.wanted : styles.notRun}>
      <CircleDashed aria-hidden /> {total - passed} of {formatOf(total, 'check')} not run
    </span>
  );
}
