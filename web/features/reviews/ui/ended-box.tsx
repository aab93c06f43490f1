import { CircleCheck, CircleX, History, RotateCcw, Table2, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTableSummary } from '../../../api/index.ts';
import { goTo, tablePath } from '../../../state/addresses.ts';
import { formatAgo, formatMoment } from '../../../ui/format-quantity.ts';
import { Button, ErrorNote } from '../../../ui/index.ts';
import { takeBackMerge } from '../../compare/index.ts';
import { deleteReviewBranch, reopenReview } from '../actions.ts';
import { useReviewScene } from '../review-scene.ts';
import styles from './merge-box.module.css';

/** A review that is over: what came of it, where to go from here, and what can still be done. */
export function EndedBox() {
  const { client, review } = useReviewScene();
  const { table, from, into, merged, ended, may, id } = review;
  const branches = useTableSummary(table)?.branches ?? [];
  const [busy, setBusy] = useState<'back' | 'branch' | 'reopen' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const attempt = async (what: 'back' | 'branch' | 'reopen', work: () => Promise<unknown>) => {
    setBusy(what);
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(null);
    }
  };
  const branch = branches.find(({ name }) => name === from);
  const isProtected = branches.find(({ name }) => name === into)?.isProtected ?? true;
  const takeBack = async () => {
    if (!merged) return;
    const result = { into: { branch: into, version: merged.version }, ...merged };
    goTo(await takeBackMerge({ client, table, from, result, branches }));
  };
  return (
    <section className={styles.box} aria-label="Merge">
      <div className={styles.line} role="status" aria-label={merged ? 'Merged' : 'Closed'}>
        {merged ? (
          <CircleCheck className={styles.ready} aria-hidden />
        ) : (
          <CircleX className={styles.icon} aria-hidden />
        )}
        <p className={styles.plan}>
          <strong>
            {merged ? `Merged into ${into} as version ${merged.version}` : 'Closed without a merge'}
          </strong>
          {ended && (
            <span title={formatMoment(ended.at)}>
              {' '}
              by {ended.by}, {formatAgo(ended.at)}
            </span>
          )}
          {merged?.isSquashed && ', as one step'}
          {!branch && from !== into && `; the branch ${from} is deleted`}
        </p>
        {merged && (
          <>
            <Button
              size="s"
              look="primary"
              icon={<Table2 />}
              onClick={() => goTo(tablePath(table, { ref: into }))}
            >
              Open {into}
            </Button>
            <Button
              size="s"
              icon={<History />}
              onClick={() => goTo(tablePath(table, { ref: into, view: 'history' }))}
            >
              History
            </Button>
            <Button
              size="s"
              icon={<Undo2 />}
              isBusy={busy === 'back'}
              tip={
                isProtected
                  ? `${into} only changes by merges: this makes a branch that takes it back, for you to merge`
                  : undefined
              }
              onClick={() => void attempt('back', takeBack)}
            >
              Take it back…
            </Button>
          </>
        )}
        {may.deleteBranch && branch && !branch.isProtected && (
          <Button
            size="s"
            icon={<Trash2 />}
            isBusy={busy === 'branch'}
            tip="The review stays readable without it"
            onClick={() =>
              void attempt('branch', () => deleteReviewBranch({ client, id }, { table, branch: from }))
            }
          >
            Delete branch {from}
          </Button>
        )}
        {may.reopen && (
          <Button
            size="s"
            icon={<RotateCcw />}
            isBusy={busy === 'reopen'}
            onClick={() => void attempt('reopen', () => reopenReview({ client, id }, { body: '' }))}
          >
            Open again
          </Button>
        )}
      </div>
      <ErrorNote error={error} title="That did not work." />
    </section>
  );
}
