import { CircleCheck, CircleDashed, FileDiff } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button, cx, ErrorNote, showError, TextField } from '../../../ui/index.ts';
import { patchReview, withdrawVerdict } from '../actions.ts';
import { describeVerdict, formatNames, listPeople, parseNames, type ReviewPerson } from '../model/people.ts';
import { useReviewScene } from '../review-scene.ts';
import { Face } from './face.tsx';
import styles from './side.module.css';

/** Who was asked to review, and what each said last. */
export function PeoplePanel() {
  const { review } = useReviewScene();
  const [isEditing, setEditing] = useState(false);
  const people = listPeople(review);
  return (
    <section aria-label="Reviewers" className={styles.panel}>
      <div className={styles.headLine}>
        <h3 className={styles.heading}>Reviewers</h3>
        {review.may.edit && !isEditing && (
          <Button size="s" look="quiet" onClick={() => setEditing(true)}>
            Ask…
          </Button>
        )}
      </div>
      {people.length === 0 && !isEditing && (
        <p className={styles.quiet}>Nobody was asked, nobody has judged.</p>
      )}
      <ul className={styles.people}>
        {people.map((person) => (
          <PersonItem key={person.name} person={person} />
        ))}
      </ul>
      {isEditing && <AskForm onDone={() => setEditing(false)} />}
    </section>
  );
}

function PersonItem({ person }: { person: ReviewPerson }) {
  const { client, review, me } = useReviewScene();
  const { name, verdict } = person;
  const Icon = verdict === null ? CircleDashed : verdict.verdict === 'approved' ? CircleCheck : FileDiff;
  const tone = verdict === null ? 'waiting' : verdict.verdict === 'approved' ? 'passed' : 'warned';
  return (
    <li className={styles.person}>
      <Face name={name} />
      <div className={styles.personText}>
        <span className={styles.personName}>{name}</span>
        <span className={styles.quiet}>{describeVerdict(verdict)}</span>
        {verdict && name === me && review.state === 'open' && (
          <button
            type="button"
            className={styles.textButton}
            onClick={() => void withdrawVerdict({ client, id: review.id }).catch(showError)}
          >
            take back
          </button>
        )}
      </div>
      <Icon aria-hidden className={cx(styles.mark, styles[tone], verdict?.isStale && styles.stale)} />
    </li>
  );
}

function AskForm({ onDone }: { onDone: () => void }) {
  const { client, review } = useReviewScene();
  const [text, setText] = useState(formatNames(review.reviewers));
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setError(null);
    try {
      await patchReview({ client, id: review.id }, { reviewers: parseNames(text) });
      onDone();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <form className={styles.ask} onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onDone()}>
      <TextField
        label="Names, with commas between them"
        value={text}
        onChange={setText}
        placeholder="ann, ben"
        autoFocus
      />
      <div className={styles.runLine}>
        <Button size="s" look="primary" type="submit">
          Ask them
        </Button>
        <Button size="s" onClick={onDone}>
          Cancel
        </Button>
      </div>
      <ErrorNote error={error} title="Nobody was asked." />
    </form>
  );
}
