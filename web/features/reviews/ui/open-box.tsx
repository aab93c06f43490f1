import { CircleAlert, CircleCheck, Ellipsis, GitMerge } from 'lucide-react';
import { useState } from 'react';
import { isAppError } from '#shared/api/problem.ts';
import type { Blocker } from '#shared/api/review-parts.ts';
import { useCommands } from '../../../state/commands.ts';
import { showReviewDialog } from '../../../state/review-dialog.ts';
import { Button, ErrorNote, IconButton, Menu, showError, showToast } from '../../../ui/index.ts';
import { describeSummary } from '../../compare/index.ts';
import { closeReview, mergeReview } from '../actions.ts';
import { actionOf, type BlockerAction, openBlockers } from '../model/blocker-words.ts';
import { refreshReview } from '../queries.ts';
import { useReviewScene } from '../review-scene.ts';
import { choicesBlocker, conflictsOf, settledOf } from '../settled.ts';
import type { ChecksState } from '../use-checks.ts';
import { useTab } from '../use-tab.ts';
import { CheckProgress } from './check-progress.tsx';
import styles from './merge-box.module.css';
import { type MergeOptions, MergeOptionsButton } from './merge-options.tsx';
import { VerdictButton } from './verdict-button.tsx';
import { walkThreads } from './walk-threads.ts';

