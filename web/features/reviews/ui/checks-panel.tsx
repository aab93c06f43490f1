import { CircleAlert, CircleCheck, CircleDashed, CircleX, ListChecks, Play } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { tablePath } from '../../../state/addresses.ts';
import { useCommands } from '../../../state/commands.ts';
import { showReviewDialog } from '../../../state/review-dialog.ts';
import { formatAgo, formatElapsed, formatMoment } from '../../../ui/format-quantity.ts';
import { Button, cx, ErrorNote, Tooltip } from '../../../ui/index.ts';
import { type CheckRow, describeChecks, describeResult, listCheckRows } from '../model/check-rows.ts';
import { useReviewScene } from '../review-scene.ts';
import { CheckProgress } from './check-progress.tsx';
import { SampleRows } from './sample-rows.tsx';
import styles from './side.module.css';

/** The table's checks with what they found on the rows that the merge would give. */
export function ChecksPanel() {
  const { review, checks: run } = useReviewScene();
  const { checks, checkRun } = review;
  const rows = listCheckRows(checks, checkRun);
  const isOpen = review.state === 'open';
  useCommands([
    {
      id: 'review.checks',
      title: 'Checks of the table…',
      group: 'Review',
      run: () => edit(),
    },
  ]);
  const edit = (name?: string) =>
    showReviewDialog({
      kind: 'checks',
      table: review.table,
      branch: review.into,
      tryOn: isOpen ? review.from : review.into,
      ...(name === undefined ? {} : { name }),
    });
  return (
    <section aria-label="Checks" className={styles.panel} data-panel="checks" tabIndex={-1}>
      <div className={styles.headLine}>
        <h3 className={styles.heading}>Checks</h3>
        {rows.length > 0 && (
          <span className={styles.gist}>{checkRun?.isStale ? 'out of date' : describeChecks(rows)}</span>
        )}
        <Button size="s" look="quiet" onClick={() => edit()}>
          Edit…
        </Button>
      </div>
      {rows.length === 0 ? (
        <p className={styles.quiet}>
          None yet. A check is a condition that rows must satisfy before they are merged, such as “no empty
          label”.{' '}
          <button type="button" className={styles.textButton} onClick={() => edit()}>
            Add the first
          </button>
        </p>
      ) : (
        <ul className={styles.checks}>
          {rows.map((row) => (
            <CheckItem key={row.name} row={row} onEdit={() => edit(row.name)} />
          ))}
        </ul>
      )}
      {run.jobId && <CheckProgress jobId={run.jobId} />}
      {rows.length > 0 && isOpen && run.jobId === null && (
        <div className={styles.runLine}>
          <Button
            size="s"
            icon={<Play />}
            keys="r"
            isBusy={run.isStarting}
            whyNot={run.whyNot}
            onClick={() => void run.run()}
          >
            {checkRun ? 'Run again' : 'Run the checks'}
          </Button>
          {checkRun && (
            <span className={styles.quiet} title={formatMoment(checkRun.at)}>
              {checkRun.isStale ? 'The rows or the checks changed since ' : 'ran '}
              {formatAgo(checkRun.at)}
            </span>
          )}
        </div>
      )}
      <ErrorNote error={run.error} title="The checks did not start." />
    </section>
  );
}

const marks = {
  passed: { icon: CircleCheck, style: 'passed', text: 'passes' },
  failed: { icon: CircleX, style: 'failed', text: 'fails' },
  error: { icon: CircleAlert, style: 'failed', text: 'could not be run' },
  'not-run': { icon: CircleDashed, style: 'waiting', text: 'not run' },
} as const;

function CheckItem({ row, onEdit }: { row: CheckRow; onEdit: () => void }) {
  const { review } = useReviewScene();
  const { state, result, check, isRequired } = row;
  const [isOpen, setOpen] = useState(false);
  const isStale = review.checkRun?.isStale ?? false;
  const mark = marks[state];
  const Icon = mark.icon;
  const isBad = state === 'failed' || state === 'error';
  const isWarning = state === 'failed' && !isRequired;
  const open = result?.open;
  return (
    <li className={styles.check} aria-label={`${row.name}: ${mark.text}${isRequired ? ', required' : ''}`}>
      <Icon
        aria-hidden
        className={cx(styles.mark, styles[isWarning ? 'warned' : mark.style], isStale && styles.stale)}
      />
      <div className={styles.checkText}>
        <div className={styles.checkLine}>
          <Tooltip text={check?.description || check?.where || check?.sql || row.name}>
            <button
              type="button"
              className={styles.checkName}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {row.name}
            </button>
          </Tooltip>
          {!isRequired && <span className={styles.quiet}>warning only</span>}
        </div>
        <p className={cx(styles.checkGist, isBad && styles[isRequired ? 'failedText' : 'warnedText'])}>
          {open && state === 'failed' ? (
            <Link
              href={tablePath(review.table, { ref: open.ref, where: [open.where] })}
              title={`Shows ${open.covers}`}
            >
              {describeResult(row)}
            </Link>
          ) : (
            describeResult(row)
          )}
        </p>
        {isOpen && (
          <div className={styles.checkMore}>
            {check && <pre>{check.where ?? check.sql}</pre>}
            {check?.description && <p>{check.description}</p>}
            {result && (
              <p className={styles.quiet}>
                {result.scope} · {formatElapsed(result.elapsedMs)}
              </p>
            )}
            {result?.problem && (
              <p className={styles.failedText}>
                {result.problem.detail} {result.problem.hint}
              </p>
            )}
            {result && result.sample.length > 0 && <SampleRows rows={result.sample} total={result.failing} />}
            <Button size="s" icon={<ListChecks />} onClick={onEdit}>
              Edit the check…
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}
