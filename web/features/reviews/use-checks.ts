import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Review } from '#shared/api/reviews.ts';
import { announce } from '../../ui/index.ts';
import type { Compared } from '../compare/index.ts';
import { useLiveJobs, watchJob } from '../jobs/index.ts';
import { runChecks } from './actions.ts';
import { refreshReview } from './queries.ts';
import { settledOf, whyNotSettled } from './settled.ts';

const ends: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled']);

/** The run of a review's checks: whether one is under way, and the way to start one. */
export interface ChecksState {
  /** The job that runs them; null: none does. */
  jobId: string | null;
  isStarting: boolean;
  /** Why they cannot be run now; `null` when they can. */
  whyNot: string | null;
  error: unknown;
  run: () => Promise<void>;
}

/** Follows the run of a review's checks and asks for the review anew when it is over. */
export function useChecks(review: Review, compared: Compared | null): ChecksState {
  const { id, checkJob, checks, state } = review;
  const client = useQueryClient();
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const told = useRef<string | null>(null);
  const job = useLiveJobs()[checkJob ?? '']?.info;
  const isEnded = job !== undefined && ends.has(job.state);
  useEffect(() => {
    if (checkJob !== null) watchJob({ id: checkJob });
  }, [checkJob]);
  useEffect(() => {
    if (!isEnded || checkJob === null || told.current === checkJob) return;
    told.current = checkJob;
    announce('The checks have run');
    void refreshReview(client, id);
  }, [isEnded, checkJob, client, id]);
  const jobId = isEnded ? null : checkJob;
  const run = async () => {
    setStarting(true);
    setError(null);
    try {
      await runChecks({ client, id }, settledOf(compared));
    } catch (failure) {
      setError(failure);
    } finally {
      setStarting(false);
    }
  };
  const whyNot =
    state !== 'open'
      ? 'The review is over.'
      : checks.length === 0
        ? 'The table has no checks yet.'
        : jobId !== null
          ? 'They are running.'
          : whyNotSettled(compared);
  return { jobId, isStarting, whyNot, error, run };
}