/** An open review: what blocks it and what one can do about that; approve, ask for changes, merge, close. */
export function OpenBox() {
  const { client, review, compared, checks } = useReviewScene();
  const action = { client, id: review.id };
  const [tab, setTab] = useTab();
  const [options, setOptions] = useState<MergeOptions>({
    message: '',
    squash: review.rules.squash === 'always',
    deleteBranch: review.rules.deleteBranchAfterMerge && review.may.deleteBranch,
  });
  const [isVerdictOpen, setVerdictOpen] = useState(false);
  const [isMergeOpen, setMergeOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const conflicts = conflictsOf(compared);
  const known = openBlockers(review.blockers, {
    openConflicts: conflicts.open,
    hasConflicts: conflicts.has,
  });
  const blockers = known.some(({ code }) => code === 'checks-not-run')
    ? known
    : [...known, ...choicesBlocker(review, compared)];
  const summary = compared?.state.summary ?? review.changes;
  const whyNot = !review.may.merge
    ? 'You may not merge it.'
    : (blockers[0]?.message ??
      (summary
        ? null
        : compared?.state.error
          ? 'The changes cannot be read.'
          : 'The changes are still on their way.'));
  const merge = async () => {
    if (whyNot !== null || isBusy) return;
    setBusy(true);
    setError(null);
    setMergeOpen(false);
    try {
      await mergeReview(action, {
        table: review.table,
        body: {
          ...(summary ? { expected: { from: summary.from.version, into: summary.into.version } } : {}),
          ...settledOf(compared),
          ...(options.message.trim() === '' ? {} : { message: options.message.trim() }),
          ...(review.rules.squash === 'choose' ? { squash: options.squash } : {}),
          deleteBranch: options.deleteBranch,
        },
      });
      compared?.choices.discardDraft();
    } catch (failure) {
      setError(failure);
      if (isAppError(failure) && failure.code === 'HEAD_MOVED') compared?.onMoved();
      void refreshReview(client, review.id);
      setBusy(false);
    }
  };
  const settle = () => {
    setTab('changes');
    compared?.walk.nextOpen();
  };
  const act = (blocker: Blocker) => {
    switch (actionOf(blocker)) {
      case 'settle':
        return settle();
      case 'run-checks':
        return void checks.run();
      case 'show-checks':
        setTab('conversation');
        requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-panel="checks"]')?.focus());
        return;
      case 'approve':
        return setVerdictOpen(true);
      case 'show-threads':
        setTab('conversation');
        requestAnimationFrame(() => walkThreads(1));
        return;
      case null:
        return;
    }
  };
  const close = async () => {
    setError(null);
    try {
      await closeReview(action, { body: '' });
    } catch (failure) {
      showError(failure);
    }
  };
  useCommands([
    {
      id: 'review.runChecks',
      title: 'Run the checks',
      group: 'Review',
      keys: ['r'],
      whyNot: () => checks.whyNot,
      run: checks.run,
    },
    {
      id: 'review.judge',
      title: 'Approve or ask for changes',
      group: 'Review',
      keys: ['a'],
      whyNot: () => (review.may.approve ? null : 'You may not judge it'),
      run: () => setVerdictOpen(true),
    },
    {
      id: 'review.merge',
      title: 'Merge…',
      group: 'Review',
      keys: ['m'],
      whyNot: () => whyNot,
      run: () => setMergeOpen(true),
    },
    {
      id: 'review.close',
      title: 'Close without a merge',
      group: 'Review',
      whyNot: () => (review.may.close ? null : 'You may not close it'),
      run: close,
    },
  ]);
  return (
    <section className={styles.box} aria-label="Merge">
      <ErrorNote error={error} title={`Nothing was merged; ${review.into} is as it was.`} />
      {tab === 'changes' && <ErrorNote error={checks.error} title="The checks did not start." />}
      {blockers.length > 0 && (
        <ul className={styles.blockers} aria-label="What it waits for">
          {blockers.map((blocker) => (
            <BlockerItem
              key={blocker.code}
              blocker={blocker}
              action={actionOf(blocker) === 'approve' && !review.may.approve ? null : actionOf(blocker)}
              onAct={() => act(blocker)}
              {...(blocker.code === 'checks-not-run' ? { checks } : {})}
            />
          ))}
        </ul>
      )}
      <div className={styles.line}>
        {blockers.length > 0 ? (
          <GitMerge className={styles.icon} aria-hidden />
        ) : (
          <CircleCheck className={styles.ready} aria-hidden />
        )}
        <p className={styles.plan}>{summary ? describeSummary(summary) : ''}</p>
        {review.may.approve && <VerdictButton isOpen={isVerdictOpen} onOpenChange={setVerdictOpen} />}
        <Menu
          label="More on this review"
          trigger={<IconButton label="More on this review" icon={<Ellipsis />} />}
          items={[
            {
              id: 'link',
              label: 'Copy the link',
              onSelect: () => {
                void navigator.clipboard.writeText(location.href);
                showToast('Copied the link');
              },
            },
            {
              id: 'rules',
              label: 'Rules of the table…',
              onSelect: () => showReviewDialog({ kind: 'rules', table: review.table }),
            },
            ...(review.may.close
              ? [{ id: 'close', label: 'Close without a merge', onSelect: () => void close() }]
              : []),
          ]}
        />
        <MergeOptionsButton
          isOpen={isMergeOpen}
          onOpenChange={setMergeOpen}
          options={options}
          onChange={setOptions}
          whyNot={whyNot}
          onMerge={() => void merge()}
        />
        <Button
          look="primary"
          keys="m"
          whyNot={whyNot}
          isBusy={isBusy}
          tip={`Land these changes on ${review.into}`}
          onClick={() => void merge()}
        >
          Merge
        </Button>
      </div>
    </section>
  );
}

const actionLabels = {
  settle: 'Settle them',
  'run-checks': 'Run the checks',
  'show-checks': 'Show them',
  approve: 'Approve…',
  'show-threads': 'Show them',
};

interface BlockerItemProps {
  blocker: Blocker;
  action: BlockerAction;
  onAct: () => void;
  /** The run that would lift it. */
  checks?: ChecksState;
}

function BlockerItem({ blocker, action, onAct, checks }: BlockerItemProps) {
  return (
    <li className={styles.blocker}>
      <CircleAlert aria-hidden />
      <span className={styles.blockerText}>
        {blocker.message} <span className={styles.hint}>{blocker.hint}</span>
      </span>
      {checks?.jobId && (
        <div className={styles.running}>
          <CheckProgress jobId={checks.jobId} />
        </div>
      )}
      {action && !checks?.jobId && (
        <Button size="s" isBusy={checks?.isStarting ?? false} whyNot={checks?.whyNot ?? null} onClick={onAct}>
          {actionLabels[action]}
        </Button>
      )}
    </li>
  );
}
