import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { isAppError } from '#shared/api/problem.ts';
import type { Review } from '#shared/api/reviews.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import { useSession, useTableSummary } from '../../../api/index.ts';
import { goTo, reviewsPath, tablePath } from '../../../state/addresses.ts';
import { Button, ErrorNote, Page, PageTitle, Skeleton } from '../../../ui/index.ts';
import {
  type Change,
  type Compared,
  type Comparison,
  noFilter,
  useChangesOf,
  useCompared,
} from '../../compare/index.ts';
import { type Anchor, keyToken, threadsByRow, whereOfKey } from '../model/anchor.ts';
import { useReview } from '../queries.ts';
import { ReviewProvider, type ReviewScene } from '../review-scene.ts';
import { useChecks } from '../use-checks.ts';
import { useTab } from '../use-tab.ts';
import styles from './review.module.css';
import { ReviewScreen } from './review-screen.tsx';
import { reviewSlots } from './row-comments.tsx';

/** One review: what and why, checks, changes, conversation, and the merge. */
export function ReviewPage({ id }: { id: string }) {
  const { data: review, error, refetch } = useReview(id);
  const title = review?.title;
  useEffect(() => {
    document.title = title === undefined ? `Review ${id} · Curio` : `${title} · Review ${id} · Curio`;
  }, [id, title]);
  if (review) {
    const comparison = comparisonOf(review);
    return comparison ? (
      <WithChanges key={JSON.stringify(comparison)} review={review} comparison={comparison} />
    ) : (
      <Whole review={review} compared={null} />
    );
  }
  const isGone = isAppError(error) && (error.code === 'NOT_FOUND' || error.code === 'GONE');
  return (
    <Page bar={<PageTitle>Review {id}</PageTitle>}>
      {error ? (
        <ErrorNote
          isWhole
          error={error}
          title={isGone ? `There is no review ${id}.` : 'The review cannot be shown.'}
          onRetry={isGone ? undefined : () => void refetch()}
          actions={
            <Button size="s" onClick={() => goTo(reviewsPath)}>
              All reviews
            </Button>
          }
        />
      ) : (
        <div className={styles.waiting} aria-hidden>
          <Skeleton width={320} height={26} />
          <Skeleton height={96} />
          <Skeleton height={160} />
        </div>
      )}
    </Page>
  );
}

/** While it is open the branches as they move, so that choices and marks stay; afterwards what it was about. */
function comparisonOf({ state, table, from, into, compare }: Review): Comparison | null {
  if (!compare) return null;
  return state === 'open' ? { table, from, into } : { table, ...compare };
}

function WithChanges({ review, comparison }: { review: Review; comparison: Comparison }) {
  const [tab] = useTab();
  const { table, from, into, base } = comparison;
  const stable = useMemo(
    () => ({ table, from, into, ...(base === undefined ? {} : { base }) }),
    [table, from, into, base],
  );
  const compared = useCompared(stable, {
    slots: reviewSlots,
    isOutOfSight: tab !== 'changes',
    isOver: review.state !== 'open',
  });
  return <Whole review={review} compared={compared} />;
}

/** Finds the change of a row that somebody commented on, also of one that stands far down the list. */
function useChangeOf({ threads }: Review, compared: Compared | null): (key: RowKey) => Change | undefined {
  const state = compared?.state;
  const loaded = useMemo(
    () => new Map(state?.loaded.map((change) => [keyToken(change.key), change])),
    [state?.loaded],
  );
  const isAll = state === undefined || state.isComplete || state.summary === null;
  const missing = useMemo(() => {
    const keys = isAll ? [] : threads.flatMap(({ rowKey }) => (rowKey === null ? [] : [rowKey]));
    return [...new Map(keys.map((key) => [keyToken(key), key])).entries()]
      .filter(([token]) => !loaded.has(token))
      .map(([, key]) => key);
  }, [isAll, threads, loaded]);
  const further = useChangesOf(compared?.comparison ?? null, missing);
  return (key) => {
    const token = keyToken(key);
    return loaded.get(token) ?? further.find((change) => keyToken(change.key) === token);
  };
}

function Whole({ review, compared }: { review: Review; compared: Compared | null }) {
  const client = useQueryClient();
  const me = useSession().data?.principal.name ?? '';
  const [, setTab] = useTab();
  const keyColumns = useTableSummary(review.table)?.key ?? [];
  const [composing, compose] = useState<Anchor | null>(null);
  const byRow = useMemo(() => threadsByRow(review.threads), [review.threads]);
  const changeOf = useChangeOf(review, compared);
  const checks = useChecks(review, compared);
  const showRow = (key: RowKey) => {
    const change = changeOf(key);
    if (compared && change) {
      const isLoaded = compared.state.loaded.some(({ id }) => id === change.id);
      compared.setFilter(isLoaded ? noFilter : { ...noFilter, key: change.key });
      setTab('changes');
      compared.walk.goToId(change.id);
      return;
    }
    const where = whereOfKey(key, keyColumns);
    const ref = compared?.comparison.from ?? review.into;
    goTo(tablePath(review.table, { ref, ...(where === null ? {} : { where: [where] }) }));
  };
  const scene: ReviewScene = {
    client,
    review,
    me,
    compared,
    changeOf,
    checks,
    byRow,
    composing,
    compose,
    showRow,
  };
  return (
    <ReviewProvider value={scene}>
      <ReviewScreen />
    </ReviewProvider>
  );
}
