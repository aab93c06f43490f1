import { Link } from 'wouter';
import { comparePath, tablePath } from '../../../state/addresses.ts';
import { showReviewDialog } from '../../../state/review-dialog.ts';
import { Button } from '../../../ui/index.ts';
import { useReviewScene } from '../review-scene.ts';
import { ChecksPanel } from './checks-panel.tsx';
import { PeoplePanel } from './people-panel.tsx';
import styles from './side.module.css';

/** Beside the conversation: checks, people, rules and what exactly is compared. */
export function SidePanel() {
  const { review } = useReviewScene();
  return (
    <aside className={styles.side} aria-label="State of the review">
      <ChecksPanel />
      <PeoplePanel />
      <RulesPanel />
      <section aria-label="What is compared" className={styles.panel}>
        <h3 className={styles.heading}>What is compared</h3>
        <dl className={styles.facts}>
          {(['from', 'into', 'base'] as const).map((side) => {
            const ref = review.refs[side];
            return (
              <div key={side} className={styles.fact}>
                <dt>{side}</dt>
                <dd>
                  {ref ? (
                    <Link href={tablePath(review.table, { ref: `${ref.branch}:${ref.version}` })}>
                      {ref.branch} · version {ref.version}
                    </Link>
                  ) : (
                    <span className={styles.quiet}>gone</span>
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
        {review.compare && (
          <Link
            href={comparePath(review.table, review.compare.from, review.compare.into)}
            className={styles.link}
          >
            Open the comparison by itself
          </Link>
        )}
      </section>
    </aside>
  );
}

function RulesPanel() {
  const { review } = useReviewScene();
  const { rules } = review;
  const texts = [
    rules.approvalsNeeded === 0
      ? 'No approval is needed.'
      : `${rules.approvalsNeeded} ${rules.approvalsNeeded === 1 ? 'approval is' : 'approvals are'} needed${rules.mayApproveOwn ? '' : ', not by the author'}.`,
    rules.needsResolvedThreads && 'Threads must be resolved.',
    rules.mergeByReviewOnly && `Protected branches take merges of reviews only.`,
    rules.mayMerge.length > 0 && `${rules.mayMerge.join(', ')} may merge.`,
  ].filter(Boolean);
  return (
    <section aria-label="Rules" className={styles.panel}>
      <div className={styles.headLine}>
        <h3 className={styles.heading}>Rules</h3>
        <Button
          size="s"
          look="quiet"
          onClick={() => showReviewDialog({ kind: 'rules', table: review.table })}
        >
          Edit…
        </Button>
      </div>
      <p className={styles.quiet}>{texts.join(' ')}</p>
    </section>
  );
}
