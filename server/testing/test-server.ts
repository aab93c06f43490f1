import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LanceHome, openHome } from '../adapters/lance/connect.ts';
import { createApp } from '../app.ts';
import { createPorts } from '../compose.ts';
import type { Settings } from '../settings.ts';

export interface TestServer {
  /** `http://127.0.0.1:PORT` */
  url: string;
  settings: Settings;
  /** The same folder of tables, for making and looking at them from outside. */
  home: LanceHome;
  ports: ReturnType<typeof createPorts>;
  /** What the engines wrote to their logs. */
  log: string[];
  get(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

/** The real server over real ports on a free port, with a temporary CURIO_HOME; `close` ends and removes all of it. */
export async function makeTestServer(overrides: Partial<Settings> = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'curio-test-'));
  const settings: Settings = {
    home: folder,
    state: join(folder, '.curio'),
    cache: join(folder, '.curio', 'cache'),
    models: null,
    places: [],
    port: 0,
    host: '127.0.0.1',
    hasDemo: false,
    opensBrowser: false,
    memoryBytes: 2 ** 31,
    ...overrides,
  };
  const log: string[] = [];
  const ports = createPorts(settings, (line) => log.push(line));
  const server = createServer(createApp(ports, settings));
  await listen(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    settings,
    ports,
    log,
    home: await openHome(settings.home),
    get: (path, init) => fetch(url + path, init),
    post: (path, body, init) =>
      fetch(url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
        ...init,
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await ports.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
