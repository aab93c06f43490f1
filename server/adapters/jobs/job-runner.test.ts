import { describe, expect, it } from 'vitest';
import type { JobInfo } from '#shared/api/jobs.ts';
import { AppError } from '#shared/api/problem.ts';
import type { JobArchive, JobSpec } from '../../ports/jobs.ts';
import { createJobRunner } from './job-runner.ts';

const never = new AbortController().signal;

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );

const blocked: JobSpec = { kind: 'test', title: 'Blocked', run: ({ signal }) => untilAborted(signal) };

async function statesOf(jobs: AsyncIterable<JobInfo>): Promise<JobInfo['state'][]> {
  const states: JobInfo['state'][] = [];
  for await (const job of jobs) if (states.at(-1) !== job.state) states.push(job.state);
  return states;
}

async function ended(runner: ReturnType<typeof createJobRunner>, id: string): Promise<JobInfo> {
  let last: JobInfo | null = null;
  for await (const job of runner.follow(id, never)) last = job;
  return last as JobInfo;
}

/** An archive in memory, with what was written to it. */
function makeArchive(): JobArchive & { written: string[] } {
  const kept = new Map<string, JobInfo>();
  const written: string[] = [];
  return {
    written,
    keep(job) {
      kept.set(job.id, structuredClone(job));
      written.push(`${job.title} ${job.state}`);
    },
    list: () => [...kept.values()].reverse(),
  };
}

