import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const skip = (what: string, why: string): [] => {
  process.stdout.write(`– ${what}: skipped, ${why}\n`);
  return [];
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const nginxPath = '/usr/sbin/nginx';
const wrkPath = '/usr/bin/wrk';
export const hasNginx = (): boolean => existsSync(nginxPath) && existsSync(wrkPath);

export interface Peer {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

const stopper = (child: ChildProcess) => () =>
  new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

/** nginx with sendfile over a folder: one worker, no log. */
export async function startNginx(folder: string): Promise<Peer> {
  const port = await freePort();
  const prefix = join(folder, '..', `nginx-${port}`);
  mkdirSync(join(prefix, 'tmp'), { recursive: true });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${prefix}/tmp/${name};`,
  );
  writeFileSync(
    join(prefix, 'nginx.conf'),
    `daemon off; user root; worker_processes 1; pid ${prefix}/pid; error_log /dev/null;
events { worker_connections 256; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; ${paths.join(' ')}
server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  );
  const child = spawn(nginxPath, ['-p', prefix, '-c', join(prefix, 'nginx.conf')], { stdio: 'ignore' });
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { port, pid: child.pid as number, stop: stopper(child) };
}

/** Requests per second of wrk for random ranges of a length. */
export async function wrkRanges(
  folder: string,
  { url, sizeBytes, length }: { url: string; sizeBytes: number; length: number },
): Promise<number> {
  const script = join(folder, `range-${length}.lua`);
  writeFileSync(
    script,
    `request = function() local s = math.random(0, ${sizeBytes - length}); wrk.headers["Range"] = "bytes=" .. s .. "-" .. (s + ${length - 1}); return wrk.format("GET") end
done = function(s, l, r) if s.errors.status > 0 then io.write("BAD " .. s.errors.status .. "\\n") end end`,
  );
  const { stdout } = await run(wrkPath, ['-t1', '-c8', '-d2s', '-s', script, url]);
  if (stdout.includes('BAD')) throw new Error(`wrk met errors: ${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

/** A peer in a process of its own: `range-peer` over a file or `static-peer` over a folder. */
export async function startPeer(name: 'range-peer' | 'static-peer', path: string): Promise<Peer> {
  const module = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', module, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) =>
    child.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(Number(text))),
  );
  return { port, pid: child.pid as number, stop: stopper(child) };
}

export interface Lmdb {
  get(key: number): Buffer | undefined;
  put(key: number, value: Buffer): Promise<boolean>;
  close(): Promise<void>;
}

/** LMDB from `CURIO_BENCH_MODULES`, a folder with node_modules; null where it is not there. */
export function openLmdb(path: string): Lmdb | null {
  const folder = process.env.CURIO_BENCH_MODULES;
  if (folder === undefined) return null;
  const { open } = createRequire(join(folder, 'index.js'))('lmdb') as {
    open(options: { path: string; encoding: 'binary'; keyEncoding: 'uint32' }): Lmdb;
  };
  return open({ path, encoding: 'binary', keyEncoding: 'uint32' });
}
