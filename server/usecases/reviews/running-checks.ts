import type { Ports } from '../../ports/index.ts';

interface Running {
  job: string;
  /** Heads, choices and checks that it runs with. */
  subject: string;
}

const running = new Map<string, Running>();

const isActive = ({ jobs }: Pick<Ports, 'jobs'>, job: string): boolean => {
  const state = jobs.get(job)?.state;
  return state === 'queued' || state === 'running';
};

/** The job that runs a review's checks now. */
export function checkJobOf(ports: Pick<Ports, 'jobs'>, reviewId: string): string | null {
  const known = running.get(reviewId);
  return known && isActive(ports, known.job) ? known.job : null;
}

/** One run per review: the same again is the one that runs, another takes its place. */
export function startCheckJob(
  ports: Pick<Ports, 'jobs'>,
  { reviewId, subject }: { reviewId: string; subject: string },
  start: () => { id: string },
): { id: string } {
  const known = running.get(reviewId);
  if (known && isActive(ports, known.job)) {
    if (known.subject === subject) return { id: known.job };
    ports.jobs.cancel(known.job);
  }
  const { id } = start();
  running.set(reviewId, { job: id, subject });
  return { id };
}