describe('createJobRunner', () => {
  it('runs a job to its result', async () => {
    const runner = createJobRunner();
    const { id } = runner.start({
      kind: 'count',
      title: 'Count',
      run: async ({ onProgress }) => {
        onProgress({ done: 5, total: 10, unit: 'rows', message: 'Counting' });
        return { rows: 10 };
      },
    });
    expect(await ended(runner, id)).toMatchObject({
      id,
      kind: 'count',
      title: 'Count',
      state: 'done',
      done: 10,
      total: 10,
      unit: 'rows',
      result: { rows: 10 },
    });
  });

  it('runs two at once and the others in turn', async () => {
    const runner = createJobRunner();
    const jobs = [1, 2, 3].map(() => runner.start(blocked));
    const stateOf = () => jobs.map(({ id }) => runner.get(id)?.state);
    expect(stateOf()).toEqual(['running', 'running', 'queued']);
    runner.cancel(jobs[0]!.id);
    await ended(runner, jobs[0]!.id);
    expect(stateOf()).toEqual(['cancelled', 'running', 'running']);
    await runner.close();
    expect(stateOf()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('tells problems by code, detail and hint, and keeps other errors to the log', async () => {
    const logged: unknown[] = [];
    const runner = createJobRunner({ onError: (error) => logged.push(error) });
    const bad = runner.start({
      kind: 'import',
      title: 'Import',
      run: async () => {
        throw new AppError({
          code: 'INVALID_FILE',
          message: 'a.csv, line 3: too many values.',
          hint: 'Mend the line.',
        });
      },
    });
    const secret = new Error('secret /home/ann/a.csv');
    const odd = runner.start({ kind: 'import', title: 'Import', run: () => Promise.reject(secret) });
    expect(await ended(runner, bad.id)).toMatchObject({
      state: 'failed',
      error: { code: 'INVALID_FILE', detail: 'a.csv, line 3: too many values.', hint: 'Mend the line.' },
    });
    const shown = await ended(runner, odd.id);
    expect(shown.error?.code).toBe('INTERNAL');
    expect(JSON.stringify(shown)).not.toContain('secret');
    expect(logged).toEqual([secret]);
  });

  it('cancels what waits at once, and leaves what has ended as it is', async () => {
    const runner = createJobRunner({ concurrency: 1 });
    const first = runner.start({ kind: 'quick', title: 'Quick', run: async () => 1 });
    const second = runner.start(blocked);
    const third = runner.start(blocked);
    expect(runner.cancel(third.id)?.state).toBe('cancelled');
    const done = await ended(runner, first.id);
    expect(runner.cancel(first.id)).toEqual(done);
    runner.cancel(second.id);
    expect((await ended(runner, second.id)).state).toBe('cancelled');
    expect(runner.cancel('none')).toBeNull();
  });

  it('follows a job through its states to the end, also when it has ended already', async () => {
    const runner = createJobRunner({ concurrency: 1 });
    const gate = runner.start(blocked);
    const { id } = runner.start({ kind: 'quick', title: 'Quick', run: async () => 1 });
    const states = statesOf(runner.follow(id, never));
    runner.cancel(gate.id);
    expect(await states).toEqual(['queued', 'running', 'done']);
    expect(await statesOf(runner.follow(id, never))).toEqual(['done']);
  });

  it('stops following when the follower goes away', async () => {
    const runner = createJobRunner();
    const { id } = runner.start(blocked);
    const controller = new AbortController();
    const states = statesOf(runner.follow(id, controller.signal));
    controller.abort();
    expect(await states).toEqual(['running']);
    await runner.close();
  });

  it('tells progress at most as often as asked, and always a new message', async () => {
    let clock = 1_000;
    const runner = createJobRunner({ now: () => new Date(clock), progressEveryMs: 100 });
    let tell: Parameters<JobSpec['run']>[0]['onProgress'] = () => undefined;
    let finish: () => void = () => undefined;
    const { id } = runner.start({
      kind: 'import',
      title: 'Import',
      run: ({ onProgress }) => {
        tell = onProgress;
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
    });
    const seen: string[] = [];
    const following = (async () => {
      for await (const job of runner.follow(id, never)) seen.push(`${job.message} ${job.done}`);
    })();
    const step = async (atMs: number, done: number, message: string) => {
      clock = atMs;
      tell({ done, total: 100, unit: 'rows', message });
      await new Promise(setImmediate);
    };
    await step(1_000, 1, 'Reading');
    await step(1_050, 2, 'Reading');
    await step(1_100, 3, 'Reading');
    await step(1_110, 4, 'Writing');
    finish();
    await following;
    expect(seen).toEqual(['Waiting 0', 'Reading 1', 'Reading 3', 'Writing 4', 'Done 100']);
  });

  it('remembers only the newest ended jobs, newest first', async () => {
    const runner = createJobRunner({ keep: 2 });
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const { id } = runner.start({ kind: 'quick', title: `Quick ${index}`, run: async () => index });
      await ended(runner, id);
      ids.push(id);
    }
    expect(runner.list().map((job) => job.title)).toEqual(['Quick 3', 'Quick 2']);
    expect(runner.get(ids[0]!)).toBeNull();
  });

  it('takes no new jobs once closed', async () => {
    const runner = createJobRunner();
    await runner.close();
    expect(() => runner.start(blocked)).toThrow('stopping');
  });
});

describe('createJobRunner with an archive', () => {
  it('keeps a job when it is made, starts and ends, and not for its progress', async () => {
    const archive = makeArchive();
    const runner = createJobRunner({ archive, concurrency: 1, progressEveryMs: 0 });
    const { id } = runner.start({
      kind: 'import',
      title: 'First',
      run: async ({ onProgress }) => {
        for (const done of [1, 2, 3]) onProgress({ done, total: 3, unit: 'rows', message: `Row ${done}` });
      },
    });
    const waiting = runner.start({ ...blocked, title: 'Second' });
    runner.cancel(waiting.id);
    const done = await ended(runner, id);
    expect(archive.written).toEqual([
      'First queued',
      'First running',
      'Second queued',
      'Second cancelled',
      'First done',
    ]);
    expect(archive.list()).toEqual([runner.get(waiting.id), done]);
  });

  it('lists jobs of earlier runs after its own; those that were cut off have failed', async () => {
    const archive = makeArchive();
    const before = createJobRunner({ archive, concurrency: 1 });
    const { id: doneId } = before.start({ kind: 'quick', title: 'Quick', run: async () => ({ rows: 1 }) });
    const done = await ended(before, doneId);
    const running = before.start({ ...blocked, title: 'Running' });
    const waiting = before.start({ ...blocked, title: 'Waiting' });
    archive.written.length = 0;

    const at = new Date('2030-01-01T00:00:00.000Z');
    const runner = createJobRunner({ archive, now: () => at });
    const own = runner.start({ ...blocked, title: 'Own' });
    expect(runner.list().map(({ title, state }) => `${title} ${state}`)).toEqual([
      'Own running',
      'Waiting failed',
      'Running failed',
      'Quick done',
    ]);
    expect(archive.written).toEqual(['Running failed', 'Waiting failed', 'Own queued', 'Own running']);
    expect(archive.list()).toEqual(runner.list());
    expect(runner.get(doneId)).toEqual(done);
    for (const { id, createdAt } of [running, waiting]) {
      const failed = runner.get(id);
      expect(failed).toMatchObject({
        state: 'failed',
        createdAt,
        updatedAt: at.toISOString(),
        error: { code: 'UPSTREAM', detail: expect.stringContaining('stopped'), hint: 'Start it again.' },
      });
      expect(runner.cancel(id)).toEqual(failed);
      expect(await statesOf(runner.follow(id, never))).toEqual(['failed']);
    }
    runner.cancel(own.id);
    await Promise.all([runner.close(), before.close()]);
  });

  it('counts jobs of earlier runs among those that it remembers', async () => {
    const archive = makeArchive();
    const quick = (title: string): JobSpec => ({ kind: 'quick', title, run: async () => title });
    const before = createJobRunner({ archive });
    for (const title of ['A', 'B']) await ended(before, before.start(quick(title)).id);
    const runner = createJobRunner({ archive, keep: 2 });
    await ended(runner, runner.start(quick('C')).id);
    expect(runner.list().map(({ title }) => title)).toEqual(['C', 'B']);
  });

  it('does its work when the archive cannot, and says so in the log', async () => {
    const full = new Error('The disk is full.');
    const fail = () => {
      throw full;
    };
    const logged: unknown[] = [];
    const runner = createJobRunner({
      archive: { keep: fail, list: fail },
      onError: (error) => logged.push(error),
    });
    const { id } = runner.start({ kind: 'quick', title: 'Quick', run: async () => 1 });
    expect(await ended(runner, id)).toMatchObject({ state: 'done', result: 1 });
    expect(logged).toEqual([full, full, full, full]);
  });
});
