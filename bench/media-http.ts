import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Bytes in memory of a process and of all that it started, pages that they share counted once; 0 where the system does not tell. */
export function treeBytes(pid: number): number {
  try {
    const own =
      Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .trim()
        .split(' ')
        .filter(Boolean)
        .map(Number),
    );
    return children.reduce((sum, child) => sum + treeBytes(child), own);
  } catch {
    return 0;
  }
}

export const openSocket = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
    socket.setNoDelay(true);
  });

/** Milliseconds until the first byte of the answer, reading on until `total` bytes came. */
export function timeFirstByte(
  socket: Socket,
  request: string,
  total: (head: string) => number,
): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let firstAt = 0;
    let seen = 0;
    let wanted = 0;
    const onData = (data: Buffer) => {
      if (firstAt === 0) {
        firstAt = performance.now();
        wanted = total(data.toString('latin1', 0, 2048));
      }
      seen += data.length;
      if (seen < wanted) return;
      socket.off('data', onData);
      resolve(firstAt - startedAt);
    };
    socket.on('data', onData);
    socket.write(request);
  });
}

/** Gets all addresses over as many connections as a browser opens; gives the milliseconds that took. */
export async function getAll(port: number, paths: readonly string[], connections = 6): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedAt = performance.now();
  await Promise.all(
    paths.map(
      (path) =>
        new Promise<void>((resolve, reject) => {
          get({ host: '127.0.0.1', port, path, agent }, (response) => {
            if (response.statusCode !== 200) reject(new Error(`${path} is ${response.statusCode}.`));
            response.on('end', resolve).resume();
          }).on('error', reject);
        }),
    ),
  );
  const ms = performance.now() - startedAt;
  agent.destroy();
  return ms;
}

/** What the page puts into addresses of media of `main`. */
export async function readIncarnation(port: number, table: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/tables/${table}/branches`);
  const { branches } = (await response.json()) as { branches: { name: string; incarnation: string }[] };
  return branches.find(({ name }) => name === 'main')?.incarnation ?? '';
}
