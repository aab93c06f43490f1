import { rmSync, writeFileSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { serialize } from 'node:v8';
import { AppError, type AppErrorFacts, isAppError } from '#shared/api/problem.ts';
import type { ByteStream, CallContext } from '../../ports/call.ts';
import { ClientSockets, sendToClient } from './client-socket.ts';
import {
  type CallFrame,
  type ClientMessage,
  type EngineMessage,
  FrameBatch,
  FrameReader,
  frameKind,
  type GiveFrame,
  idleMethod,
  type ProceedFrame,
  readValue,
  type StreamStartFrame,
  writeValue,
} from './frames.ts';
import { IdleMemory } from './idle-memory.ts';
import { RemoteSource } from './source-parts.ts';

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

/** Streams from this size on are offered to go to the client directly. */
const offeredBytes = 8 * 1024 * 1024;

/** One call of a connection. */
class Call {
  readonly controller = new AbortController();
  #socket: Socket;
  #clients: ClientSockets;
  #proceed: (frame: ProceedFrame) => void = () => undefined;
  #source: RemoteSource | null = null;

  constructor(socket: Socket, clients: ClientSockets) {
    this.#socket = socket;
    this.#clients = clients;
  }

  proceed(frame: ProceedFrame): void {
    this.#proceed(frame);
  }

  give(frame: GiveFrame): void {
    this.#source?.take(frame);
  }

  async answer(
    methods: Record<string, Method>,
    { method, input, canHandOver = false, sourceBytes }: CallFrame,
  ): Promise<void> {
    const { signal } = this.controller;
    if (sourceBytes !== undefined)
      this.#source = new RemoteSource(
        sourceBytes,
        (frame) => void writeValue(this.#socket, frameKind.ask, frame),
        signal,
      );
    try {
      const call = methods[method];
      if (!call) throw new AppError({ code: 'INTERNAL', message: `The engine has no method ${method}.` });
      const value = await call(input, {
        signal,
        onProgress: (progress) => void writeValue(this.#socket, frameKind.progress, progress),
        ...(this.#source ? { source: this.#source } : {}),
      });
      if (isByteStream(value))
        await this.#stream(value, canHandOver && (value.expectedBytes ?? 0) >= offeredBytes);
      else await writeValue(this.#socket, frameKind.result, value);
    } catch (error) {
      if (!signal.aborted) await writeValue(this.#socket, frameKind.error, errorFacts(error));
    }
  }

  /** The facts leave with the first chunk: one wake-up of the reader in place of two. */
  async #stream(stream: ByteStream, isOffered: boolean): Promise<void> {
    const start: StreamStartFrame = { facts: stream.facts, isOffered };
    const frames = new FrameBatch(this.#socket);
    let isStarted = false;
    const begin = () => {
      if (!isStarted) void frames.add(frameKind.streamStart, serialize(start));
      isStarted = true;
    };
    if (isOffered) {
      begin();
      frames.flush();
      const { client } = await this.#decision();
      if (client) {
        await this.#streamToClient(stream, client);
        return writeValue(this.#socket, frameKind.streamEnd, null);
      }
    }
    const release = stream.release?.bind(stream);
    for await (const chunk of stream.chunks) {
      if (this.controller.signal.aborted) return;
      begin();
      await frames.add(frameKind.chunk, chunk, release && (() => release(chunk)));
    }
    begin();
    await frames.add(frameKind.streamEnd, new Uint8Array(0));
    frames.flush();
  }

  async #streamToClient(
    { chunks, release }: ByteStream,
    { id, head }: { id: string; head: string },
  ): Promise<void> {
    const client = await this.#clients.take(id);
    if (!client) return;
    client.once('close', () => this.controller.abort());
    try {
      await sendToClient(client, { head, chunks, ...(release ? { release } : {}) });
    } catch (error) {
      client.destroy();
      if (!this.controller.signal.aborted) errorFacts(error);
    }
  }

  /** Resolves with where the stream goes; rejects when the caller goes away instead. */
  #decision(): Promise<ProceedFrame> {
    return new Promise((resolve, reject) => {
      this.#proceed = resolve;
      this.controller.signal.addEventListener('abort', () => reject(this.controller.signal.reason), {
        once: true,
      });
    });
  }
}

const tell = (message: EngineMessage): void => {
  if (process.connected) process.send?.(message);
};

export interface ServeOptions {
  /** Gives what native code has freed back to the system; called when the process is idle and has grown. */
  trim?(): Promise<void>;
}

/** When memory runs out, Linux shall end the engines and not the server, which starts them again. */
function offerToDieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Other systems have no such file.
  }
}

function receiveClients(): ClientSockets {
  const clients = new ClientSockets();
  process.on('message', (message: ClientMessage, socket?: unknown) => {
    if (message?.kind === 'client') clients.add(message.id, socket instanceof Socket ? socket : null);
  });
  return clients;
}

/**
 * Serves the methods of ports on the Unix socket that the parent names in argv. One call at a time per connection;
 * a connection that closes aborts its call. The process ends with its parent.
 */
export function serveEngine(ports: object[], { trim }: ServeOptions = {}): void {
  const methods: Record<string, Method> = {};
  for (const port of ports) {
    for (const [name, method] of Object.entries(port)) methods[name] = (method as Method).bind(port);
  }
  offerToDieFirst();
  const socketPath = process.argv[2];
  if (!socketPath) throw new Error('An engine is started by the server, with the path of its socket.');
  const busy = new Set<Promise<void>>();
  methods[idleMethod] = async () => {
    await Promise.all(busy);
    return null;
  };
  const clients = receiveClients();
  const memory = new IdleMemory({
    ...(trim ? { trim } : {}),
    isBusy: () => busy.size > 0,
    tell: (residentBytes) => tell({ kind: 'memory', residentBytes }),
  });
  const server = createServer((socket) => {
    let call = new Call(socket, clients);
    const reader = new FrameReader((kind, payload) => {
      if (kind === frameKind.proceed) return call.proceed(readValue(payload) as ProceedFrame);
      if (kind === frameKind.give) return call.give(readValue(payload) as GiveFrame);
      if (kind !== frameKind.call) return;
      call = new Call(socket, clients);
      const work = call.answer(methods, readValue(payload) as CallFrame);
      busy.add(work);
      void work.finally(() => {
        busy.delete(work);
        if (busy.size === 0) memory.settle();
      });
    });
    socket.on('data', (data) => reader.push(data));
    socket.on('error', () => undefined);
    socket.on('close', () => call.controller.abort());
  });
  server.listen(socketPath, () => tell({ kind: 'ready' }));
  process.on('disconnect', () => {
    rmSync(socketPath, { force: true });
    // Leaving in order waits for native work that is under way, which may never end.
    process.kill(process.pid, 'SIGKILL');
  });
  process.on('SIGINT', () => undefined);
}
