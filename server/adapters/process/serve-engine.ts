import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { serialize } from 'node:v8';
import { AppError, type AppErrorFacts, isAppError } from '#shared/api/problem.ts';
import type { ByteStream, CallContext } from '../../ports/call.ts';
import { FrameBatch, FrameReader, frameKind, idleMethod, readValue, writeValue } from './frames.ts';

type Method = (input: unknown, context: CallContext) => Promise<unknown>;

const isByteStream = (value: unknown): value is ByteStream =>
  typeof value === 'object' && value !== null && 'chunks' in value && 'facts' in value;

const errorFacts = (error: unknown): AppErrorFacts => {
  if (isAppError(error)) {
    const { code, message, hint, at, issues } = error;
    return { code, message, hint, at, issues };
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return { code: 'INTERNAL', message: 'The engine met an error that it does not know.' };
};

async function answer(
  socket: Socket,
  methods: Record<string, Method>,
  payload: Uint8Array,
  controller: AbortController,
): Promise<void> {
  try {
    const { method, input } = readValue(payload) as { method: string; input: unknown };
    const call = methods[method];
    if (!call) throw new AppError({ code: 'INTERNAL', message: `The engine has no method ${method}.` });
    const context: CallContext = {
      signal: controller.signal,
      onProgress: (progress) => void writeValue(socket, frameKind.progress, progress),
    };
    const value = await call(input, context);
    if (!isByteStream(value)) return await writeValue(socket, frameKind.result, value);
    const frames = new FrameBatch(socket);
    const release = value.release?.bind(value);
    await frames.add(frameKind.streamStart, serialize(value.facts));
    for await (const chunk of value.chunks) {
      if (controller.signal.aborted) return;
      await frames.add(frameKind.chunk, chunk, release && (() => release(chunk)));
    }
    await frames.add(frameKind.streamEnd, new Uint8Array(0));
    frames.flush();
  } catch (error) {
    if (!controller.signal.aborted) await writeValue(socket, frameKind.error, errorFacts(error));
  }
}

/**
 * Serves the methods of ports on the Unix socket that the parent names in argv. One call at a time per connection;
 * a connection that closes aborts its call. The process ends with its parent.
 */
export function serveEngine(ports: object[]): void {
  const methods: Record<string, Method> = {};
  for (const port of ports) {
    for (const [name, method] of Object.entries(port)) methods[name] = (method as Method).bind(port);
  }
  const socketPath = process.argv[2];
  if (!socketPath) throw new Error('An engine is started by the server, with the path of its socket.');
  const busy = new Set<Promise<void>>();
  methods[idleMethod] = async () => {
    await Promise.all(busy);
    return null;
  };
  const server = createServer((socket) => {
    let controller = new AbortController();
    const reader = new FrameReader((kind, payload) => {
      if (kind !== frameKind.call) return;
      controller = new AbortController();
      const work = answer(socket, methods, payload, controller);
      busy.add(work);
      void work.finally(() => busy.delete(work));
    });
    socket.on('data', (data) => reader.push(data));
    socket.on('error', () => undefined);
    socket.on('close', () => controller.abort());
  });
  server.listen(socketPath, () => process.send?.('ready'));
  process.on('disconnect', () => {
    rmSync(socketPath, { force: true });
    process.exit(0);
  });
  process.on('SIGINT', () => undefined);
}
