import type { Socket } from 'node:net';
import { drained } from './frames.ts';

/** Answers of HTTP/1.1 in chunked encoding, written to the client by the process that makes them; closes the socket. */
export async function sendToClient(
  socket: Socket,
  {
    head,
    chunks,
    release,
  }: { head: string; chunks: AsyncIterable<Uint8Array>; release?: (chunk: Uint8Array) => void },
): Promise<void> {
  socket.on('error', () => undefined);
  socket.allowHalfOpen = true;
  socket.write(head);
  for await (const chunk of chunks) {
    if (socket.destroyed) return;
    if (chunk.byteLength === 0) continue;
    socket.cork();
    socket.write(`${chunk.byteLength.toString(16)}\r\n`);
    socket.write(chunk, release && (() => release(chunk)));
    const isReady = socket.write('\r\n');
    socket.uncork();
    if (!isReady && !socket.destroyed) await drained(socket);
  }
  socket.end('0\r\n\r\n');
}

const waitMs = 10_000;

/** Sockets of clients that the parent process gives to this one, by their ids; they may come before they are asked for. */
export class ClientSockets {
  #sockets = new Map<string, Socket | null>();
  #waiting = new Map<string, (socket: Socket | null) => void>();

  /** `null`: the client went away on the way. */
  add(id: string, socket: Socket | null): void {
    const wake = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (wake) wake(socket);
    else this.#sockets.set(id, socket);
  }

  take(id: string): Promise<Socket | null> {
    const socket = this.#sockets.get(id);
    this.#sockets.delete(id);
    if (socket !== undefined) return Promise.resolve(socket);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.add(id, null), waitMs);
      this.#waiting.set(id, (found) => {
        clearTimeout(timer);
        resolve(found);
      });
    });
  }
}
