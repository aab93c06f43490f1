import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, abortedError } from '#shared/api/problem.ts';
import type { CallContext } from '../../ports/call.ts';
import { crashed, runCall, StallWatch, timedOut } from './engine-call.ts';
import { EngineConnection } from './engine-connection.ts';
import { type ClientMessage, type EngineMessage, idleMethod } from './frames.ts';
import type { KeptProcess, MemoryKeeper } from './memory-keeper.ts';

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
  /**
   * How long a call that was given up may go on in a process of its own before the process is ended. Native code does
   * not always hear an abort, and until it is over a crash would still be that call's.
   */
  graceMs?: number;
  /** How long one call may take once a process works on it; then it fails with TIMEOUT. For calls that give values. */
  maxCallMs?: number;
  /** A process that is idle and has more memory than this is ended: what native code once took it seldom gives back. */
  maxIdleBytes?: number;
  /** A process that nobody has asked for so long is ended; the next call starts another. */
  maxRestMs?: number;
  /** Ends idle processes where all pools together hold too much. */
  keeper?: MemoryKeeper;
  /** Large streams go from the process to the client's socket. */
  handsOver?: boolean;
  onLog?: (line: string) => void;
}

interface Engine {
  child: ChildProcess;
  socketPath: string;
  ready: Promise<void>;
  idle: EngineConnection[];
  calls: number;
  /** Streams that wait for a slow reader. */
  stalled: number;
  /** Streams that it writes to clients itself. */
  handedOver: number;
  /** Memory when its last call was over; 0 while it is small. */
  residentBytes: number;
  rest: NodeJS.Timeout | null;
  isGone: boolean;
}

const startTimeoutMs = 60_000;
const defaultGraceMs = 2_000;
const longStreamMs = 2_000;
const maxStalledFactor = 4;
/** What connecting to the socket of a process that has just died says. */
const diedBefore: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET']);

/** Node would keep a book of sockets that were given away, and a server could not close while a process that died is in it. */
const forgetServer = (socket: Socket & { server?: unknown }): void => {
  socket.server = null;
};

const isIdle = ({ calls, handedOver }: Engine): boolean => calls === 0 && handedOver === 0;

/** Child processes that may die: a call that was in one gets ENGINE_CRASHED, and the next call starts a new one. */
export class EnginePool {
  #options: EnginePoolOptions;
  #engines: Engine[] = [];
  #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
    options.keeper?.add(() => this.#processes());
  }

  /** Starts one process ahead of the first call. */
  async warm(): Promise<void> {
    if (this.#engines.length === 0 && !this.#isClosed) await this.#start().ready;
  }

  async call(method: string, input: unknown, context: CallContext): Promise<unknown> {
    context.signal.throwIfAborted();
    const engine = await this.#take(context);
    context.onTurn?.('working');
    const onOver = this.#options.keeper?.follow();
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      onOver?.();
      engine.calls -= 1;
      this.#forgetIdle(engine);
      this.#letRest(engine);
      this.#waiting.shift()?.();
    };
    let connection: EngineConnection | null;
    try {
      await engine.ready;
      connection = await this.#connect(engine);
    } catch (error) {
      release();
      throw context.signal.aborted ? abortedError() : error;
    }
    if (!connection) {
      release();
      return this.call(method, input, context);
    }
    const source = new StallWatch(connection, (change) => {
      engine.stalled += change;
      if (change > 0) this.#waiting.shift()?.();
    });
    const { name, handsOver, maxCallMs, callsPerProcess } = this.#options;
    let handedOver: { end(): void } | null = null;
    const giveSocket = (socket: Socket, message: ClientMessage): void => {
      handedOver = this.#countHandedOver(engine);
      if (callsPerProcess > 1) release();
      forgetServer(socket);
      engine.child.send(message, socket, () => socket.destroy());
    };
    const deadline = maxCallMs === undefined ? null : AbortSignal.timeout(maxCallMs);
    const call = {
      name,
      connection,
      source,
      method,
      input,
      context: deadline ? { ...context, signal: AbortSignal.any([context.signal, deadline]) } : context,
      ...(handsOver ? { giveSocket } : {}),
    };
    const result = runCall(call, (end) => {
      handedOver?.end();
      source.end();
      if (end === 'crashed') this.#forget(engine);
      if (end === 'reusable' && !engine.isGone) engine.idle.push(connection);
      else connection.destroy();
      if (end === 'left' && callsPerProcess === 1) void this.#settle(engine).finally(release);
      else release();
    });
    return result.catch((error: unknown) => {
      throw deadline?.aborted && !context.signal.aborted ? timedOut(name, maxCallMs ?? 0) : error;
    });
  }

