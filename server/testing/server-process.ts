import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ServerProcess {
  url: string;
  pid: number;
  /** What it wrote to its log. */
  log(): string;
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<Response>;
  /** kill -9, and waits for its end. */
  kill(): Promise<void>;
  /** Resolves when it has ended, however that came. */
  ended: Promise<void>;
}

const main = new URL('../main.ts', import.meta.url).pathname;

/** The whole server in a process of its own, over a folder of tables; `failpoint` says where it kills itself. */
export async function startServerProcess(home: string, failpoint?: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: {
      ...process.env,
      CURIO_HOME: home,
      CURIO_DEMO: '0',
      CURIO_OPEN: '0',
      PORT: '0',
      ...(failpoint === undefined ? {} : { CURIO_FAILPOINT: failpoint }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'exit').then(() => undefined);
  const url = await readUrl(child, () => log);
  const ask = (path: string, init?: RequestInit) => fetch(url + path, init);
  return {
    url,
    pid: child.pid!,
    log: () => log,
    ended,
    async get(path) {
      const response = await ask(path);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    post: (path, body) =>
      ask(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function readUrl(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const url = /ready at (\S+)/.exec(out)?.[1];
      if (url) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.\n${log()}`)));
  });
}
