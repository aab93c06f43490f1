import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import type { AppErrorFacts } from '#shared/api/problem.ts';

/** Kinds of frames between the server and its engines. A frame is `[u32 length][u8 kind][payload]`. */
export const frameKind = {
  call: 1,
  result: 2,
  streamStart: 3,
  chunk: 4,
  streamEnd: 5,
  error: 6,
  progress: 7,
  proceed: 8,
  ask: 9,
  give: 10,
} as const;
export type FrameKind = (typeof frameKind)[keyof typeof frameKind];

export interface CallFrame {
  method: string;
  input: unknown;
  /** The caller can give large streams the socket of its client. */
  canHandOver?: boolean;
  /** The size of the value that the engine may ask for parts of. */
  sourceBytes?: number;
}

/** An engine asks for a part of the value that its call is about. */
export interface AskFrame {
  id: number;
  start: number;
  end: number;
}

/** The answer to it. */
export type GiveFrame = { id: number; bytes: Uint8Array } | { id: number; error: AppErrorFacts };

export interface StreamStartFrame {
  facts: unknown;
  /** The engine waits for a `proceed`: it would rather write to the client itself. */
  isOffered: boolean;
}

/** Where an offered stream goes: to the caller, or to the client's socket that comes with this id. */
export interface ProceedFrame {
  client: { id: string; head: string } | null;
}

/** What accompanies a socket that is given to an engine. */
export interface ClientMessage {
  kind: 'client';
  id: string;
}

/** What an engine tells beside its answers: that it listens, and how much memory it has when nothing is left to do. */
export type EngineMessage = { kind: 'ready' } | { kind: 'memory'; residentBytes: number };

/** A call that every engine answers as soon as it works on nothing else. */
export const idleMethod = 'engine.idle';

const headerSize = 5;

/** Resolves when the socket takes more, or is gone. */
export const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const settle = () => {
      socket.off('drain', settle);
      socket.off('close', settle);
      resolve();
    };
    socket.on('drain', settle);
    socket.on('close', settle);
  });

const batchBytes = 64 * 1024;

/** Frames of one stream: small ones leave together, at the latest when the process has nothing else to do. */
export class FrameBatch {
  #socket: Socket;
  #bytes = 0;
  #isCorked = false;
  #timer: NodeJS.Immediate | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Resolves when the socket takes more; `onSent` hears when it is done with the payload. */
  add(kind: FrameKind, payload: Uint8Array, onSent?: () => void): Promise<void> {
    const header = Buffer.allocUnsafe(headerSize);
    header.writeUInt32LE(payload.byteLength, 0);
    header[4] = kind;
    if (!this.#isCorked) {
      this.#socket.cork();
      this.#isCorked = true;
      this.#timer = setImmediate(() => this.flush());
    }
    this.#socket.write(header);
    const isReady = payload.byteLength === 0 || this.#socket.write(payload, onSent);
    this.#bytes += headerSize + payload.byteLength;
    if (this.#bytes >= batchBytes) this.flush();
    return isReady || this.#socket.destroyed ? Promise.resolve() : drained(this.#socket);
  }

  flush(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#bytes = 0;
    if (this.#timer) clearImmediate(this.#timer);
    this.#socket.uncork();
  }
}

/** Writes a value as one frame; resolves when the socket takes more. */
export function writeValue(socket: Socket, kind: FrameKind, value: unknown): Promise<void> {
  const frames = new FrameBatch(socket);
  const isReady = frames.add(kind, serialize(value));
  frames.flush();
  return isReady;
}

export const readValue = (payload: Uint8Array): unknown => deserialize(payload);

/**
 * Cuts a byte stream into frames. Chunk frames are handed on in pieces as they arrive, as parts of what was pushed;
 * the payloads of all others are copies, since values that are read from them point into them.
 */
export class FrameReader {
  #header = Buffer.alloc(headerSize);
  #headerFill = 0;
  #kind: FrameKind | null = null;
  #left = 0;
  #payload: Buffer = Buffer.alloc(0);
  #onFrame: (kind: FrameKind, payload: Uint8Array) => void;

  constructor(onFrame: (kind: FrameKind, payload: Uint8Array) => void) {
    this.#onFrame = onFrame;
  }

  push(data: Uint8Array): void {
    let at = 0;
    while (at < data.length) {
      if (this.#kind === null) {
        const take = Math.min(headerSize - this.#headerFill, data.length - at);
        this.#header.set(data.subarray(at, at + take), this.#headerFill);
        this.#headerFill += take;
        at += take;
        if (this.#headerFill < headerSize) return;
        this.#begin();
        continue;
      }
      const take = Math.min(this.#left, data.length - at);
      const part = data.subarray(at, at + take);
      at += take;
      if (this.#kind === frameKind.chunk) {
        this.#left -= take;
        if (this.#left === 0) this.#kind = null;
        this.#onFrame(frameKind.chunk, part);
      } else {
        this.#payload.set(part, this.#payload.length - this.#left);
        this.#left -= take;
        if (this.#left === 0) this.#finish();
      }
    }
  }

  #begin(): void {
    this.#left = this.#header.readUInt32LE(0);
    this.#kind = this.#header[4] as FrameKind;
    this.#headerFill = 0;
    if (this.#kind !== frameKind.chunk) this.#payload = Buffer.allocUnsafeSlow(this.#left);
    if (this.#left === 0) this.#finish();
  }

  #finish(): void {
    const kind = this.#kind as FrameKind;
    const payload = this.#payload;
    this.#kind = null;
    this.#payload = Buffer.alloc(0);
    if (kind !== frameKind.chunk) this.#onFrame(kind, payload);
  }
}
