import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AppError } from '#shared/api/problem.ts';
import { lockState } from './adapters/sqlite/lock-state.ts';
import { createApp } from './app.ts';
import { createPorts, type RealPorts } from './compose.ts';
import type { Settings } from './settings.ts';
import { makeDemo } from './usecases/make-demo.ts';
import { recoverGroups } from './usecases/recover-groups.ts';
import { recoverReviews } from './usecases/reviews/settle-landed.ts';

export interface RunningServer {
  url: string;
  /** Makes the demo and opens the browser: after the address was printed. */
  onReady(): void;
  close(): Promise<void>;
}

const keepAliveMs = 65_000;

/** Locks the state folder, recovers what a crash left, listens. Throws AppError when the place or the port is taken. */
export async function startServer(settings: Settings): Promise<RunningServer> {
  const unlock = lockState(settings.state);
  const ports = createPorts(settings, (line) => process.stderr.write(`${line}\n`));
  const stop = new AbortController();
  const context = { signal: stop.signal };
  const addressFile = join(settings.state, 'server.json');
  try {
    await Promise.all([
      ports.importer.sweep({}, context),
      ports.files.sweep(stop.signal),
      recoverGroups(ports, context),
    ]);
    await recoverReviews(ports, context);
    const app = createApp(ports, settings);
    const server = createServer({ keepAliveTimeout: keepAliveMs }, app);
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, settings)));
      server.listen(settings.port, settings.host, resolve);
    });
    const { port } = server.address() as AddressInfo;
    const url = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
    await writeFile(addressFile, JSON.stringify({ url, pid: process.pid }));
    void warmEngines(ports.pools);
    return {
      url,
      onReady() {
        if (settings.hasDemo) makeDemo(ports, settings);
        if (settings.opensBrowser) openBrowser(url);
      },
      async close() {
        stop.abort();
        server.close();
        server.closeAllConnections();
        await ports.close();
        await rm(addressFile, { force: true });
        unlock();
      },
    };
  } catch (error) {
    await ports.close();
    unlock();
    throw error;
  }
}

/** Starts the engines that the first clicks need, one after the other, so that nobody waits for a process to start. */
async function warmEngines(pools: RealPorts['pools']): Promise<void> {
  for (const name of ['reader', 'filter', 'writer', 'diff', 'sql', 'plan', 'media'] as const) {
    // A process that cannot start says so to the call that needs it.
    await pools[name].warm().catch(() => undefined);
  }
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Settings): Error {
  if (error.code === 'EADDRINUSE')
    return new AppError({
      code: 'EXISTS',
      message: `Port ${port} on ${host} is taken.`,
      hint: 'Is Curio running already? Otherwise set PORT to another one, or to 0.',
    });
  if (error.code === 'EACCES')
    return new AppError({
      code: 'FORBIDDEN',
      message: `Port ${port} may not be used.`,
      hint: 'Set PORT to one above 1024.',
    });
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new AppError({
      code: 'BAD_REQUEST',
      message: `HOST is ${host}, which is no address of this machine.`,
      hint: 'Leave HOST out to serve this machine only.',
    });
  return error;
}

function openBrowser(url: string): void {
  const hasDesktop = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!hasDesktop) return;
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['cmd', ['/c', 'start', '', url]]
        : ['xdg-open', [url]];
  spawn(command as string, args as string[], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
