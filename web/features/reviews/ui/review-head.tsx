import { ArrowRight, GitBranch, PencilLine } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { tablePath } from '../../../state/addresses.ts';
import { formatAgo, formatMoment } from '../../../ui/format-quantity.ts';
import { Button, ErrorNote, IconButton, TextArea, TextField } from '../../../ui/index.ts';
import { Markdown } from '../../../ui/markdown.tsx';
import { patchReview } from '../actions.ts';
import { useReviewScene } from '../review-scene.ts';
import { ChangeStrip } from './change-strip.tsx';
import styles from './review.module.css';
import { StateMark } from './state-mark.tsx';

export interface ReviewHeadProps {
  isEditing: boolean;
  onEditing: (isEditing: boolean) => void;
}

/** What the review is about and why, editable in place. */
export function ReviewHead({ isEditing, onEditing }: ReviewHeadProps) {
  const { review } = useReviewScene();
  const { title, description, author, createdAt, from, into, table, state, refs } = review;
  return (
    <header className={styles.head}>
      {isEditing ? (
        <EditWords onDone={() => onEditing(false)} />
      ) : (
        <>
          <div className={styles.titleLine}>
            <h2 className={styles.title}>{title}</h2>
            {review.may.edit && (
              <IconButton
                label="Edit title and description"
                keys="e"
                size="s"
                icon={<PencilLine />}
                onClick={() => onEditing(true)}
              />
            )}
          </div>
          <p className={styles.facts}>
            <StateMark state={state} />
            <Link
              href={tablePath(table, { ref: state === 'open' ? from : refText(refs.from, from) })}
              className={styles.ref}
            >
              <GitBranch aria-hidden />
              {from}
            </Link>
            <ArrowRight className={styles.arrow} aria-label="into" />
            <Link href={tablePath(table, { ref: into })} className={styles.ref}>
              <GitBranch aria-hidden />
              {into}
            </Link>
            <span>
              opened by <strong>{author}</strong>{' '}
              <time dateTime={createdAt} title={formatMoment(createdAt)}>
                {formatAgo(createdAt)}
              </time>
            </span>
          </p>
          {description.trim() === '' ? (
            review.may.edit && (
              <button type="button" className={styles.noDescription} onClick={() => onEditing(true)}>
                Say what changes and why…
              </button>
            )
          ) : (
            <Markdown text={description} className={styles.description} />
          )}
        </>
      )}
      <ChangeStrip />
    </header>
  );
}

const refText = (ref: { branch: string; version: number } | null, branch: string): string =>
  ref ? `${ref.branch}:${ref.version}` : branch;

function EditWords({ onDone }: { onDone: () => void }) {
  const { client, review } = useReviewScene();
  const [title, setTitle] = useState(review.title);
  const [description, setDescription] = useState(review.description);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (title.trim() === '') return;
    setError(null);
    try {
      await patchReview({ client, id: review.id }, { title: title.trim(), description });
      onDone();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <form
      className={styles.editWords}
      aria-label="Title and description"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone();
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit(event);
      }}
    >
      <TextField
        label="Title"
        value={title}
        onChange={setTitle}
        maxLength={200}
        autoFocus
        error={title.trim() === '' ? 'A review has a title.' : null}
      />
      <TextArea
        label="Description"
        hint="Markdown, @name, #number of a review"
        value={description}
        onChange={setDescription}
        rows={6}
      />
      <div className={styles.buttons}>
        <Button onClick={onDone} keys="Escape">
          Cancel
        </Button>
        <Button
          look="primary"
          type="submit"
          keys="Mod+Enter"
          whyNot={title.trim() === '' ? 'A review has a title.' : null}
        >
          Save
        </Button>
      </div>
      <ErrorNote error={error} title="Nothing was changed." />
    </form>
  );
}
