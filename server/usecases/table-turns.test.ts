import { expect, test } from 'vitest';
import { countTurns, withTableTurn } from './table-turns.ts';

const never = new AbortController().signal;

function gate() {
  const { promise: passed, resolve: open } = Promise.withResolvers<void>();
  return { passed, open };
}

test('works of one table run one after the other, in the order in which they asked', async () => {
  const log: string[] = [];
  const first = gate();
  const run = (name: string, wait: Promise<void>) =>
    withTableTurn('a', never, async () => {
      log.push(`${name} begins`);
      await wait;
      log.push(`${name} ends`);
    });
  const all = [run('1', first.passed), run('2', Promise.resolve()), run('3', Promise.resolve())];
  expect(countTurns('a')).toBe(3);
  first.open();
  await Promise.all(all);
  expect(log).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
  expect(countTurns('a')).toBe(0);
});

test('tables do not wait for each other', async () => {
  const first = gate();
  const slow = withTableTurn('a', never, () => first.passed);
  expect(await withTableTurn('b', never, async () => 'done')).toBe('done');
  first.open();
  await slow;
});

test('a work that fails passes its turn on', async () => {
  const failed = withTableTurn('a', never, () => Promise.reject(new Error('no')));
  const next = withTableTurn('a', never, async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('who gives up while waiting never runs, and those behind move up', async () => {
  const first = gate();
  const controller = new AbortController();
  const log: string[] = [];
  const slow = withTableTurn('a', never, () => first.passed);
  const given = withTableTurn('a', controller.signal, async () => void log.push('given up'));
  const last = withTableTurn('a', never, async () => void log.push('last'));
  controller.abort();
  await expect(given).rejects.toMatchObject({ code: 'ABORTED' });
  first.open();
  await Promise.all([slow, last]);
  expect(log).toEqual(['last']);
});

test('who has already given up is refused at once', async () => {
  await expect(withTableTurn('a', AbortSignal.abort(), async () => 'no')).rejects.toMatchObject({
    code: 'ABORTED',
  });
  expect(countTurns('a')).toBe(0);
});
