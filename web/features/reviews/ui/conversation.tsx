import {
  CheckCheck,
  CircleCheck,
  CircleX,
  FileDiff,
  GitCommitHorizontal,
  GitMerge,
  ListChecks,
  type LucideIcon,
  PencilLine,
  RotateCcw,
  Trash2,
  Undo2,
  UserPlus,
} from 'lucide-react';
import { useMemo } from 'react';
import type { ReviewEvent } from '#shared/api/review-parts.ts';
import { formatAgo, formatMoment } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import { Markdown } from '../../../ui/markdown.tsx';
import { addComment } from '../actions.ts';
import { bodyOfEvent, buildTimeline, describeEvents } from '../model/timeline.ts';
import { useReviewScene } from '../review-scene.ts';
import { CommentForm } from './comment-form.tsx';
import styles from './review.module.css';
import { ThreadCard } from './thread-card.tsx';

const glyphs: Partial<Record<ReviewEvent['kind'], LucideIcon>> = {
  edited: PencilLine,
  reviewers: UserPlus,
  approved: CircleCheck,
  'changes-requested': FileDiff,
  withdrew: Undo2,
  changed: GitCommitHorizontal,
  'checks-run': ListChecks,
  merged: GitMerge,
  closed: CircleX,
  reopened: RotateCcw,
  'branch-deleted': Trash2,
};

/** What was said and what happened, in order, and the place to say something. */
export function Conversation() {
  const { client, review, me } = useReviewScene();
  const items = useMemo(
    () => buildTimeline(review.threads, review.timeline),
    [review.threads, review.timeline],
  );
  return (
    <section aria-label="Conversation" className={styles.conversation}>
      {items.length > 0 && (
        <ol className={styles.timeline}>
          {items.map((item) => (
            <li key={item.id}>
              {item.kind === 'thread' ? (
                <ThreadCard thread={item.thread} />
              ) : (
                <EventLine events={item.events} />
              )}
            </li>
          ))}
        </ol>
      )}
      {review.may.comment && (
        <div data-composer="review">
          <CommentForm
            reviewId={review.id}
            place={{ kind: 'comment' }}
            label="Comment on the review"
            placeholder="Say something about the review…"
            submitLabel="Comment"
            onSubmit={(body) => addComment({ client, id: review.id }, { body }, me)}
          />
        </div>
      )}
    </section>
  );
}

function EventLine({ events }: { events: readonly [ReviewEvent, ...ReviewEvent[]] }) {
  const { review } = useReviewScene();
  const last = events.at(-1) ?? events[0];
  const body = bodyOfEvent(last, review);
  const Icon = glyphs[last.kind] ?? CheckCheck;
  return (
    <div className={styles.event}>
      <span className={cx(styles.eventGlyph, styles[`event-${last.kind}`])}>
        <Icon aria-hidden />
      </span>
      <div className={styles.eventText}>
        <p>
          <strong>{last.author || 'Somebody'}</strong> {describeEvents(events, review)}{' '}
          <time dateTime={last.at} title={formatMoment(last.at)} className={styles.when}>
            {formatAgo(last.at)}
          </time>
        </p>
        {last.kind === 'changed' ? (
          <Steps events={events} />
        ) : (
          body && <Markdown text={body} className={styles.eventBody} />
        )}
      </div>
    </div>
  );
}

/** The messages of the steps of a branch. */
function Steps({ events }: { events: readonly ReviewEvent[] }) {
  const said = events.filter(({ body }) => body);
  if (said.length === 0) return null;
  return (
    <ul className={styles.steps}>
      {said.map(({ id, body, version }) => (
        <li key={id}>
          {version !== undefined && <code>{version}</code>} {body}
        </li>
      ))}
    </ul>
  );
}
