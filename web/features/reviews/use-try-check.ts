import { useEffect, useRef, useState } from 'react';
import * as z from 'zod';
import { AppError } from '#shared/api/problem.ts';
import { CheckResult } from '#shared/api/review-parts.ts';
import type { Check } from '#shared/domain/checks.ts';
import { callJson } from '../../api/index.ts';
import { useLiveJobs, watchJob } from '../jobs/index.ts';

const Results = z.object({ results: z.array(CheckResult).min(1) });

export interface Trial {
  jobId: string | null;
  isRunning: boolean;
  result: CheckResult | null;
  error: unknown;
  run: (ref: string, check: Check) => Promise<void>;
}

/** Runs a check on a ref as it stands, kept or not yet. */
export function useTryCheck(table: string): Trial {
  const [jobId, setJobId] = useState<string | null>(null);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const asked = useRef<AbortController | null>(null);
  const job = useLiveJobs()[jobId ?? '']?.info;
  useEffect(() => () => asked.current?.abort(), []);
  const run = async (ref: string, check: Check) => {
    asked.current?.abort();
    const controller = new AbortController();
    asked.current = controller;
    setStarting(true);
    setError(null);
    setJobId(null);
    try {
      const { job: started } = await callJson('tryChecks', {
        params: { table },
        body: { ref, checks: [check] },
        signal: controller.signal,
      });
      watchJob(started);
      setJobId(started.id);
    } catch (failure) {
      setError(failure);
    } finally {
      setStarting(false);
    }
  };
  const parsed = job?.state === 'done' ? Results.safeParse(job.result) : null;
  const failure =
    job?.state === 'failed'
      ? new AppError({ code: 'INTERNAL', message: job.error?.detail ?? 'The check could not be run.' })
      : null;
  return {
    jobId,
    isRunning: isStarting || job?.state === 'queued' || job?.state === 'running',
    result: parsed?.success ? (parsed.data.results[0] ?? null) : null,
    error: error ?? failure,
    run,
  };
}
