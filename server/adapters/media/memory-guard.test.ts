import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

test('a process that grows beyond its share is ended, however busy it is', async () => {
  const child = fork(new URL('./testing/grow.ts', import.meta.url), [String(300 * 2 ** 20)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [code, signal] = await once(child, 'exit', { signal: AbortSignal.timeout(20_000) });
  expect([code, signal]).toEqual([null, 'SIGKILL']);
}, 25_000);
