import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { AppError, type AppErrorFacts, abortedError } from '#shared/api/problem.ts';
import type { ByteStream, CallContext, Progress } from '../../ports/call.ts';
import { ChunkQueue, type ChunkSource } from './chunk-queue.ts';
import type { EngineConnection } from './engine-connection.ts';
import {
  type AskFrame,
  type ClientMessage,
  type FrameKind,
  frameKind,
  readValue,
  type StreamStartFrame,
} from './frames.ts';
import { answerAsks } from './source-parts.ts';

export const crashed = (name: string): AppError =>
  new AppError({
    code: 'ENGINE_CRASHED',
    message: `The ${name} engine stopped while it worked on this request; it has been started again.`,
    hint: 'Nothing was lost. Try again; if it happens again, make the filter or statement simpler.',
  });

export const timedOut = (name: string, afterMs: number): AppError =>
  new AppError({
    code: 'TIMEOUT',
    message: `The ${name} engine worked on this for more than ${Math.round(afterMs / 1000)} s and was stopped.`,
    hint: 'Nothing was lost, and other requests go on.',
  });

export type CallEnd = 'reusable' | 'left' | 'crashed';

export interface Call {
  name: string;
  connection: EngineConnection;
  source: ChunkSource;
  method: string;
  input: unknown;
  context: CallContext;
  /** Gives a client's socket to the engine; absent where that is not done. */
  giveSocket?(socket: Socket, message: ClientMessage): void;
}

/** A connection that tells when its stream waits for a slow reader (+1) and when it goes on (-1). */
export class StallWatch implements ChunkSource {
  #source: ChunkSource;
  #onChange: (change: 1 | -1) => void;
  #isStalled = false;

  constructor(source: ChunkSource, onChange: (change: 1 | -1) => void) {
    this.#source = source;
    this.#onChange = onChange;
  }

  pause(): void {
    this.#source.pause();
    this.#set(true);
  }

  resume(): void {
    this.#source.resume();
    this.#set(false);
  }

  release(chunk: Uint8Array): void {
    this.#source.release(chunk);
  }

  end(): void {
    this.#set(false);
  }

  #set(isStalled: boolean): void {
    if (isStalled === this.#isStalled) return;
    this.#isStalled = isStalled;
    this.#onChange(isStalled ? 1 : -1);
  }
}

/** Runs one call on a connection. `onEnd` hears once how it ended: is the connection still good, or the process gone? */
export function runCall(
  { name, connection, source, method, input, context, giveSocket }: Call,
  onEnd: (end: CallEnd) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let stream: ChunkQueue | null = null;
    let onWritten = () => {};
    let isOver = false;
    const fail = (error: unknown) => {
      stream?.fail(error);
      reject(error);
    };
    const finish = (end: CallEnd) => {
      isOver = true;
      context.signal.removeEventListener('abort', onAbort);
      connection.end();
      onEnd(end);
      onWritten();
    };
    const onAbort = () => {
      finish('left');
      fail(abortedError());
    };
    const { source: value } = context;
    const onAsk = value && answerAsks(value, (frame) => !isOver && connection.give(frame));
    const onFrame = (kind: FrameKind, payload: Uint8Array) => {
      switch (kind) {
        case frameKind.progress:
          return context.onProgress?.(readValue(payload) as Progress);
        case frameKind.ask:
          return onAsk?.(readValue(payload) as AskFrame);
        case frameKind.result:
          finish('reusable');
          return resolve(readValue(payload));
        case frameKind.error:
          finish('reusable');
          return fail(new AppError(readValue(payload) as AppErrorFacts));
        case frameKind.streamStart:
          return resolve(startStream(readValue(payload) as StreamStartFrame));
        case frameKind.chunk:
          return stream?.push(payload);
        case frameKind.streamEnd:
          finish('reusable');
          return stream?.end();
      }
    };
    const startStream = ({ facts, isOffered }: StreamStartFrame): ByteStream => {
      const onBegin = isOffered ? () => connection.proceed({ client: null }) : null;
      const queue = new ChunkQueue(source, { onBegin, onStop: () => finish('left') });
      stream = queue;
      const handOver = (client: object, head: string): Promise<void> => {
        const id = randomUUID();
        context.signal.removeEventListener('abort', onAbort);
        giveSocket?.(client as Socket, { kind: 'client', id });
        connection.proceed({ client: { id, head } });
        return new Promise((written) => {
          onWritten = written;
        });
      };
      return {
        facts,
        chunks: queue,
        release: (chunk) => source.release(chunk),
        ...(isOffered ? { handOver } : {}),
      };
    };
    const onClose = () => {
      finish('crashed');
      fail(crashed(name));
    };
    if (context.signal.aborted) {
      finish('reusable');
      return fail(abortedError());
    }
    context.signal.addEventListener('abort', onAbort, { once: true });
    connection.begin(
      { method, input, canHandOver: giveSocket !== undefined, sourceBytes: value?.sizeBytes },
      { onFrame, onClose },
    );
  });
}
