import { expect, test } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { maxPartBytes } from '../../ports/call.ts';
import type { AskFrame, GiveFrame } from './frames.ts';
import { answerAsks, RemoteSource } from './source-parts.ts';

const value = Uint8Array.from({ length: 9 * 2 ** 20 }, (_none, at) => at % 251);

function connect(read = async (start: number, end: number) => value.subarray(start, end)) {
  const asked: AskFrame[] = [];
  const { signal, abort } = (() => {
    const controller = new AbortController();
    return { signal: controller.signal, abort: () => controller.abort() };
  })();
  const answer = answerAsks({ sizeBytes: value.length, read }, (frame) => source.take(frame));
  const source = new RemoteSource(
    value.length,
    (frame) => {
      asked.push(frame);
      answer(frame);
    },
    signal,
  );
  return { source, asked, abort };
}

test('parts of any length arrive, asked for one by one in pieces', async () => {
  const { source, asked } = connect();
  const [small, large] = await Promise.all([source.read(5, 9), source.read(0, value.length)]);
  expect([...small]).toEqual([5, 6, 7, 8]);
  expect(Buffer.compare(large, value)).toBe(0);
  expect(asked.map(({ start, end }) => end - start)).toEqual([4, maxPartBytes, maxPartBytes, 2 ** 20]);
});

test.each([
  ['before', { start: -1, end: 4 }],
  ['behind', { start: 0, end: value.length + 1 }],
  ['backwards', { start: 9, end: 4 }],
  ['too much', { start: 0, end: maxPartBytes + 1 }],
  ['no numbers', { start: Number.NaN, end: 4 }],
])('what an engine may not have is refused: %s', async (_name, range) => {
  const given = Promise.withResolvers<GiveFrame>();
  let isRead = false;
  const read = async () => {
    isRead = true;
    return value;
  };
  answerAsks({ sizeBytes: value.length, read }, given.resolve)({ id: 1, ...range });
  expect(await given.promise).toMatchObject({ id: 1, error: { code: 'INTERNAL' } });
  expect(isRead).toBe(false);
});

test('an error of the value arrives as it was, and who leaves waits no longer', async () => {
  const broken = connect(async () => {
    throw new AppError({ code: 'STREAM_BROKEN', message: 'It became another.', hint: 'Load it again.' });
  });
  await expect(broken.source.read(0, 4)).rejects.toMatchObject({
    code: 'STREAM_BROKEN',
    hint: 'Load it again.',
  });
  const stuck = connect(() => new Promise(() => undefined));
  const waiting = stuck.source.read(0, 4);
  await Promise.resolve();
  stuck.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
});
