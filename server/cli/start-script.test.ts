import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));

test('npm start says that the port is taken before it installs or builds anything', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  try {
    const started = (args: string[], env: NodeJS.ProcessEnv) => {
      const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env } });
      const exit = new Promise((resolve) => child.on('exit', resolve));
      return Promise.all([exit, text(child.stderr)]);
    };
    const said = `Port ${port} on 127.0.0.1 is taken.\n  Is Curio running already? Otherwise set PORT to another one, or to 0.\n`;
    expect(await started([], { PORT: String(port) })).toEqual([1, said]);
    expect(await started(['--port', String(port)], { PORT: '' })).toEqual([1, said]);
    expect(await started([`--port=${port}`], { PORT: '1' })).toEqual([1, said]);
  } finally {
    taken.close();
  }
});
