import { afterEach, expect, test } from 'vitest';
import type { ByteStream, CallContext, Progress } from '../../ports/call.ts';
import { EnginePool, type EnginePoolOptions } from './engine-pool.ts';
import { createRemote } from './remote.ts';

interface Probe {
  echo(input: unknown, context: CallContext): Promise<unknown>;
  fail(input: object, context: CallContext): Promise<never>;
  crash(input: object, context: CallContext): Promise<never>;
  progress(input: object, context: CallContext): Promise<string>;
  untilAborted(input: object, context: CallContext): Promise<string>;
  /** Keeps memory; gives its process id. */
  keep(input: { bytes: number }, context: CallContext): Promise<number>;
  /** Works on although nobody waits; gives its process id. */
  deaf(input: { ms: number }, context: CallContext): Promise<number>;
  bytes(
    input: { chunks: number; size: number; crashAfter?: number },
    context: CallContext,
  ): Promise<ByteStream<{ chunks: number }>>;
}

let pool: EnginePool | null = null;
afterEach(() => pool?.close());

const open = (
  size = 1,
  callsPerProcess = 4,
  graceMs = 2_000,
  more: Partial<EnginePoolOptions> = {},
): { probe: Probe; pool: EnginePool } => {
  const made = new EnginePool({
    name: 'probe',
    module: new URL('./testing/probe-engine.ts', import.meta.url),
    settings: {},
    size,
    callsPerProcess,
    graceMs,
    ...more,
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

test('a call that was given up keeps its process until it is over', async () => {
  const { probe } = open(1, 1, 30_000);
  const pid = await probe.deaf({ ms: 0 }, patient());
  const controller = new AbortController();
  const left = probe.deaf({ ms: 400 }, { signal: controller.signal, onProgress: () => controller.abort() });
  const begun = performance.now();
  await expect(left).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await probe.deaf({ ms: 0 }, patient())).toBe(pid);
  expect(performance.now() - begun).toBeGreaterThan(300);
});

test('a call that does not hear its abort is ended with its process', async () => {
  const { probe, pool } = open(1, 1, 100);
  const pid = await probe.deaf({ ms: 0 }, patient());
  const controller = new AbortController();
  const left = probe.deaf(
    { ms: 3_600_000 },
    { signal: controller.signal, onProgress: () => controller.abort() },
  );
  await expect(left).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await probe.deaf({ ms: 0 }, patient())).not.toBe(pid);
  expect(pool.pids()).not.toContain(pid);
});

test('streams whose memory is given back arrive as they were sent', async () => {
  const { probe } = open();
  const streams = Array.from({ length: 3 }, async () => {
    const { chunks, release } = await probe.bytes({ chunks: 60, size: 300_001 }, patient());
    let at = 0;
    for await (const chunk of chunks) {
      for (let i = 0; i < chunk.length; i += 1009) {
        if (chunk[i] !== Math.floor((at + i) / 300_001))
          throw new Error(`Byte ${at + i} is not what was sent.`);
      }
      at += chunk.length;
      release!(chunk);
    }
    return at;
  });
  expect(await Promise.all(streams)).toEqual([18_000_060, 18_000_060, 18_000_060]);
});

test('readers that do not read keep nobody else out', async () => {
  const { probe, pool } = open(1, 1);
  const slow = await Promise.all(
    Array.from(
      { length: 2 },
      async () => (await probe.bytes({ chunks: 400, size: 1 << 16 }, patient())).chunks,
    ),
  );
  expect(await probe.echo('served', patient())).toBe('served');
  for (const chunks of slow) {
    let bytes = 0;
    for await (const chunk of chunks) bytes += chunk.byteLength;
    expect(bytes).toBe(400 << 16);
  }
  expect(await probe.echo('again', patient())).toBe('again');
  expect(pool.pids()).toHaveLength(1);
});

test('a call that takes too long is stopped with its process, and the next one gets another', async () => {
  const { probe } = open(1, 1, 0, { maxCallMs: 300 });
  await expect(probe.deaf({ ms: 60_000 }, patient())).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(await probe.echo('next', patient())).toBe('next');
});

test('a process that nobody asks for is ended, one that works is not, and the next call gets another', async () => {
  const { probe, pool } = open(1, 4, 0, { maxRestMs: 50 });
  const first = await probe.deaf({ ms: 400 }, patient());
  await expect.poll(() => pool.pids(), { timeout: 20_000 }).toEqual([]);
  expect(await probe.deaf({ ms: 0 }, patient())).not.toBe(first);
});

test('a process that grew large is ended when it is idle; one that stayed small goes on', async () => {
  const { probe, pool } = open(1, 4, 0, { maxIdleBytes: 560e6 });
  const small = await probe.keep({ bytes: 1e6 }, patient());
  expect(await probe.keep({ bytes: 1e6 }, patient())).toBe(small);
  expect(await probe.keep({ bytes: 600e6 }, patient())).toBe(small);
  await expect.poll(() => pool.pids().includes(Number(small)), { timeout: 20_000 }).toBe(false);
  expect(pool.pids()).toHaveLength(1);
  await expect.poll(() => probe.deaf({ ms: 0 }, patient()), { timeout: 20_000 }).not.toBe(small);
});
