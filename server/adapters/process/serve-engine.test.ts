import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';

test('an engine ends with its parent, also in the middle of native work that never ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'curio-probe-'));
  const engine = fork(
    new URL('./testing/probe-engine.ts', import.meta.url).pathname,
    [join(folder, 'probe.sock')],
    { env: { ...process.env, PROBE_IS_BUSY: '1' }, execArgv: ['--disable-warning=ExperimentalWarning'] },
  );
  try {
    await once(engine, 'message');
    const ended = once(engine, 'exit', { signal: AbortSignal.timeout(4_000) });
    engine.disconnect();
    await ended;
  } finally {
    engine.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
