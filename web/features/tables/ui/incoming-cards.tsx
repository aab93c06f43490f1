import { CircleAlert, X } from 'lucide-react';
import { useState } from 'react';
import type { JobInfo } from '#shared/api/jobs.ts';
import { AppError, ProblemCode } from '#shared/api/problem.ts';
import { formatBytes, formatDuration } from '../../../ui/format-quantity.ts';
import { Button, cx, IconButton, ProgressBar, readError } from '../../../ui/index.ts';
import {
  dropFailed,
  type FailedImport,
  reopenImport,
  type Upload,
  useImportStore,
} from '../../import/index.ts';
import { JobProgress, queueOf, useLiveJobs } from '../../jobs/index.ts';
import type { TableLook } from '../model/tables.ts';
import styles from './incoming-cards.module.css';

export interface Incoming {
  count: number;
  uploads: readonly Upload[];
  failedUploads: readonly FailedImport[];
  running: JobInfo[];
  failedJobs: JobInfo[];
  dismiss: (jobId: string) => void;
}

/** What is on its way to become a table, and what failed to. */
export function useIncoming(): Incoming {
  const uploads = useImportStore((state) => state.uploads);
  const failedUploads = useImportStore((state) => state.failed);
  const live = useLiveJobs();
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const jobs = Object.values(live)
    .map(({ info }) => info)
    .filter(({ kind }) => kind === 'import');
  const running = queueOf(jobs);
  const failedJobs = jobs.filter(({ id, state }) => state === 'failed' && !dismissed.includes(id));
  return {
    count: uploads.length + failedUploads.length + running.length + failedJobs.length,
    uploads,
    failedUploads,
    running,
    failedJobs,
    dismiss: (id) => setDismissed((ids) => [...ids, id]),
  };
}

/** Cards in the place where the tables will be. */
export function IncomingCards({ incoming, look }: { incoming: Incoming; look: TableLook }) {
  const drafts = useImportStore((state) => state.draftsByJob);
  return (
    <>
      {incoming.uploads.map((upload) => (
        <UploadCard key={`upload-${upload.id}`} upload={upload} look={look} />
      ))}
      {incoming.running.map((job) => (
        <li key={job.id} className={styles.card} aria-label={job.title}>
          <Place look={look} />
          <h2 className={styles.title}>{job.title}</h2>
          <JobProgress job={job} isCompact />
        </li>
      ))}
      {incoming.failedUploads.map((failed) => (
        <FailureCard
          key={`failed-${failed.id}`}
          title={`${failed.draft.name} was not imported`}
          error={failed.error}
          onDismiss={() => dropFailed(failed.id)}
          onChange={() => {
            dropFailed(failed.id);
            reopenImport(failed.draft, failed.error);
          }}
        />
      ))}
      {incoming.failedJobs.map((job) => {
        const draft = drafts[job.id];
        const error = errorOf(job);
        return (
          <FailureCard
            key={job.id}
            title={`${job.title} failed`}
            error={error}
            onDismiss={() => incoming.dismiss(job.id)}
            onChange={
              draft &&
              (() => {
                incoming.dismiss(job.id);
                reopenImport(draft, error);
              })
            }
          />
        );
      })}
    </>
  );
}

function errorOf({ error }: JobInfo): AppError {
  const code = ProblemCode.safeParse(error?.code);
  return new AppError({
    code: code.success ? code.data : 'INTERNAL',
    message: error?.detail ?? 'The job failed.',
    hint: error?.hint,
  });
}

/** Where the pictures of the table will stand. */
const Place = ({ look }: { look: TableLook }) =>
  look === 'cards' ? <div className={styles.place} aria-hidden /> : null;

function UploadCard({ upload, look }: { upload: Upload; look: TableLook }) {
  const { name, sentBytes, totalBytes, startedAtMs, abort } = upload;
  const rate = sentBytes / Math.max(0.25, (Date.now() - startedAtMs) / 1000);
  const parts = [
    `${formatBytes(sentBytes)} of ${formatBytes(totalBytes)}`,
    ...(sentBytes > 0
      ? [`${formatBytes(rate)}/s`, `${formatDuration(((totalBytes - sentBytes) / rate) * 1000)} left`]
      : []),
  ];
  return (
    <li className={styles.card} aria-label={`Uploading ${name}`}>
      <Place look={look} />
      <h2 className={styles.title}>{name}</h2>
      <div className={styles.line}>
        <span className={styles.message}>Uploading</span>
        <IconButton label={`Cancel the upload of ${name}`} size="s" icon={<X />} onClick={abort} />
      </div>
      <ProgressBar label={`Uploading ${name}`} done={sentBytes} total={totalBytes} />
      <span className={styles.detail}>{parts.join(' · ')}</span>
    </li>
  );
}

interface FailureCardProps {
  title: string;
  error: unknown;
  onDismiss: () => void;
  onChange?: () => void;
}

function FailureCard({ title, error, onDismiss, onChange }: FailureCardProps) {
  const { message, hint } = readError(error);
  return (
    <li className={cx(styles.card, styles.failed)} aria-label={title}>
      <div className={styles.line}>
        <CircleAlert className={styles.alertIcon} aria-hidden />
        <h2 className={styles.title}>{title}</h2>
        <IconButton label="Dismiss" size="s" icon={<X />} onClick={onDismiss} />
      </div>
      <div role="alert" className={styles.error}>
        <p>{message}</p>
        {hint && <p className={styles.message}>{hint}</p>}
      </div>
      {onChange && (
        <Button size="s" onClick={onChange}>
          Change and try again
        </Button>
      )}
    </li>
  );
}
