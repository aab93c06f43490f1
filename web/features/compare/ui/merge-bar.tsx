import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, GitMerge, GitPullRequestArrow } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import type { MergeResult } from '#shared/api/edits.ts';
import { isAppError } from '#shared/api/problem.ts';
import { announce, Button, ErrorNote, TextField } from '../../../ui/index.ts';
import { landMerge, planMerge } from '../merge.ts';
import { describePlan, describeSummary, isAsAnnounced } from '../model/merge-words.ts';
import { comparisonKey } from '../queries.ts';
import type { ReviewOf } from '../use-review-of.ts';
import styles from './merge-bar.module.css';
import { useBook, useScene } from './scene.ts';

export interface MergeBarProps {
  /** Why nothing can be merged now. */
  whyNot: string | null;
  onMerged: (result: MergeResult) => void;
  /** Shown in place of the merge where only reviews are merged. */
  review?: ReviewOf | null;
  /** Goes to the next conflict that is left; missing where there is none. */
  onNextConflict?: () => void;
  /** A head moved since the changes were read. */
  onMoved: () => void;
}

/** What a merge will do, its message, and the button that lands it. A plan with surprises is shown before it lands. */
export function MergeBar({ whyNot, review, onNextConflict, onMerged, onMoved }: MergeBarProps) {
  const { comparison, summary, choices, names } = useScene();
  const client = useQueryClient();
  const book = useBook(choices);
  const [message, setMessage] = useState('');
  const [isArmed, setArmed] = useState(false);
  const [surprise, setSurprise] = useState<MergeResult | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const request = {
    comparison,
    summary,
    book,
    ...(message.trim() === '' ? {} : { message: message.trim() }),
  };
  const planKey = [...comparisonKey(comparison), 'plan', summary.from.version, summary.into.version, book];
  const plan = useQuery({
    queryKey: planKey,
    queryFn: ({ signal }) => planMerge({ comparison, summary, book }, signal),
    enabled: isArmed && whyNot === null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const fail = (failure: unknown) => {
    if (isAppError(failure) && failure.code === 'HEAD_MOVED') onMoved();
    else setError(failure);
  };
  const merge = async () => {
    if (whyNot !== null || isBusy) return;
    setBusy(true);
    setError(null);
    try {
      const planned = await client.fetchQuery({
        queryKey: planKey,
        queryFn: ({ signal }) => planMerge({ comparison, summary, book }, signal),
        staleTime: Number.POSITIVE_INFINITY,
      });
      if (planned.status !== 'ready' || (surprise === null && !isAsAnnounced(planned, summary))) {
        setSurprise(planned);
        announce(describePlan(planned));
        return;
      }
      onMerged(await landMerge(client, request));
    } catch (failure) {
      fail(failure);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void merge();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event);
  };
  const arm = () => setArmed(true);
  const planned = plan.data ?? surprise;
  return (
    <form
      className={styles.bar}
      aria-label="Merge"
      onSubmit={submit}
      onPointerEnter={arm}
      onFocus={arm}
      onKeyDown={onKeyDown}
    >
      {error ? (
        <ErrorNote
          error={error}
          title={`Nothing was merged; ${names.into} is as it was.`}
          className={styles.error}
        />
      ) : null}
      <div className={styles.line}>
        {onNextConflict ? (
          <CircleAlert className={styles.conflictIcon} aria-hidden />
        ) : (
          <GitMerge className={styles.icon} aria-hidden />
        )}
        <p className={styles.plan} role={surprise ? 'alert' : undefined}>
          {whyNot ?? (planned ? describePlan(planned) : describeSummary(summary))}
          {surprise?.status === 'ready' &&
            !whyNot &&
            ' That is more than the list shows: press Merge again to land it.'}
        </p>
        {onNextConflict && (
          <Button size="s" keys="n" onClick={onNextConflict}>
            Next conflict
          </Button>
        )}
        {review && (
          <Button look="primary" icon={<GitPullRequestArrow />} keys="Shift+R" onClick={review.open}>
            {review.label}
          </Button>
        )}
        {!review && (
          <TextField
            label="Message"
            isLabelHidden
            placeholder={`Merge ${names.from} into ${names.into}`}
            value={message}
            onChange={setMessage}
            className={styles.message}
          />
        )}
        <Button
          look={review ? 'plain' : 'primary'}
          type="submit"
          whyNot={whyNot}
          isBusy={isBusy}
          keys="Mod+Enter"
          tip={`Land these changes on ${names.into}`}
        >
          Merge
        </Button>
      </div>
    </form>
  );
}
