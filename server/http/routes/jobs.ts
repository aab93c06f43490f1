import type { JobInfo, jobsApi } from '#shared/api/jobs.ts';
import { notFound } from '#shared/api/problem.ts';
import type { Ports } from '../../ports/index.ts';
import type { Handlers } from '../handler.ts';

type JobRoutes = Pick<typeof jobsApi, 'listJobs' | 'getJob' | 'jobEvents' | 'cancelJob'>;

const existing = (job: JobInfo | null, id: string): JobInfo => {
  if (job) return job;
  throw notFound(`The job ${id}`, 'Jobs that ended long ago are forgotten.');
};

/** Jobs: list, look at, follow, cancel. */
export function jobRoutes({ jobs }: Ports): Handlers<JobRoutes> {
  return {
    listJobs: () => ({ jobs: jobs.list() }),
    getJob: ({ params }) => existing(jobs.get(params.id), params.id),
    jobEvents: ({ params, signal }) => {
      existing(jobs.get(params.id), params.id);
      return jobs.follow(params.id, signal);
    },
    cancelJob: ({ params }) => existing(jobs.cancel(params.id), params.id),
  };
}
