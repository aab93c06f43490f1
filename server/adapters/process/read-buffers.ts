const bufferBytes = 256 * 1024;
const maxIdle = 24;

/**
 * Buffers that sockets read into. A part of a buffer may be handed on without a copy; when all of its parts are
 * released the buffer is used again, so that a long stream makes no garbage. Parts that nobody releases keep their
 * buffer for ever, which is right for readers that keep what they got.
 */
export class ReadBuffers {
  #idle: Uint8Array[] = [];
  #parts = new WeakMap<ArrayBufferLike, { buffer: Uint8Array; count: number }>();

  take(): Uint8Array {
    return this.#idle.pop() ?? new Uint8Array(new ArrayBuffer(bufferBytes));
  }

  /** Says that a part of the buffer was handed on. */
  hold(buffer: Uint8Array): void {
    const held = this.#parts.get(buffer.buffer);
    if (held) held.count += 1;
    else this.#parts.set(buffer.buffer, { buffer, count: 1 });
  }

  /** Whether parts of the buffer are still with readers. */
  isHeld(buffer: Uint8Array): boolean {
    return this.#parts.has(buffer.buffer);
  }

  /** Takes a part back; parts of other buffers are ignored. */
  release(part: Uint8Array): void {
    const held = this.#parts.get(part.buffer);
    if (!held) return;
    held.count -= 1;
    if (held.count > 0) return;
    this.#parts.delete(part.buffer);
    this.give(held.buffer);
  }

  give(buffer: Uint8Array): void {
    if (this.#idle.length < maxIdle) this.#idle.push(buffer);
  }
}