  /** Nobody sees how a client reads what the process writes: a stream that takes long counts as waiting for its reader. */
  #countHandedOver(engine: Engine): { end(): void } {
    let slow = 0;
    engine.handedOver += 1;
    const timer = setTimeout(() => {
      slow = 1;
      engine.stalled += slow;
      this.#waiting.shift()?.();
    }, longStreamMs).unref();
    return {
      end() {
        clearTimeout(timer);
        engine.handedOver -= 1;
        engine.stalled -= slow;
      },
    };
  }

  #letRest(engine: Engine): void {
    const { maxRestMs } = this.#options;
    if (maxRestMs === undefined) return;
    if (engine.rest) clearTimeout(engine.rest);
    engine.rest = setTimeout(() => {
      if (isIdle(engine)) this.#forget(engine);
    }, maxRestMs).unref();
  }

  #processes(): KeptProcess[] {
    return this.#engines.flatMap((engine) => {
      const { pid } = engine.child;
      return pid === undefined ? [] : [{ pid, isIdle: isIdle(engine), end: () => this.#forget(engine) }];
    });
  }

  /** Ends an idle process that is one too many, or that has grown too large: then another is ready for the next call. */
  #forgetIdle(engine: Engine): void {
    const { size, maxIdleBytes = Number.POSITIVE_INFINITY } = this.#options;
    const isTooLarge = engine.residentBytes > maxIdleBytes;
    const isUnwanted = this.#engines.length > size || isTooLarge;
    if (!isUnwanted || !isIdle(engine)) return;
    this.#forget(engine);
    if (isTooLarge) void this.warm().catch(() => undefined);
  }

  /** A connection to the engine; null when it died since its last call, before this one reached it. */
  async #connect(engine: Engine): Promise<EngineConnection | null> {
    const idle = engine.idle.pop();
    if (idle?.isOpen && !engine.isGone) return idle;
    try {
      return await EngineConnection.open(engine.socketPath);
    } catch (error) {
      if (!diedBefore.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      this.#forget(engine);
      return null;
    }
  }

  /** Waits until the engine has stopped working on a call that was given up; ends the process when it does not. */
  async #settle(engine: Engine): Promise<void> {
    const signal = AbortSignal.timeout(this.#options.graceMs ?? defaultGraceMs);
    const { name } = this.#options;
    const connection = await this.#connect(engine).catch(() => null);
    if (!connection) return;
    const call = {
      name,
      connection,
      source: connection,
      method: idleMethod,
      input: null,
      context: { signal },
    };
    await runCall(call, (end) => {
      if (end === 'reusable' && !engine.isGone) engine.idle.push(connection);
      else connection.destroy();
    }).catch(() => this.#forget(engine));
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
    const sockets = this.#engines.map(({ socketPath }) => socketPath);
    for (const engine of this.#engines) engine.child.kill('SIGKILL');
    await Promise.all(gone);
    await Promise.all(sockets.map((path) => rm(path, { force: true })));
  }

  async #take({ signal, onTurn }: CallContext): Promise<Engine> {
    for (;;) {
      if (this.#isClosed) throw new AppError({ code: 'ABORTED', message: 'The server is stopping.' });
      signal.throwIfAborted();
      const free = this.#engines
        .filter((engine) => !engine.isGone && engine.calls < this.#options.callsPerProcess)
        .sort((a, b) => a.calls - b.calls)[0];
      const canStart = this.#canStart();
      const engine = free && (free.calls === 0 || !canStart) ? free : canStart ? this.#start() : free;
      if (engine) {
        engine.calls += 1;
        return engine;
      }
      onTurn?.('waiting');
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

  /** Processes whose calls all wait for slow readers do not count, up to a limit: nobody may keep the others out. */
  #canStart(): boolean {
    const { size, callsPerProcess } = this.#options;
    const working = this.#engines.filter(({ stalled }) => stalled < callsPerProcess).length;
    return working < size && this.#engines.length < size * maxStalledFactor;
  }

  #start(): Engine {
    const { module, settings, env, name, onLog } = this.#options;
    const socketPath = join(tmpdir(), `curio-${name}-${randomUUID().slice(0, 13)}.sock`);
    const child = fork(module, [socketPath], {
      env: { ...process.env, ...env, CURIO_ENGINE: JSON.stringify(settings) },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const engine: Engine = {
      child,
      socketPath,
      ready: Promise.resolve(),
      idle: [],
      calls: 0,
      stalled: 0,
      handedOver: 0,
      residentBytes: 0,
      rest: null,
      isGone: false,
    };
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
    child.on('message', (message: EngineMessage) => {
      if (message.kind !== 'memory') return;
      engine.residentBytes = message.residentBytes;
      this.#forgetIdle(engine);
    });
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
