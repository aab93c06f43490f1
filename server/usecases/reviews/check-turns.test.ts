import { expect, it } from 'vitest';
import { isAppError } from '#shared/api/problem.ts';
import { inCheckTurn } from './check-turns.ts';

const forever = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });

it('runs statements of checks one at a time, in their order', async () => {
  const context = { signal: new AbortController().signal };
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = inCheckTurn(context, async () => {
    seen.push('first begins');
    await promise;
    seen.push('first ends');
  });
  const second = inCheckTurn(context, async () => void seen.push('second'));
  await Promise.resolve();
  resolve();
  await Promise.all([first, second]);
  expect(seen).toEqual(['first begins', 'first ends', 'second']);
});

it('stops what never ends, and goes on with the next', async () => {
  const context = { signal: new AbortController().signal };
  const endless = inCheckTurn(context, ({ signal }) => forever(signal), 20);
  const next = inCheckTurn(context, async () => 'next');
  const error: unknown = await endless.catch((reason: unknown) => reason);
  expect(isAppError(error) && error.code).toBe('TIMEOUT');
  expect(await next).toBe('next');
});

it('lets those leave who wait, without passing anybody', async () => {
  const context = { signal: new AbortController().signal };
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = inCheckTurn(context, () => promise);
  const leaving = new AbortController();
  let hasRun = false;
  const second = inCheckTurn({ signal: leaving.signal }, async () => {
    hasRun = true;
  });
  const order: string[] = [];
  const third = inCheckTurn(context, async () => void order.push('third'));
  leaving.abort();
  await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
  expect([hasRun, order]).toEqual([false, []]);
  resolve('first');
  expect(await first).toBe('first');
  await third;
  expect(order).toEqual(['third']);
});
