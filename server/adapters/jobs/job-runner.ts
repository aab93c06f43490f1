import { randomUUID } from 'node:crypto';
import type { JobInfo } from '#shared/api/jobs.ts';
import { AppError, isAppError } from '#shared/api/problem.ts';
import type { Progress } from '../../ports/call.ts';
import type { JobRunner, JobSpec } from '../../ports/jobs.ts';
import { type ChangeSignal, createChangeSignal } from './change-signal.ts';

export interface JobRunnerOptions {
  /** Jobs that run at once; the others wait in the order in which they came. */
  concurrency?: number;
  /** Ended jobs that are still remembered. */
  keep?: number;
  /** Progress is told to followers at most this often. */
  progressEveryMs?: number;
  now?: () => Date;
  onError?: (error: unknown) => void;
}

interface Entry {
  info: JobInfo;
  spec: JobSpec;
  controller: AbortController;
  changes: ChangeSignal;
  ended: Promise<void> | null;
  toldAtMs: number;
}

const isEnded = (info: JobInfo): boolean => info.state !== 'queued' && info.state !== 'running';

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

/** Runs jobs in this process, a few at a time; what they do natively happens in engine processes. */
export function createJobRunner(options: JobRunnerOptions = {}): JobRunner {
  const {
    concurrency = 2,
    keep = 200,
    progressEveryMs = 100,
    now = () => new Date(),
    onError = logError,
  } = options;
  const entries = new Map<string, Entry>();
  const queue: Entry[] = [];
  let running = 0;
  let isClosed = false;

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
    const ended = [...entries.values()].filter((other) => isEnded(other.info));
    for (const old of ended.slice(0, Math.max(0, ended.length - keep))) entries.delete(old.info.id);
  };

  const run = async (entry: Entry): Promise<void> => {
    const { signal } = entry.controller;
    change(entry, { state: 'running' });
    try {
      const result = await entry.spec.run({ signal, onProgress: (progress) => onProgress(entry, progress) });
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
      const entry = queue.shift();
      if (!entry) return;
      running += 1;
      entry.ended = run(entry).finally(() => {
        running -= 1;
        pump();
      });
    }
  };

  const cancel = (entry: Entry): void => {
    if (isEnded(entry.info) || entry.controller.signal.aborted) return;
    entry.controller.abort();
    const at = queue.indexOf(entry);
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
      const entry: Entry = {
        info,
        spec,
        controller: new AbortController(),
        changes: createChangeSignal(),
        ended: null,
        toldAtMs: 0,
      };
      entries.set(info.id, entry);
      queue.push(entry);
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
