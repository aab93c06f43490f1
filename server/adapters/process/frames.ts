import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** Kinds of frames between the server and its engines. A frame is `[u32 length][u8 kind][payload]`. */
export const frameKind = {
  call: 1,
  result: 2,
  streamStart: 3,
  chunk: 4,
  streamEnd: 5,
  error: 6,
  progress: 7,
} as const;
export type FrameKind = (typeof frameKind)[keyof typeof frameKind];

const headerSize = 5;

/** Writes one frame; resolves when the socket takes more. */
export function writeFrame(socket: Socket, kind: FrameKind, payload: Uint8Array): Promise<void> {
  const header = Buffer.allocUnsafe(headerSize);
  header.writeUInt32LE(payload.byteLength, 0);
  header[4] = kind;
  socket.cork();
  socket.write(header);
  const isReady = socket.write(payload);
  socket.uncork();
  if (isReady || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      socket.off('drain', settle);
      socket.off('close', settle);
      resolve();
    };
    socket.on('drain', settle);
    socket.on('close', settle);
  });
}

export const writeValue = (socket: Socket, kind: FrameKind, value: unknown): Promise<void> =>
  writeFrame(socket, kind, serialize(value));

export const readValue = (payload: Uint8Array): unknown => deserialize(payload);

/** Cuts a byte stream into frames. Chunk frames are handed on in pieces as they arrive; `isLast` ends a frame. */
export class FrameReader {
  #header = Buffer.alloc(headerSize);
  #headerFill = 0;
  #kind: FrameKind | null = null;
  #left = 0;
  #parts: Buffer[] = [];
  #onFrame: (kind: FrameKind, payload: Buffer) => void;

  constructor(onFrame: (kind: FrameKind, payload: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  push(data: Buffer): void {
    let at = 0;
    while (at < data.length) {
      if (this.#kind === null) {
        const take = Math.min(headerSize - this.#headerFill, data.length - at);
        data.copy(this.#header, this.#headerFill, at, at + take);
        this.#headerFill += take;
        at += take;
        if (this.#headerFill < headerSize) return;
        this.#left = this.#header.readUInt32LE(0);
        this.#kind = this.#header[4] as FrameKind;
        this.#headerFill = 0;
        if (this.#left === 0) this.#finish();
        continue;
      }
      const take = Math.min(this.#left, data.length - at);
      const part = data.subarray(at, at + take);
      at += take;
      this.#left -= take;
      if (this.#kind === frameKind.chunk) {
        this.#onFrame(frameKind.chunk, part);
        if (this.#left === 0) this.#kind = null;
      } else {
        this.#parts.push(part);
        if (this.#left === 0) this.#finish();
      }
    }
  }

  #finish(): void {
    const kind = this.#kind as FrameKind;
    const payload = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#kind = null;
    this.#parts = [];
    this.#onFrame(kind, payload);
  }
}
