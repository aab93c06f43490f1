import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockState } from './lock-state.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'curio-lock-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const holder = `
  const { lockState } = await import(${JSON.stringify(new URL('./lock-state.ts', import.meta.url).href)});
  lockState(process.argv[1]);
  process.stdout.write('locked');
  setInterval(() => undefined, 1000);
`;

test('a second server is refused while the first runs, and told which process it is', () => {
  const unlock = lockState(state);
  expect(() => lockState(state)).toThrow(
    expect.objectContaining({ code: 'EXISTS', message: expect.stringContaining(`process ${process.pid}`) }),
  );
  unlock();
  unlock();
  lockState(state)();
});

test('a lock that a killed process left is taken over', async () => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', holder, state],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  expect(() => lockState(state)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(`process ${child.pid}`) }),
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockState(state)();
});

test('the number of a process that is gone does not hold anybody up', () => {
  writeFileSync(join(state, 'lock.pid'), '1\n');
  lockState(state)();
});

test('a state folder that cannot be is told apart from one that is taken', () => {
  writeFileSync(join(state, 'a-file'), '');
  expect(() => lockState(join(state, 'a-file', 'state'))).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN' }),
  );
  mkdirSync(join(state, 'odd', 'lock.db'), { recursive: true });
  expect(() => lockState(join(state, 'odd'))).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
});
