import { afterEach, expect, test } from 'vitest';
import type { CallContext } from '../../ports/call.ts';
import { EnginePool } from './engine-pool.ts';
import { MemoryKeeper } from './memory-keeper.ts';
import { createRemote } from './remote.ts';

interface Probe {
  keep(input: { bytes: number }, context: CallContext): Promise<number>;
  untilAborted(input: object, context: CallContext): Promise<string>;
}

const pools: EnginePool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const megabyte = 1024 * 1024;
const patient = (): CallContext => ({ signal: new AbortController().signal });

function open(keeper: MemoryKeeper): { probe: Probe; pool: EnginePool } {
  const pool = new EnginePool({
    name: 'probe',
    module: new URL('./testing/probe-engine.ts', import.meta.url),
    settings: {},
    size: 1,
    callsPerProcess: 4,
    keeper,
  });
  pools.push(pool);
  return { probe: createRemote<Probe>(() => pool), pool };
}

/** Sizes that the test says, so that it depends on no system. */
function keeperOf(totalMb: number) {
  const sizes = new Map<number, number>();
  const privateBytesOf = (pid: number): number => (sizes.get(pid) ?? 0) * megabyte;
  return { sizes, keeper: new MemoryKeeper({ totalBytes: totalMb * megabyte, privateBytesOf, everyMs: 5 }) };
}

test('above the budget the largest idle process is ended, and only as many as are needed', async () => {
  const { sizes, keeper } = keeperOf(1000);
  const [small, large, busy] = [open(keeper), open(keeper), open(keeper)];
  const smallPid = await small.probe.keep({ bytes: 1 }, patient());
  const largePid = await large.probe.keep({ bytes: 1 }, patient());
  const busyPid = await busy.probe.keep({ bytes: 1 }, patient());
  sizes.set(smallPid, 200).set(largePid, 300).set(busyPid, 500);
  const stop = new AbortController();
  const running = busy.probe.untilAborted({}, { signal: stop.signal });
  await expect.poll(() => large.pool.pids(), { timeout: 20_000 }).toEqual([]);
  expect([small.pool.pids(), busy.pool.pids()]).toEqual([[smallPid], [busyPid]]);
  stop.abort();
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await large.probe.keep({ bytes: 1 }, patient())).not.toBe(largePid);
});

test('a process that works is never ended, however large it is, and nothing is while all fits', async () => {
  const { sizes, keeper } = keeperOf(1000);
  const [busy, idle] = [open(keeper), open(keeper)];
  const busyPid = await busy.probe.keep({ bytes: 1 }, patient());
  const idlePid = await idle.probe.keep({ bytes: 1 }, patient());
  sizes.set(busyPid, 300).set(idlePid, 300);
  const stop = new AbortController();
  const running = busy.probe.untilAborted({}, { signal: stop.signal });
  const looks = (): Promise<number> => idle.probe.keep({ bytes: 1 }, patient());
  for (let call = 0; call < 20; call++) expect(await looks()).toBe(idlePid);
  sizes.set(busyPid, 5000);
  await expect.poll(() => idle.pool.pids(), { timeout: 20_000 }).toEqual([]);
  expect(busy.pool.pids()).toEqual([busyPid]);
  stop.abort();
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
});

test.runIf(process.platform === 'linux')(
  'what processes hold for themselves is read from the system',
  async () => {
    const keeper = new MemoryKeeper({ totalBytes: 900 * megabyte, everyMs: 5 });
    const [large, busy] = [open(keeper), open(keeper)];
    await large.probe.keep({ bytes: 900 * megabyte }, patient());
    const stop = new AbortController();
    const running = busy.probe.untilAborted({}, { signal: stop.signal });
    await expect.poll(() => large.pool.pids(), { timeout: 20_000 }).toEqual([]);
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  },
);

test('no call is lost while idle processes are ended all the time', async () => {
  const keeper = new MemoryKeeper({ totalBytes: 0, privateBytesOf: () => 1000 * megabyte, everyMs: 1 });
  const [busy, ...others] = [open(keeper), open(keeper), open(keeper)];
  const stop = new AbortController();
  const running = busy!.probe.untilAborted({}, { signal: stop.signal });
  const ask = async ({ probe, pool }: (typeof others)[number]): Promise<number> => {
    const seen = new Set<number>();
    for (let call = 0; call < 12; call++) {
      seen.add(await probe.keep({ bytes: 1 }, patient()));
      if (call % 4 === 3) await expect.poll(() => pool.pids(), { timeout: 20_000 }).toEqual([]);
    }
    return seen.size;
  };
  for (const processes of await Promise.all(others.map(ask))) expect(processes).toBeGreaterThanOrEqual(3);
  stop.abort();
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
});
