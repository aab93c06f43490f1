import { connect, type Socket } from 'node:net';
import type { ChunkSource } from './chunk-queue.ts';
import {
  type CallFrame,
  type FrameKind,
  FrameReader,
  frameKind,
  type GiveFrame,
  type ProceedFrame,
  writeValue,
} from './frames.ts';
import { ReadBuffers } from './read-buffers.ts';

export interface ConnectionHandlers {
  onFrame(kind: FrameKind, payload: Uint8Array): void;
  onClose(): void;
}

const buffers = new ReadBuffers();

/** One connection to an engine, for one call after the other. Chunks are parts of the buffers that the socket reads into. */
export class EngineConnection implements ChunkSource {
  #socket!: Socket;
  #handlers: ConnectionHandlers | null = null;
  #isClosed = false;

  static open(path: string): Promise<EngineConnection> {
    return new Promise((resolve, reject) => {
      const connection = new EngineConnection();
      let buffer = buffers.take();
      const reader = new FrameReader((kind, payload) => {
        if (kind === frameKind.chunk) buffers.hold(buffer);
        connection.#handlers?.onFrame(kind, payload);
      });
      const socket = connect({
        path,
        onread: {
          buffer: () => {
            if (buffers.isHeld(buffer)) buffer = buffers.take();
            return buffer;
          },
          callback: (size) => {
            reader.push(buffer.subarray(0, size));
            return true;
          },
        },
      });
      connection.#socket = socket;
      socket.once('connect', () => {
        socket.off('error', reject);
        socket.on('error', () => undefined);
        resolve(connection);
      });
      socket.once('error', reject);
      socket.once('close', () => {
        connection.#isClosed = true;
        if (!buffers.isHeld(buffer)) buffers.give(buffer);
        connection.#handlers?.onClose();
      });
    });
  }

  get isOpen(): boolean {
    return !this.#isClosed && !this.#socket.destroyed;
  }

  /** Sends a call; its frames go to the handlers until `end`. */
  begin(call: CallFrame, handlers: ConnectionHandlers): void {
    this.#handlers = handlers;
    this.#socket.resume();
    void writeValue(this.#socket, frameKind.call, call);
  }

  proceed(frame: ProceedFrame): void {
    void writeValue(this.#socket, frameKind.proceed, frame);
  }

  give(frame: GiveFrame): void {
    if (this.isOpen) void writeValue(this.#socket, frameKind.give, frame);
  }

  /** The call is over: nobody listens until the next one. */
  end(): void {
    this.#handlers = null;
    this.#socket.resume();
  }

  destroy(): void {
    this.#handlers = null;
    this.#socket.destroy();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  release(chunk: Uint8Array): void {
    buffers.release(chunk);
  }
}
