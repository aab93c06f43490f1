import { useState } from 'react';
import { Link } from 'wouter';
import { comparePath, goTo, reviewsPath, tablePath } from '../../../state/addresses.ts';
import { useCommands } from '../../../state/commands.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { announce, Button, Note, Page, PageTitle, Segmented, Spacer, TruthLine } from '../../../ui/index.ts';
import { ChangesBody, countChanges } from '../../compare/index.ts';
import { countUnresolved } from '../model/threads.ts';
import { refreshReview } from '../queries.ts';
import { useReviewScene } from '../review-scene.ts';
import { useTab } from '../use-tab.ts';
import { Conversation } from './conversation.tsx';
import { MergeBox } from './merge-box.tsx';
import styles from './review.module.css';
import { ReviewHead } from './review-head.tsx';
import { SidePanel } from './side-panel.tsx';
import { StateMark } from './state-mark.tsx';
import { walkThreads } from './walk-threads.ts';

/** The review as a screen: conversation or changes, and below both the merge. */
export function ReviewScreen() {
  const { client, review, compared, compose } = useReviewScene();
  const [tab, setTab] = useTab();
  const [isEditing, setEditing] = useState(false);
  const isChanges = tab === 'changes' && compared !== null;
  const summary = compared?.state.summary ?? review.changes;
  const changeCount = summary ? countChanges(summary) : null;
  const open = countUnresolved(review.threads);
  const current = compared?.changes[compared.walk.at];
  const group = 'Review';
  const other = isChanges ? 'conversation' : 'changes';
  const comment = () => {
    if (isChanges && current) return compose({ rowKey: current.key, column: null });
    setTab('conversation');
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-composer="review"] textarea')?.focus(),
    );
  };
  const whyNoThreads = isChanges
    ? 'The conversation is not in sight'
    : review.threads.length === 0
      ? 'There is no thread'
      : null;
  useCommands([
    {
      id: 'review.tab',
      title: isChanges ? 'Show the conversation' : 'Show the changes',
      group,
      keys: ['t'],
      whyNot: () => (compared ? null : 'The changes cannot be shown'),
      run: () => {
        setTab(other);
        announce(other === 'changes' ? 'The changes' : 'The conversation');
      },
    },
    {
      id: 'review.comment',
      title: isChanges && current ? 'Comment on the row' : 'Comment',
      group,
      keys: ['c'],
      whyNot: () => (review.may.comment ? null : 'You may not comment here'),
      run: comment,
    },
    {
      id: 'review.edit',
      title: 'Edit title and description',
      group,
      keys: ['e'],
      whyNot: () => (review.may.edit ? null : 'You may not change what it says'),
      run: () => {
        setTab('conversation');
        setEditing(true);
      },
    },
    {
      id: 'review.nextThread',
      title: 'Next thread',
      group,
      keys: ['j'],
      whyNot: () => whyNoThreads,
      run: () => walkThreads(1),
    },
    {
      id: 'review.previousThread',
      title: 'Previous thread',
      group,
      keys: ['k'],
      whyNot: () => whyNoThreads,
      run: () => walkThreads(-1),
    },
    {
      id: 'review.compare',
      title: 'Open the comparison by itself',
      group,
      whyNot: () => (compared ? null : 'The changes cannot be shown'),
      run: () =>
        compared && goTo(comparePath(review.table, compared.comparison.from, compared.comparison.into)),
    },
  ]);
  const seenVersion = compared?.state.summary?.from.version;
  const hasNewer =
    review.state === 'open' &&
    seenVersion !== undefined &&
    review.refs.from !== null &&
    review.refs.from.version > seenVersion;
  const settledCells = review.merged ? (review.changes?.conflicts.cells ?? 0) : 0;
  const landedRef = `${review.into}:${review.merged?.version}`;
  const beforeRef = `${review.into}:${review.refs.into?.version}`;
  const showNewer = () => {
    compared?.onMoved();
    void refreshReview(client, review.id);
  };
  return (
    <Page
      bar={
        <>
          <Link href={reviewsPath} className={styles.crumb}>
            Reviews
          </Link>
          <span className={styles.slash} aria-hidden>
            /
          </span>
          <Link href={tablePath(review.table)} className={styles.crumb}>
            {review.table}
          </Link>
          <span className={styles.slash} aria-hidden>
            /
          </span>
          <PageTitle>Review {review.id}</PageTitle>
          {isChanges && (
            <>
              <StateMark state={review.state} />
              <span className={styles.barTitle}>{review.title}</span>
            </>
          )}
          <Spacer />
          <Segmented
            label="Part of the review"
            value={isChanges ? 'changes' : 'conversation'}
            onChange={setTab}
            options={[
              {
                value: 'conversation',
                label: open > 0 ? `Conversation ${formatCount(open)}` : 'Conversation',
                keys: 't',
              },
              ...(compared
                ? [
                    {
                      value: 'changes' as const,
                      label: changeCount === null ? 'Changes' : `Changes ${formatCount(changeCount)}`,
                      keys: 't',
                    },
                  ]
                : []),
            ]}
          />
        </>
      }
      truth={
        <TruthLine
          parts={
            isChanges
              ? compared.truth
              : [
                  `${formatOf(review.threads.length, 'thread')}, ${formatCount(open)} open`,
                  summary && formatOf(changeCount ?? 0, 'change'),
                  summary &&
                    `${summary.from.branch}:${summary.from.version} into ${summary.into.branch}:${summary.into.version}`,
                ]
          }
        />
      }
    >
      {(hasNewer || settledCells > 0 || review.notices.length > 0) && (
        <div className={styles.notices}>
          {hasNewer && (
            <Note
              tone="warn"
              action={
                <Button size="s" onClick={showNewer}>
                  Show what is new
                </Button>
              }
            >
              {review.from} has moved to version {review.refs.from?.version} since these changes were read.
            </Note>
          )}
          {settledCells > 0 && review.merged && (
            <Note
              action={
                <Button size="s" onClick={() => goTo(comparePath(review.table, landedRef, beforeRef))}>
                  See what landed
                </Button>
              }
            >
              These are the changes of {review.from}. {formatOf(settledCells, 'conflict')} with {review.into}{' '}
              {settledCells === 1 ? 'was' : 'were'} settled in the merge.
            </Note>
          )}
          {review.notices.map((notice) => (
            <Note key={notice} tone="warn">
              {notice}
            </Note>
          ))}
        </div>
      )}
      {isChanges ? (
        <ChangesBody compared={compared} />
      ) : (
        <div className={styles.scroller}>
          <div className={styles.columns}>
            <div className={styles.story}>
              <ReviewHead isEditing={isEditing} onEditing={setEditing} />
              <Conversation />
            </div>
            <SidePanel />
          </div>
        </div>
      )}
      <MergeBox />
    </Page>
  );
}
