import { CheckCheck, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { Comment } from '#shared/api/review-parts.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Button, cx, showError } from '../../../ui/index.ts';
import { addComment, resolveThread } from '../actions.ts';
import { describeAnchor } from '../model/anchor.ts';
import { isPending } from '../model/threads.ts';
import { useReviewScene } from '../review-scene.ts';
import { CommentForm } from './comment-form.tsx';
import { Said } from './said.tsx';
import styles from './thread.module.css';
import { ThreadAbout } from './thread-about.tsx';

export interface ThreadCardProps {
  thread: Comment;
  /** Its row stands right above it. */
  isAtRow?: boolean;
}

/** A comment with its replies; one that was resolved folds to a line. */
export function ThreadCard({ thread, isAtRow }: ThreadCardProps) {
  const { client, review, me } = useReviewScene();
  const action = { client, id: review.id };
  const { resolved } = thread;
  const [isOpen, setOpen] = useState(false);
  const isFolded = resolved !== null && !isOpen;
  const label = nameOf(thread);
  const resolve = (isResolved: boolean) => {
    setOpen(false);
    resolveThread(action, { comment: thread.id, isResolved, by: me }).catch(showError);
  };
  if (isFolded) {
    return (
      <article
        aria-label={label}
        tabIndex={-1}
        data-thread={thread.id}
        className={cx(styles.thread, styles.folded)}
      >
        {!isAtRow && <ThreadAbout thread={thread} />}
        <div className={styles.resolvedLine}>
          <CheckCheck aria-hidden />
          <span className={styles.gist}>
            <strong>{thread.author}</strong> {gistOf(thread)}
          </span>
          <span className={styles.when}>resolved by {resolved.by}</span>
          <Button size="s" look="quiet" onClick={() => setOpen(true)}>
            Show
          </Button>
        </div>
      </article>
    );
  }
  return (
    <article
      aria-label={label}
      tabIndex={-1}
      data-thread={thread.id}
      className={cx(styles.thread, isPending(thread) && styles.pending)}
    >
      {!isAtRow && <ThreadAbout thread={thread} />}
      {isAtRow && thread.column !== null && <p className={styles.onCell}>on {thread.column}</p>}
      <Said said={thread} isThread />
      {thread.replies.map((reply) => (
        <Said key={reply.id} said={reply} />
      ))}
      {review.may.comment && !isPending(thread) && (
        <div className={styles.replyLine}>
          <div className={styles.replyField}>
            <CommentForm
              isOneLine
              reviewId={review.id}
              place={{ kind: 'reply', to: thread.id }}
              label={`Reply to ${thread.author}`}
              placeholder="Reply…"
              submitLabel="Reply"
              onSubmit={(body) => addComment(action, { body, replyTo: thread.id }, me)}
            />
          </div>
          {resolved ? (
            <Button size="s" icon={<RotateCcw />} onClick={() => resolve(false)}>
              Open again
            </Button>
          ) : (
            <Button size="s" icon={<CheckCheck />} onClick={() => resolve(true)}>
              Resolve
            </Button>
          )}
        </div>
      )}
    </article>
  );
}

/** How a thread is called by those who do not see it. */
function nameOf({ author, rowKey, column, replies, resolved }: Comment): string {
  return [
    `Thread of ${author}`,
    rowKey !== null && `on ${describeAnchor({ rowKey, column })}`,
    replies.length > 0 && formatOf(replies.length, 'reply', 'replies'),
    resolved && 'resolved',
  ]
    .filter(Boolean)
    .join(', ');
}

const gistOf = ({ body, isDeleted }: Comment): string =>
  isDeleted ? 'deleted what they said' : body.replace(/\s+/g, ' ').slice(0, 200);
