import { ProgressBar } from '../../../ui/index.ts';
import { JobProgress, useLiveJobs } from '../../jobs/index.ts';

/** How far a run of checks is, with the way to stop it. */
export function CheckProgress({ jobId }: { jobId: string }) {
  const job = useLiveJobs()[jobId]?.info;
  return job ? (
    <JobProgress job={job} isCompact />
  ) : (
    <ProgressBar label="Running the checks" done={0} total={null} />
  );
}
