import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ByteStream, CallContext } from '../../ports/call.ts';
import { EnginePool } from './engine-pool.ts';
import { createRemote } from './remote.ts';

interface Probe {
  echo(input: unknown, context: CallContext): Promise<unknown>;
  offered(input: { chunks: number; failAfter?: number }, context: CallContext): Promise<ByteStream>;
}

const head =
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
const chunkBytes = 1 << 16;
const patient = (): CallContext => ({ signal: new AbortController().signal });

let pool: EnginePool;
let probe: Probe;
let server: Server;
let asked: { chunks: number; failAfter?: number };

beforeEach(async () => {
  pool = new EnginePool({
    name: 'probe',
    module: new URL('./testing/probe-engine.ts', import.meta.url),
    settings: {},
    size: 1,
    callsPerProcess: 2,
    handsOver: true,
  });
  probe = createRemote<Probe>(() => pool);
  server = createServer(async (incoming) => {
    const { handOver } = await probe.offered(asked, patient());
    void handOver!(incoming.socket, head);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await pool.close();
});

const ask = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }, resolve)
      .once('error', reject)
      .end();
  });

async function read(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

describe('a stream that is handed over', () => {
  it('comes whole from the engine, head first', async () => {
    asked = { chunks: 40 };
    for (let round = 0; round < 3; round++) {
      const message = await ask();
      expect([message.statusCode, message.headers['content-type']]).toEqual([200, 'text/plain']);
      const bytes = await read(message);
      expect(bytes.length).toBe(40 * chunkBytes);
      for (let i = 0; i < 40; i++) expect(bytes[i * chunkBytes]).toBe(i);
    }
    expect(await probe.echo('next', patient())).toBe('next');
  });

  it('that breaks in the middle is broken for the client too, and only it', async () => {
    asked = { chunks: 40, failAfter: 20 };
    await expect(ask().then(read)).rejects.toThrow();
    expect(await probe.echo('next', patient())).toBe('next');
  });

  it('is broken for the client when the engine dies; the next call works', async () => {
    asked = { chunks: 1_000_000 };
    const message = await ask();
    const [pid] = pool.pids();
    process.kill(pid!, 'SIGKILL');
    await expect(read(message)).rejects.toThrow();
    while (pool.pids().includes(pid!)) await new Promise((resolve) => setImmediate(resolve));
    expect(await probe.echo('next', patient())).toBe('next');
  });

  it('keeps nobody else out, however slowly it is read', async () => {
    asked = { chunks: 1_000_000 };
    const slow = await Promise.all([ask(), ask(), ask()]);
    expect(await probe.echo('next', patient())).toBe('next');
    expect(pool.pids()).toHaveLength(1);
    for (const message of slow) message.destroy();
  });
});

describe('a stream that is offered', () => {
  it('may be read here as well', async () => {
    const { chunks } = await probe.offered({ chunks: 30 }, patient());
    let bytes = 0;
    for await (const chunk of chunks) bytes += chunk.byteLength;
    expect(bytes).toBe(30 * chunkBytes);
  });

  it('may be left unread: its engine serves on', async () => {
    for (let i = 0; i < 6; i++) {
      const { chunks } = await probe.offered({ chunks: 1_000_000 }, patient());
      await chunks[Symbol.asyncIterator]().return?.();
    }
    expect(await probe.echo('next', patient())).toBe('next');
  });
});
