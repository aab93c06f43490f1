import type { JobInfo } from '#shared/api/jobs.ts';
import type { CallContext } from './call.ts';

export interface JobSpec {
  kind: string;
  title: string;
  run(context: CallContext & { onProgress: NonNullable<CallContext['onProgress']> }): Promise<unknown>;
}

/** Where jobs are kept over a restart of the server. */
export interface JobArchive {
  /** Keeps the job as it is now, in the place of what was kept of it before. */
  keep(job: JobInfo): void;
  /** What is kept, newest first. */
  list(): JobInfo[];
}

/** Long work with progress and cancel. */
export interface JobRunner {
  start(spec: JobSpec): JobInfo;
  get(id: string): JobInfo | null;
  list(): JobInfo[];
  cancel(id: string): JobInfo | null;
  /** Yields the job now and after each change, until it has ended. */
  follow(id: string, signal: AbortSignal): AsyncIterable<JobInfo>;
  /** Whether {@link close} was called, so that a job may have been cancelled by nobody. */
  isClosed(): boolean;
  /** Cancels what runs and waits for it. */
  close(): Promise<void>;
}
