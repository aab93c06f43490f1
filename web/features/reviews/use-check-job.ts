import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { announce } from '../../ui/index.ts';
import { useLiveJobs, watchJob } from '../jobs/index.ts';
import { refreshReview } from './queries.ts';

const ends: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled']);

/** Follows the run of a review's checks and asks for the review anew when it is over. */
export function useCheckJob(reviewId: string, jobId: string | null): 'none' | 'running' | 'ended' {
  const client = useQueryClient();
  const told = useRef<string | null>(null);
  const job = useLiveJobs()[jobId ?? '']?.info;
  const isEnded = job !== undefined && ends.has(job.state);
  useEffect(() => {
    if (jobId !== null) watchJob({ id: jobId });
  }, [jobId]);
  useEffect(() => {
    if (!isEnded || jobId === null || told.current === jobId) return;
    told.current = jobId;
    announce('The checks have run');
    void refreshReview(client, reviewId);
  }, [isEnded, jobId, client, reviewId]);
  if (jobId === null) return 'none';
  return isEnded ? 'ended' : 'running';
}
