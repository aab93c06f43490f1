import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { abortedError } from '#shared/api/problem.ts';

const pollMs = 10;
const beatMs = 3_000;
const staleMs = 15_000;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Whether nobody works behind a lock any longer: its holder died, or stopped to show that it lives. */
async function isStale(path: string): Promise<boolean> {
  const [text, facts] = await Promise.all([
    readFile(path, 'utf8').catch(() => ''),
    stat(path).catch(() => null),
  ]);
  if (!facts) return false;
  const holder = Number(text);
  return (holder > 0 && holder !== process.pid && !isAlive(holder)) || Date.now() - facts.mtimeMs > staleMs;
}

function hold(path: string): { release(): Promise<void> } {
  const beat = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => undefined);
  }, beatMs);
  beat.unref();
  return {
    release() {
      clearInterval(beat);
      return rm(path, { force: true });
    },
  };
}

export type BuildLock<T> = { made: T } | { release(): Promise<void> };

/** Takes the turn to build what `findMade` looks for, or waits until another process has made it. */
export async function takeBuildLock<T>(
  path: string,
  findMade: () => Promise<T | null>,
  signal: AbortSignal,
): Promise<BuildLock<T>> {
  for (;;) {
    if (signal.aborted) throw abortedError();
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      const lock = hold(path);
      const made = await findMade();
      if (made === null) return lock;
      await lock.release();
      return { made };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return { release: async () => undefined };
    }
    const made = await findMade();
    if (made !== null) return { made };
    if (await isStale(path)) await rm(path, { force: true });
    else await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
