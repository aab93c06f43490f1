import { MessageSquare, MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import type { Comment } from '#shared/api/review-parts.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { cx, Select, Tooltip } from '../../../ui/index.ts';
import type { Change, ChangeSlots } from '../../compare/index.ts';
import { addComment } from '../actions.ts';
import { keyToken } from '../model/anchor.ts';
import { useReviewScene } from '../review-scene.ts';
import { CommentForm } from './comment-form.tsx';
import styles from './thread.module.css';
import { ThreadCard } from './thread-card.tsx';

/** What a review adds to the card of a change: its threads, and the ways to begin one. */
export const reviewSlots: ChangeSlots = {
  head: (change) => <RowButton change={change} />,
  cell: (change, column) => <CellButton change={change} column={column} />,
  foot: (change) => <RowThreads change={change} />,
};

const none: readonly Comment[] = [];

function useRowThreads({ key }: Change): readonly Comment[] {
  return useReviewScene().byRow.get(keyToken(key)) ?? none;
}

function RowButton({ change }: { change: Change }) {
  const { compose, review } = useReviewScene();
  const threads = useRowThreads(change);
  const open = threads.filter(({ resolved }) => !resolved).length;
  if (!review.may.comment && threads.length === 0) return null;
  const label =
    threads.length === 0
      ? `Comment on row ${change.keyText}`
      : `${formatOf(threads.length, 'thread')} on row ${change.keyText}, ${open} open`;
  return (
    <Tooltip text={threads.length === 0 ? 'Comment on this row' : label} keys="c">
      <button
        type="button"
        aria-label={label}
        className={styles.count}
        onClick={() => review.may.comment && compose({ rowKey: change.key, column: null })}
      >
        {threads.length === 0 ? <MessageSquarePlus aria-hidden /> : <MessageSquare aria-hidden />}
        {threads.length > 0 && threads.length}
      </button>
    </Tooltip>
  );
}

function CellButton({ change, column }: { change: Change; column: string }) {
  const { compose, review } = useReviewScene();
  const count = useRowThreads(change).filter((thread) => thread.column === column).length;
  if (!review.may.comment) return null;
  return (
    <Tooltip text={`Comment on ${column}`}>
      <button
        type="button"
        aria-label={`Comment on ${column} of ${change.keyText}${count > 0 ? `, ${formatOf(count, 'thread')}` : ''}`}
        className={cx(styles.count, styles.cellButton, count > 0 && styles.hasThreads)}
        onClick={() => compose({ rowKey: change.key, column })}
      >
        {count > 0 ? <MessageSquare aria-hidden /> : <MessageSquarePlus aria-hidden />}
        {count > 0 && count}
      </button>
    </Tooltip>
  );
}

function RowThreads({ change }: { change: Change }) {
  const { composing } = useReviewScene();
  const threads = useRowThreads(change);
  const isComposing = composing !== null && keyToken(composing.rowKey) === keyToken(change.key);
  if (threads.length === 0 && !isComposing) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click in the conversation is none on the card
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div className={styles.rowThreads} onClick={(event) => event.stopPropagation()}>
      {threads.map((thread) => (
        <ThreadCard key={thread.id} thread={thread} isAtRow />
      ))}
      {isComposing && <NewThread key={composing.column ?? ''} change={change} column={composing.column} />}
    </div>
  );
}

const wholeRow = '\u0000row';

/** A new comment on a row, or on one of its cells. */
function NewThread({ change, column: first }: { change: Change; column: string | null }) {
  const { client, review, me, compose, compared } = useReviewScene();
  const [column, setColumn] = useState(first);
  const names = compared?.state.columns.map(({ name }) => name) ?? [];
  const ordered = [...change.columns, ...names.filter((name) => !change.columns.includes(name))];
  return (
    <div className={styles.newThread}>
      <div className={styles.aboutChoice}>
        About
        <Select
          label="What the comment is about"
          value={column ?? wholeRow}
          onChange={(next) => setColumn(next === wholeRow ? null : next)}
          options={[
            { value: wholeRow, label: 'the row as a whole' },
            ...ordered.map((name) => ({ value: name, label: name })),
          ]}
        />
      </div>
      <CommentForm
        takesFocus
        reviewId={review.id}
        place={{ kind: 'row', rowKey: change.key, column: null }}
        label={`Comment on ${column === null ? 'row' : `${column} of`} ${change.keyText}`}
        submitLabel="Comment"
        onSubmit={async (body) => {
          await addComment(
            { client, id: review.id },
            { body, rowKey: change.key, ...(column === null ? {} : { column }) },
            me,
          );
          compose(null);
        }}
        onCancel={() => compose(null)}
      />
    </div>
  );
}
