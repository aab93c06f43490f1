import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, type AppErrorFacts, abortedError } from '#shared/api/problem.ts';
import type { CallContext, Progress } from '../../ports/call.ts';
import { type FrameKind, FrameReader, frameKind, readValue, writeValue } from './frames.ts';

export interface EnginePoolOptions {
  /** For messages and logs: `reader`, `writer`, `sql`, … */
  name: string;
  /** The engine's entry module. */
  module: URL;
  /** Passed on as JSON in `CURIO_ENGINE`. */
  settings: unknown;
  env?: Record<string, string>;
  /** Processes at most; they start when they are needed. */
  size: number;
  /** Calls at once in one process. With 1 a crash can only ever hit the call that caused it. */
  callsPerProcess: number;
  onLog?: (line: string) => void;
}

interface Engine {
  child: ChildProcess;
  socketPath: string;
  ready: Promise<void>;
  idle: Socket[];
  calls: number;
  isGone: boolean;
}

const startTimeoutMs = 60_000;
/** What connecting to the socket of a process that has just died says. */
const diedBefore: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET']);

/** Child processes that may die: a call that was in one gets ENGINE_CRASHED, and the next call starts a new one. */
export class EnginePool {
  #options: EnginePoolOptions;
  #engines: Engine[] = [];
  #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
  }

  /** Starts one process ahead of the first call. */
  async warm(): Promise<void> {
    if (this.#engines.length === 0 && !this.#isClosed) await this.#start().ready;
  }

  async call(method: string, input: unknown, context: CallContext): Promise<unknown> {
    context.signal.throwIfAborted();
    const engine = await this.#take(context.signal);
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      engine.calls -= 1;
      this.#waiting.shift()?.();
    };
    try {
      await engine.ready;
      const socket = await this.#connect(engine);
      if (!socket) {
        release();
        return await this.call(method, input, context);
      }
      return await runCall({ name: this.#options.name, socket, method, input, context }, (end) => {
        if (end === 'crashed') this.#forget(engine);
        if (end === 'reusable' && !engine.isGone) engine.idle.push(socket.resume());
        else socket.destroy();
        release();
      });
    } catch (error) {
      release();
      throw context.signal.aborted ? abortedError() : error;
    }
  }

  /** A connection to the engine; null when it died since its last call, before this one reached it. */
  async #connect(engine: Engine): Promise<Socket | null> {
    const idle = engine.idle.pop();
    if (idle && !idle.destroyed && !engine.isGone) return idle;
    try {
      return await openSocket(engine.socketPath);
    } catch (error) {
      if (!diedBefore.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      this.#forget(engine);
      return null;
    }
  }

  /** Takes an engine that is dying out of the pool at once; its process is ended for certain. */
  #forget(engine: Engine): void {
    engine.isGone = true;
    this.#engines = this.#engines.filter((other) => other !== engine);
    engine.child.kill('SIGKILL');
  }

  /** Process ids of the engines that run now; for tests that kill them. */
  pids(): number[] {
    return this.#engines.flatMap((engine) => (engine.child.pid === undefined ? [] : [engine.child.pid]));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const gone = this.#engines.map(
      (engine) =>
        new Promise<void>((resolve) =>
          engine.isGone ? resolve() : engine.child.once('exit', () => resolve()),
        ),
    );
    for (const engine of this.#engines) engine.child.kill('SIGKILL');
    await Promise.all(gone);
  }

  async #take(signal: AbortSignal): Promise<Engine> {
    for (;;) {
      if (this.#isClosed) throw new AppError({ code: 'ABORTED', message: 'The server is stopping.' });
      signal.throwIfAborted();
      const free = this.#engines
        .filter((engine) => !engine.isGone && engine.calls < this.#options.callsPerProcess)
        .sort((a, b) => a.calls - b.calls)[0];
      const canStart = this.#engines.length < this.#options.size;
      const engine = free && (free.calls === 0 || !canStart) ? free : canStart ? this.#start() : free;
      if (engine) {
        engine.calls += 1;
        return engine;
      }
      await new Promise<void>((resolve, reject) => {
        const wake = () => {
          signal.removeEventListener('abort', drop);
          resolve();
        };
        const drop = () => {
          this.#waiting = this.#waiting.filter((entry) => entry !== wake);
          reject(abortedError());
        };
        signal.addEventListener('abort', drop, { once: true });
        this.#waiting.push(wake);
      });
    }
  }

  #start(): Engine {
    const { module, settings, env, name, onLog } = this.#options;
    const socketPath = join(tmpdir(), `curio-${name}-${randomUUID().slice(0, 13)}.sock`);
    const child = fork(module, [socketPath], {
      env: { ...process.env, ...env, CURIO_ENGINE: JSON.stringify(settings) },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const engine: Engine = { child, socketPath, ready: Promise.resolve(), idle: [], calls: 0, isGone: false };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => onLog?.(`[${name}] ${text.trimEnd()}`));
    }
    engine.ready = new Promise((resolve, reject) => {
      const fail = () => reject(crashed(name));
      const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
      child.once('message', () => {
        clearTimeout(timer);
        resolve();
      });
      child.once('exit', () => {
        clearTimeout(timer);
        fail();
      });
    });
    engine.ready.catch(() => undefined);
    child.once('exit', () => {
      engine.isGone = true;
      this.#engines = this.#engines.filter((other) => other !== engine);
      for (const socket of engine.idle) socket.destroy();
      void rm(socketPath, { force: true });
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.#engines.push(engine);
    return engine;
  }
}

const crashed = (name: string): AppError =>
  new AppError({
    code: 'ENGINE_CRASHED',
    message: `The ${name} engine stopped while it worked on this request; it has been started again.`,
    hint: 'Nothing was lost. Try again; if it happens again, make the filter or statement simpler.',
  });

function openSocket(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

interface Call {
  name: string;
  socket: Socket;
  method: string;
  input: unknown;
  context: CallContext;
}

/** Runs one call on a connection. `onEnd` hears once how it ended: is the connection still good, or the process gone? */
function runCall(
  { name, socket, method, input, context }: Call,
  onEnd: (end: 'reusable' | 'left' | 'crashed') => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let stream: ChunkQueue | null = null;
    const fail = (error: unknown) => {
      stream?.fail(error);
      reject(error);
    };
    const finish = (end: 'reusable' | 'left' | 'crashed') => {
      context.signal.removeEventListener('abort', onAbort);
      socket.removeAllListeners('data').removeAllListeners('close');
      onEnd(end);
    };
    const onAbort = () => {
      finish('left');
      fail(abortedError());
    };
    const onFrame = (kind: FrameKind, payload: Buffer) => {
      switch (kind) {
        case frameKind.progress:
          return context.onProgress?.(readValue(payload) as Progress);
        case frameKind.result:
          finish('reusable');
          return resolve(readValue(payload));
        case frameKind.error:
          finish('reusable');
          return fail(new AppError(readValue(payload) as AppErrorFacts));
        case frameKind.streamStart:
          stream = new ChunkQueue(socket, () => finish('left'));
          return resolve({ facts: readValue(payload), chunks: stream });
        case frameKind.chunk:
          return stream?.push(payload);
        case frameKind.streamEnd:
          finish('reusable');
          return stream?.end();
      }
    };
    const reader = new FrameReader(onFrame);
    socket.on('data', (data) => reader.push(data));
    socket.once('close', () => {
      finish('crashed');
      fail(crashed(name));
    });
    context.signal.addEventListener('abort', onAbort, { once: true });
    if (context.signal.aborted) return onAbort();
    void writeValue(socket, frameKind.call, { method, input });
  });
}

const highWaterBytes = 4 * 1024 * 1024;

/** Chunks from the socket to one reader, with back-pressure. */
class ChunkQueue implements AsyncIterable<Uint8Array> {
  #socket: Socket;
  #onStop: () => void;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #state: 'open' | 'ended' | 'failed' = 'open';
  #error: unknown;
  #wake: (() => void) | null = null;

  constructor(socket: Socket, onStop: () => void) {
    this.#socket = socket;
    this.#onStop = onStop;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes > highWaterBytes) this.#socket.pause();
    this.#notify();
  }

  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#notify();
  }

  fail(error: unknown): void {
    if (this.#state === 'open') {
      this.#state = 'failed';
      this.#error = error;
    }
    this.#notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk) {
          this.#bytes -= chunk.byteLength;
          if (this.#bytes <= highWaterBytes / 2 && this.#state === 'open') this.#socket.resume();
          yield chunk;
        } else if (this.#state === 'ended') {
          return;
        } else if (this.#state === 'failed') {
          throw this.#error;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      if (this.#state === 'open') {
        this.#state = 'ended';
        this.#onStop();
      }
    }
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
