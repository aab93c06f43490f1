import type { JobInfo } from '#shared/api/jobs.ts';
import type { JobArchive } from '../../ports/jobs.ts';
import { isEnded } from './job-state.ts';

const interruption: NonNullable<JobInfo['error']> = {
  code: 'UPSTREAM',
  detail: 'The server stopped before the job was done; nothing half done was left behind.',
  hint: 'Start it again.',
};

/** Jobs of earlier runs, oldest first. Those that had not ended have failed now, and are kept as such. */
export function listEarlierJobs(archive: JobArchive, now: Date): JobInfo[] {
  return archive
    .list()
    .reverse()
    .map((job) => {
      if (isEnded(job)) return job;
      const failed: JobInfo = {
        ...job,
        state: 'failed',
        error: interruption,
        message: interruption.detail,
        updatedAt: now.toISOString(),
      };
      archive.keep(failed);
      return failed;
    });
}
