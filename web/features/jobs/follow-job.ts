import { JobInfo } from '#shared/api/jobs.ts';
import { isAppError } from '#shared/api/problem.ts';
import { addressOf, callJson } from '../../api/index.ts';
import { isEnded } from './model.ts';

export interface FollowOptions {
  onChange: (job: JobInfo) => void;
  /** The server no longer knows the job. */
  onGone: () => void;
  pollEveryMs?: number;
}

/** Browsers keep six connections to a server; most of them are for rows and pictures. */
const maxEventSources = 2;
let openSources = 0;

/**
 * Follows a job until it ends: by server-sent events, and by asking every second where those cannot be had.
 * Returns a function that stops following.
 */
export function followJob(id: string, { onChange, onGone, pollEveryMs = 1_000 }: FollowOptions): () => void {
  const controller = new AbortController();
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const closeSource = (): void => {
    if (!source) return;
    source.close();
    source = null;
    openSources -= 1;
  };

  const poll = async (): Promise<void> => {
    try {
      const job = await callJson('getJob', { params: { id }, signal: controller.signal });
      if (controller.signal.aborted) return;
      onChange(job);
      if (isEnded(job)) return;
    } catch (error) {
      if (controller.signal.aborted) return;
      if (isAppError(error) && error.code === 'NOT_FOUND') return onGone();
    }
    timer = setTimeout(() => void poll(), pollEveryMs);
  };

  const listen = (): void => {
    openSources += 1;
    source = new EventSource(addressOf('jobEvents', { id }));
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const job = JobInfo.safeParse(JSON.parse(data));
      if (!job.success) return;
      onChange(job.data);
      if (isEnded(job.data)) closeSource();
    };
    source.onerror = () => {
      closeSource();
      if (!controller.signal.aborted) void poll();
    };
  };

  if (typeof EventSource === 'function' && openSources < maxEventSources) listen();
  else void poll();

  return () => {
    controller.abort();
    clearTimeout(timer);
    closeSource();
  };
}
