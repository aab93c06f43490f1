import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { Comment, Reply } from '#shared/api/review-parts.ts';
import { formatAgo, formatMoment } from '../../../ui/format-quantity.ts';
import { Button, cx, ErrorNote, IconButton, Menu, showToast } from '../../../ui/index.ts';
import { Markdown } from '../../../ui/markdown.tsx';
import { deleteComment, rewordComment } from '../actions.ts';
import { isPending } from '../model/threads.ts';
import { useReviewScene } from '../review-scene.ts';
import { CommentForm } from './comment-form.tsx';
import { Face } from './face.tsx';
import styles from './thread.module.css';

/** One comment or reply: who, when, what, and what its author can do with it. */
export function Said({ said, isThread = false }: { said: Comment | Reply; isThread?: boolean }) {
  const { client, review, me } = useReviewScene();
  const action = { client, id: review.id };
  const [mode, setMode] = useState<'read' | 'edit' | 'ask'>('read');
  const [error, setError] = useState<unknown>(null);
  const isOwn = said.author === me && review.may.comment && !isPending(said) && !said.isDeleted;
  const remove = async () => {
    setError(null);
    try {
      setMode('read');
      await deleteComment(action, said.id);
    } catch (failure) {
      setError(failure);
    }
  };
  const quote = () => {
    void navigator.clipboard.writeText(said.body.replace(/^/gm, '> '));
    showToast('Copied as a quotation');
  };
  return (
    <div className={cx(styles.said, isPending(said) && styles.pending)}>
      <Face name={said.author} />
      <div className={styles.saidText}>
        <div className={styles.saidHead}>
          <strong>{said.author}</strong>
          <time className={styles.when} dateTime={said.at} title={formatMoment(said.at)}>
            {isPending(said) ? 'sending…' : formatAgo(said.at)}
          </time>
          {said.editedAt && (
            <span className={styles.when} title={formatMoment(said.editedAt)}>
              edited
            </span>
          )}
          <span className={styles.space} />
          {!isPending(said) && !said.isDeleted && (
            <Menu
              label={`Comment of ${said.author}`}
              trigger={
                <IconButton
                  label={`More on the comment of ${said.author}`}
                  size="s"
                  icon={<Ellipsis />}
                  className={styles.more}
                />
              }
              items={[
                { id: 'quote', label: 'Copy as a quotation', onSelect: quote },
                ...(isOwn
                  ? [
                      { id: 'edit', label: 'Edit', onSelect: () => setMode('edit') },
                      { id: 'delete', label: 'Delete…', onSelect: () => setMode('ask') },
                    ]
                  : []),
              ]}
            />
          )}
        </div>
        {mode === 'edit' ? (
          <CommentForm
            takesFocus
            reviewId={review.id}
            place={{ kind: 'edit', of: said.id }}
            initial={said.body}
            label="Edit the comment"
            submitLabel="Save"
            onSubmit={async (body) => {
              await rewordComment(action, said.id, body);
              setMode('read');
            }}
            onCancel={() => setMode('read')}
          />
        ) : said.isDeleted ? (
          <p className={styles.deleted}>deleted</p>
        ) : (
          <Markdown text={said.body} className={styles.body} />
        )}
        {mode === 'ask' && (
          <div className={styles.ask} role="alertdialog" aria-label="Delete the comment">
            <p>
              {isThread && 'replies' in said && said.replies.length > 0
                ? 'What you said will be gone; the replies stay.'
                : 'What you said will be gone.'}
            </p>
            <Button size="s" onClick={() => setMode('read')} autoFocus>
              Keep it
            </Button>
            <Button size="s" look="danger" onClick={() => void remove()}>
              Delete
            </Button>
          </div>
        )}
        <ErrorNote error={error} title="The comment is still there." />
      </div>
    </div>
  );
}
