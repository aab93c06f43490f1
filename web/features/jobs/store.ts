import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { JobInfo } from '#shared/api/jobs.ts';
import { followJob } from './follow-job.ts';
import { addSample, isEnded, type ProgressSample } from './model.ts';

export interface LiveJob {
  info: JobInfo;
  samples: ProgressSample[];
}

export interface LiveJobs {
  jobs: Readonly<Record<string, LiveJob>>;
}

/** Jobs that this page has seen running, with what their progress tells. */
export const liveJobs = createStore<LiveJobs>(() => ({ jobs: {} }));

type EndListener = (job: JobInfo) => void;

const followers = new Map<string, () => void>();
const endListeners = new Set<EndListener>();

/** Calls back once for each watched job that ends. */
export function onJobEnd(listener: EndListener): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

function receive(job: JobInfo): void {
  const before = liveJobs.getState().jobs[job.id];
  if (before && isEnded(before.info)) return;
  const samples = addSample(before?.samples ?? [], { atMs: Date.parse(job.updatedAt), done: job.done });
  liveJobs.setState(({ jobs }) => ({ jobs: { ...jobs, [job.id]: { info: job, samples } } }));
  if (!isEnded(job)) return;
  followers.delete(job.id);
  for (const listener of endListeners) listener(job);
}

function forget(id: string): void {
  followers.delete(id);
  liveJobs.setState(({ jobs }) => ({
    jobs: Object.fromEntries(Object.entries(jobs).filter(([key]) => key !== id)),
  }));
}

/** Follows a job until it ends. A job that is watched already, or has ended, is left alone. */
export function watchJob(job: JobInfo | { id: string }): void {
  if ('state' in job && isEnded(job)) return;
  if (followers.has(job.id) || liveJobs.getState().jobs[job.id]) return;
  if ('state' in job) receive(job);
  followers.set(job.id, followJob(job.id, { onChange: receive, onGone: () => forget(job.id) }));
}

/** Takes the answer of a cancelled job in at once. */
export const receiveJob = receive;

export const useLiveJobs = (): LiveJobs['jobs'] => useStore(liveJobs, ({ jobs }) => jobs);

export const useLiveJob = (id: string): LiveJob | undefined => useStore(liveJobs, ({ jobs }) => jobs[id]);

/** Stops following and forgets everything. */
export function resetJobs(): void {
  for (const stop of followers.values()) stop();
  followers.clear();
  liveJobs.setState({ jobs: {} });
}
