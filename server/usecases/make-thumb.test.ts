import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError, abortedError } from '#shared/api/problem.ts';
import type { Ports } from '../ports/index.ts';
import { createThumbMaker } from './make-thumb.ts';

interface Making {
  signal: AbortSignal;
  finish(): void;
  fail(error: unknown): void;
}

let folder = '';
let makings: Making[] = [];
let onMaking: () => void = () => undefined;
let onJoined: () => void = () => undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curio-thumbs-'));
  makings = [];
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const heads = {
  uuid: 'u',
  branches: [{ name: 'main', version: 1, parent: null, createdAt: null, updatedAt: '' }],
  tags: [],
};

async function* oneByte(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1);
}

/** A signal that tells when somebody waits on it: who does so has joined another's thumb. */
function watchedSignal(): AbortSignal {
  const { signal } = new AbortController();
  const listen = signal.addEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof listen>) => {
    onJoined();
    listen(...args);
  };
  return signal;
}

const ports = {
  reader: {
    readHeads: async () => heads,
    blob: async () => ({
      facts: { sizeBytes: 1, contentType: 'image/png', etag: 'e' },
      chunks: oneByte(),
    }),
  },
  store: { listOpenGroups: () => [], trash: { list: () => [] }, facts: { get: () => null } },
  media: {
    makeThumb: (_input: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(abortedError()));
        makings.push({
          signal,
          finish: () => resolve({ bytes: Uint8Array.of(7), width: 1, height: 1 }),
          fail: reject,
        });
        onMaking();
      }),
  },
} as unknown as Ports;

const address = { table: 't', ref: 'main', column: 'picture', rowId: '0' };
const patient = () => ({ signal: new AbortController().signal });

/** Resolves when the next thumb is begun. */
const begun = (): Promise<void> =>
  new Promise((resolve) => {
    onMaking = resolve;
  });

test('who leaves does not end a thumb that another waits for', async () => {
  const makeThumb = createThumbMaker(ports, folder);
  const first = new AbortController();
  const started = begun();
  const left = makeThumb(address, { size: 64 }, { signal: first.signal });
  await started;
  const joined = new Promise<void>((resolve) => {
    onJoined = resolve;
  });
  const stays = makeThumb(address, { size: 64 }, { signal: watchedSignal() });
  await joined;
  first.abort();
  await expect(left).rejects.toMatchObject({ code: 'ABORTED' });
  expect(makings[0]?.signal.aborted).toBe(false);
  makings[0]?.finish();
  expect((await stays).bytes).toEqual(Uint8Array.of(7));
});

test('a thumb that nobody waits for is given up, and made anew for the next', async () => {
  const makeThumb = createThumbMaker(ports, folder);
  const only = new AbortController();
  const started = begun();
  const left = makeThumb(address, { size: 64 }, { signal: only.signal });
  await started;
  only.abort();
  await expect(left).rejects.toMatchObject({ code: 'ABORTED' });
  expect(makings[0]?.signal.aborted).toBe(true);
  const again = begun();
  const next = makeThumb(address, { size: 64 }, patient());
  await again;
  makings[1]?.finish();
  expect((await next).bytes).toEqual(Uint8Array.of(7));
});

test('what took too long once is not tried again in another size', async () => {
  const makeThumb = createThumbMaker(ports, folder);
  const started = begun();
  const slow = makeThumb(address, { size: 64 }, patient());
  await started;
  makings[0]?.fail(new AppError({ code: 'TIMEOUT', message: 'Too long.' }));
  await expect(slow).rejects.toMatchObject({ code: 'TIMEOUT' });
  await expect(makeThumb(address, { size: 32 }, patient())).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(makings).toHaveLength(1);
});
