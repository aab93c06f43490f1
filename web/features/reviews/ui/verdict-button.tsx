import { CircleCheck, FileDiff } from 'lucide-react';
import { useState } from 'react';
import { isAppError } from '#shared/api/problem.ts';
import { Button, ErrorNote, Popover } from '../../../ui/index.ts';
import { giveVerdict } from '../actions.ts';
import { refreshReview } from '../queries.ts';
import { useReviewScene } from '../review-scene.ts';
import { useDraft } from '../use-draft.ts';
import styles from './merge-box.module.css';

export interface VerdictButtonProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Approve the branch as it stands, or ask for changes, with a word about it. */
export function VerdictButton({ isOpen, onOpenChange }: VerdictButtonProps) {
  const { client, review, compared } = useReviewScene();
  const [text, setText, discard] = useDraft(review.id, { kind: 'verdict' });
  const [busy, setBusy] = useState<'approved' | 'changes-requested' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const give = async (verdict: 'approved' | 'changes-requested') => {
    setBusy(verdict);
    setError(null);
    try {
      const fromVersion = compared?.state.summary?.from.version ?? review.refs.from?.version ?? null;
      await giveVerdict({ client, id: review.id }, { verdict, body: text.trim(), fromVersion });
      discard();
      onOpenChange(false);
    } catch (failure) {
      setError(failure);
      if (isAppError(failure) && failure.code === 'HEAD_MOVED') {
        compared?.onMoved();
        void refreshReview(client, review.id);
      }
    } finally {
      setBusy(null);
    }
  };
  return (
    <Popover
      label="Your verdict"
      side="top"
      align="end"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={
        <Button icon={<CircleCheck />} keys="a" tip="Approve, or ask for changes">
          Approve…
        </Button>
      }
    >
      <div className={styles.options}>
        <textarea
          aria-label="What you say with it"
          placeholder="A word about it (needed to ask for changes)"
          className={styles.verdictText}
          rows={4}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
              event.preventDefault();
              void give('approved');
            }
          }}
        />
        <div className={styles.buttons}>
          <Button
            icon={<FileDiff />}
            isBusy={busy === 'changes-requested'}
            whyNot={text.trim() === '' ? 'Say which changes.' : null}
            onClick={() => void give('changes-requested')}
          >
            Request changes
          </Button>
          <Button
            look="primary"
            icon={<CircleCheck />}
            keys="Mod+Enter"
            isBusy={busy === 'approved'}
            onClick={() => void give('approved')}
          >
            Approve
          </Button>
        </div>
        <ErrorNote error={error} title="It was not noted; what you typed is kept." />
      </div>
    </Popover>
  );
}
