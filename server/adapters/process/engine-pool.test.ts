import { afterEach, expect, test } from 'vitest';
import type { ByteStream, CallContext, Progress } from '../../ports/call.ts';
import { EnginePool } from './engine-pool.ts';
import { createRemote } from './remote.ts';

interface Probe {
  echo(input: unknown, context: CallContext): Promise<unknown>;
  fail(input: object, context: CallContext): Promise<never>;
  crash(input: object, context: CallContext): Promise<never>;
  progress(input: object, context: CallContext): Promise<string>;
  untilAborted(input: object, context: CallContext): Promise<string>;
  bytes(
    input: { chunks: number; size: number; crashAfter?: number },
    context: CallContext,
  ): Promise<ByteStream<{ chunks: number }>>;
}

let pool: EnginePool | null = null;
afterEach(() => pool?.close());

const open = (size = 1, callsPerProcess = 4): { probe: Probe; pool: EnginePool } => {
  const made = new EnginePool({
    name: 'probe',
    module: new URL('./testing/probe-engine.ts', import.meta.url),
    settings: {},
    size,
    callsPerProcess,
  });
  pool = made;
  return { probe: createRemote<Probe>(() => made), pool: made };
};

const patient = (): CallContext => ({ signal: new AbortController().signal });

test('values keep their types across the boundary', async () => {
  const { probe } = open();
  const value = {
    big: 2n ** 63n,
    bytes: new Uint8Array([1, 2, 3]),
    none: undefined,
    when: new Date(0),
    nan: Number.NaN,
  };
  expect(await probe.echo(value, patient())).toEqual(value);
});

test('an AppError arrives whole', async () => {
  const { probe } = open();
  await expect(probe.fail({}, patient())).rejects.toMatchObject({
    code: 'SQL_BIND',
    hint: 'Look again.',
    at: { line: 1, column: 7 },
  });
});

test('progress arrives before the result', async () => {
  const { probe } = open();
  const seen: Progress[] = [];
  const result = await probe.progress({}, { ...patient(), onProgress: (progress) => seen.push(progress) });
  expect({ result, seen }).toEqual({
    result: 'done',
    seen: [{ done: 1, total: 2, unit: 'rows', message: 'half' }],
  });
});

test('a stream larger than every buffer arrives whole, and the connection serves again', async () => {
  const { probe } = open();
  for (let round = 0; round < 3; round++) {
    const { facts, chunks } = await probe.bytes({ chunks: 40, size: 1 << 20 }, patient());
    let bytes = 0;
    let sum = 0;
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      sum += chunk[0] ?? 0;
    }
    expect({ facts, bytes, hasAll: sum >= 780 }).toEqual({
      facts: { chunks: 40 },
      bytes: 40 << 20,
      hasAll: true,
    });
  }
});

test('leaving a stream half-way ends it and the next call works', async () => {
  const { probe } = open();
  const { chunks } = await probe.bytes({ chunks: 1000, size: 1 << 20 }, patient());
  for await (const chunk of chunks) {
    expect(chunk.byteLength).toBeGreaterThan(0);
    break;
  }
  expect(await probe.echo('still here', patient())).toBe('still here');
});

test('a crash is an error of that call only; the next call starts a new process', async () => {
  const { probe, pool } = open(2, 1);
  const other = new AbortController();
  const waiting = probe.untilAborted({}, { signal: other.signal });
  await expect(probe.crash({}, patient())).rejects.toMatchObject({ code: 'ENGINE_CRASHED' });
  expect(await probe.echo('next', patient())).toBe('next');
  other.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  expect(pool.pids().length).toBeGreaterThan(0);
});

test('a crash in mid-stream breaks the stream', async () => {
  const { probe } = open();
  const { chunks } = await probe.bytes({ chunks: 10, size: 1 << 20, crashAfter: 5 }, patient());
  const read = async () => {
    for await (const _chunk of chunks);
  };
  await expect(read()).rejects.toMatchObject({ code: 'ENGINE_CRASHED' });
});

test('an abort while waiting for a free process leaves the queue', async () => {
  const { probe } = open(1, 1);
  const first = new AbortController();
  const second = new AbortController();
  const running = probe.untilAborted({}, { signal: first.signal });
  const queued = probe.echo('late', { signal: second.signal });
  second.abort();
  await expect(queued).rejects.toMatchObject({ code: 'ABORTED' });
  first.abort();
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await probe.echo('free again', patient())).toBe('free again');
});
