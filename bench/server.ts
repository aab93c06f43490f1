import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface BenchServer {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** A real server on a free port over the given home. */
export async function startBenchServer(home: string): Promise<BenchServer> {
  const main = fileURLToPath(new URL('../server/main.ts', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: { ...process.env, CURIO_HOME: home, CURIO_DEMO: '0', CURIO_OPEN: '0', PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const found = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(text);
      if (found) resolve(Number(found[1]));
    });
  });
  return {
    port,
    pid: child.pid as number,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/**
 * Sends one request on a bare socket and counts the bytes of the answer, so that no HTTP client is measured.
 * Resolves at the last byte; the connection closes after each answer.
 */
export function readRaw(
  port: number,
  path: string,
  body: unknown,
): Promise<{ bytes: number; status: number }> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let head = '';
    const scratch = Buffer.allocUnsafe(1 << 20);
    const socket: Socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer: scratch,
        callback: (count, buffer) => {
          if (head === '')
            head = Buffer.from(buffer.buffer, buffer.byteOffset, Math.min(count, 64)).toString('latin1');
          bytes += count;
          return true;
        },
      },
    });
    socket.on('error', reject);
    socket.on('close', () => resolve({ bytes, status: Number(head.split(' ')[1]) }));
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  });
}

export interface KeptConnection {
  /** Sends one request and waits for the last byte of its answer; gives its status. */
  post(path: string, body: unknown): Promise<number>;
  close(): void;
}

const contentLength = /\r\ncontent-length: (\d+)\r\n/i;
const lastChunk = '0\r\n\r\n';

/** A connection that stays open between requests, as a browser's does, without an HTTP client that would be measured. */
export async function openConnection(port: number): Promise<KeptConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    post(path, body) {
      const text = JSON.stringify(body);
      return new Promise((resolve) => {
        let head = '';
        let left: number | null = null;
        const onData = (data: Buffer): void => {
          if (head === '') {
            const end = data.indexOf('\r\n\r\n') + 4;
            head = data.subarray(0, end).toString('latin1');
            const length = contentLength.exec(head)?.[1];
            left = length === undefined ? null : Number(length) + end;
          }
          if (left !== null) left -= data.length;
          if (left === null ? data.subarray(-lastChunk.length).toString('latin1') !== lastChunk : left > 0)
            return;
          socket.off('data', onData);
          resolve(Number(head.split(' ')[1]));
        };
        socket.on('data', onData);
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        );
      });
    },
    close: () => socket.destroy(),
  };
}
