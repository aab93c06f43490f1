import { randomUUID } from 'node:crypto';
import type { JobInfo } from '#shared/api/jobs.ts';
import { AppError, isAppError } from '#shared/api/problem.ts';
import type { Progress } from '../../ports/call.ts';
import type { JobArchive, JobRunner, JobSpec } from '../../ports/jobs.ts';
import { type ChangeSignal, createChangeSignal } from './change-signal.ts';
import { listEarlierJobs } from './earlier-jobs.ts';
import { isEnded } from './job-state.ts';

export interface JobRunnerOptions {
  /** Jobs that run at once; the others wait in the order in which they came. */
  concurrency?: number;
  /** Keeps jobs over a restart: written when a job is made, starts and ends. Without it nothing is. */
  archive?: JobArchive;
  /** Ended jobs that are still remembered. */
  keep?: number;
  /** Progress is told to followers at most this often. */
  progressEveryMs?: number;
  now?: () => Date;
  onError?: (error: unknown) => void;
}

interface Entry {
  info: JobInfo;
  controller: AbortController;
  changes: ChangeSignal;
  ended: Promise<void> | null;
  toldAtMs: number;
}

const logError = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};

const factsOf = (error: unknown): NonNullable<JobInfo['error']> =>
  isAppError(error)
    ? { code: error.code, detail: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) }
    : {
        code: 'INTERNAL',
        detail: 'Something went wrong in Curio.',
        hint: 'The server’s log has the details.',
      };

const createEntry = (info: JobInfo): Entry => ({
  info,
  controller: new AbortController(),
  changes: createChangeSignal(),
  ended: null,
  toldAtMs: 0,
});

/** Runs jobs in this process, a few at a time; what they do natively happens in engine processes. */
export function createJobRunner(options: JobRunnerOptions = {}): JobRunner {
  const {
    concurrency = 2,
    archive,
    keep = 200,
    progressEveryMs = 100,
    now = () => new Date(),
    onError = logError,
  } = options;
  const entries = new Map<string, Entry>();
  const queue: { entry: Entry; spec: JobSpec }[] = [];
  let running = 0;
  let isClosed = false;

  /** Work goes on when it cannot be kept: the log says why. */
  const archived = (work: (archive: JobArchive) => void): void => {
    try {
      if (archive) work(archive);
    } catch (error) {
      onError(error);
    }
  };

  archived((archive) => {
    for (const info of listEarlierJobs(archive, now())) entries.set(info.id, createEntry(info));
  });

  const keepInfo = ({ info }: Entry): void => archived((archive) => archive.keep(info));

  const change = (entry: Entry, patch: Partial<JobInfo>): void => {
    entry.info = { ...entry.info, ...patch, updatedAt: now().toISOString() };
    entry.toldAtMs = now().getTime();
    entry.changes.notify();
  };

  const onProgress = (entry: Entry, { done, total, unit, message }: Progress): void => {
    if (isEnded(entry.info)) return;
    const facts = entry.controller.signal.aborted ? { done, total, unit } : { done, total, unit, message };
    const isTelling = message !== entry.info.message || now().getTime() - entry.toldAtMs >= progressEveryMs;
    if (isTelling) change(entry, facts);
    else entry.info = { ...entry.info, ...facts };
  };

  const end = (entry: Entry, patch: Partial<JobInfo>): void => {
    change(entry, patch);
    keepInfo(entry);
    const ended = [...entries.values()].filter((other) => isEnded(other.info));
    for (const old of ended.slice(0, Math.max(0, ended.length - keep))) entries.delete(old.info.id);
  };

  const run = async (entry: Entry, spec: JobSpec): Promise<void> => {
    const { signal } = entry.controller;
    change(entry, { state: 'running' });
    keepInfo(entry);
    try {
      const result = await spec.run({ signal, onProgress: (progress) => onProgress(entry, progress) });
      const { total, done } = entry.info;
      end(entry, { state: 'done', result: result ?? undefined, done: total ?? done, message: 'Done' });
    } catch (error) {
      if (signal.aborted) return end(entry, { state: 'cancelled', message: 'Cancelled' });
      if (!isAppError(error) || error.code === 'INTERNAL') onError(error);
      end(entry, { state: 'failed', error: factsOf(error), message: factsOf(error).detail });
    }
  };

  const pump = (): void => {
    while (running < concurrency) {
      const next = queue.shift();
      if (!next) return;
      const { entry, spec } = next;
      running += 1;
      entry.ended = run(entry, spec).finally(() => {
        running -= 1;
        pump();
      });
    }
  };

  const cancel = (entry: Entry): void => {
    if (isEnded(entry.info) || entry.controller.signal.aborted) return;
    entry.controller.abort();
    const at = queue.findIndex((waiting) => waiting.entry === entry);
    if (at === -1) {
      change(entry, { message: 'Cancelling' });
      return;
    }
    queue.splice(at, 1);
    end(entry, { state: 'cancelled', message: 'Cancelled' });
  };

  return {
    start(spec) {
      if (isClosed) throw new AppError({ code: 'ABORTED', message: 'The server is stopping.' });
      const at = now().toISOString();
      const info: JobInfo = {
        id: randomUUID(),
        kind: spec.kind,
        title: spec.title,
        state: 'queued',
        done: 0,
        total: null,
        unit: '',
        message: 'Waiting',
        createdAt: at,
        updatedAt: at,
      };
      const entry = createEntry(info);
      entries.set(info.id, entry);
      keepInfo(entry);
      queue.push({ entry, spec });
      pump();
      return entry.info;
    },
    get: (id) => entries.get(id)?.info ?? null,
    list: () => [...entries.values()].map((entry) => entry.info).reverse(),
    cancel(id) {
      const entry = entries.get(id);
      if (!entry) return null;
      cancel(entry);
      return entry.info;
    },
    async *follow(id, signal) {
      const entry = entries.get(id);
      if (!entry) return;
      let seen: JobInfo | null = null;
      while (!signal.aborted) {
        if (entry.info === seen) {
          if (isEnded(seen)) return;
          await entry.changes.next(signal);
        } else {
          seen = entry.info;
          yield seen;
        }
      }
    },
    isClosed: () => isClosed,
    async close() {
      isClosed = true;
      for (const entry of entries.values()) cancel(entry);
      await Promise.all([...entries.values()].map((entry) => entry.ended));
    },
  };
}
