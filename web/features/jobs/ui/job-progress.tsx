import { X } from 'lucide-react';
import { useState } from 'react';
import type { JobInfo } from '#shared/api/jobs.ts';
import { Button, IconButton, ProgressBar, showError } from '../../../ui/index.ts';
import { formatProgress } from '../model.ts';
import { cancelJob } from '../queries.ts';
import { useLiveJob } from '../store.ts';
import styles from './job-progress.module.css';

/** How far a job is: what it does now, bar, number, rate, time, and a way to stop it. */
export function JobProgress({ job, isCompact }: { job: JobInfo; isCompact?: boolean }) {
  const live = useLiveJob(job.id);
  const info = live?.info ?? job;
  const [isCancelling, setCancelling] = useState(false);
  const cancel = async () => {
    setCancelling(true);
    try {
      await cancelJob(job.id);
    } catch (error) {
      setCancelling(false);
      showError(error);
    }
  };
  const detail = formatProgress(info, live?.samples);
  return (
    <div className={styles.progress}>
      <div className={styles.line}>
        <span className={styles.message}>{info.message}</span>
        {isCompact ? (
          <IconButton
            label={`Cancel ${info.title}`}
            size="s"
            icon={<X />}
            isBusy={isCancelling}
            onClick={cancel}
          />
        ) : (
          <Button size="s" isBusy={isCancelling} onClick={cancel} aria-label={`Cancel ${info.title}`}>
            {isCancelling ? 'Cancelling…' : 'Cancel'}
          </Button>
        )}
      </div>
      <ProgressBar
        label={info.title}
        done={info.done}
        total={info.state === 'queued' ? (info.total ?? 1) : info.total}
      />
      <span className={styles.detail}>{detail || '\u00a0'}</span>
    </div>
  );
}
