import { ArrowRight } from 'lucide-react';
import type { Comment, SeenValue } from '#shared/api/review-parts.ts';
import { Badge } from '../../../ui/index.ts';
import { describeAnchor, formatRowKey } from '../model/anchor.ts';
import { useReviewScene } from '../review-scene.ts';
import { RowThumb } from './row-thumb.tsx';
import styles from './thread.module.css';

/** Which row or cell a thread is about, its picture, and whether it still says what it said then. */
export function ThreadAbout({ thread }: { thread: Comment }) {
  const { compared, changeOf, showRow } = useReviewScene();
  const { rowKey, column, since } = thread;
  if (rowKey === null) return null;
  const change = changeOf(rowKey);
  return (
    <div className={styles.about}>
      <button
        type="button"
        className={styles.row}
        aria-label={`Show ${describeAnchor({ rowKey, column })}`}
        onClick={() => showRow(rowKey)}
      >
        {compared && change && (
          <RowThumb compared={compared} change={change} column={column} widthPx={56} heightPx={42} />
        )}
        <span className={styles.which}>
          <code>{formatRowKey(rowKey)}</code>
          {column !== null && <span className={styles.column}>{column}</span>}
        </span>
      </button>
      {since && <Since since={since} />}
    </div>
  );
}

function Since({ since }: { since: NonNullable<Comment['since']> }) {
  switch (since.state) {
    case 'same':
      return null;
    case 'row-removed':
      return <Badge tone="removed">the row is gone</Badge>;
    case 'column-removed':
      return <Badge tone="removed">the column is gone</Badge>;
    case 'unknown':
      return <Badge>cannot be compared any more</Badge>;
    case 'changed':
      return (
        <span className={styles.since}>
          <Badge tone="modified" hasSign>
            changed since
          </Badge>
          {since.before && since.now && (
            <span className={styles.values}>
              <del>{formatSeen(since.before)}</del>
              <ArrowRight aria-label="now" />
              <ins>{formatSeen(since.now)}</ins>
            </span>
          )}
        </span>
      );
  }
}

/** A kept value for reading. */
function formatSeen({ preview, isCut }: SeenValue): string {
  const text =
    preview === null ? 'null' : typeof preview === 'string' ? preview || 'empty' : JSON.stringify(preview);
  return isCut ? `${text}…` : text;
}
