const smallestBytes = 16 * 1024;
/** Larger ones are made for one use. */
export const largestPieceBytes = 1024 * 1024;
const maxIdleBytes = 32 * 1024 * 1024;

/**
 * Buffers that files are read into, used again for the next reader: making and collecting them takes longer than the
 * read. Whoever does not give one back leaves it to the collector, which is always right.
 */
export class PieceBuffers {
  #idle = new Map<number, Uint8Array[]>();
  #idleBytes = 0;
  /** Those that are with readers, by their memory; so none can be given back twice. */
  #taken = new WeakMap<ArrayBufferLike, Uint8Array>();

  /** A buffer of exactly so many bytes, with whatever is in it. */
  take(sizeBytes: number): Uint8Array {
    if (sizeBytes > largestPieceBytes) return Buffer.allocUnsafeSlow(sizeBytes);
    const whole = this.#takeWhole(2 ** Math.ceil(Math.log2(Math.max(sizeBytes, smallestBytes))));
    this.#taken.set(whole.buffer, whole);
    return whole.byteLength === sizeBytes ? whole : whole.subarray(0, sizeBytes);
  }

  /** Only for one that nobody reads or writes any more, the system included. */
  give(buffer: Uint8Array): void {
    const whole = this.#taken.get(buffer.buffer);
    if (!whole) return;
    this.#taken.delete(buffer.buffer);
    if (this.#idleBytes + whole.byteLength > maxIdleBytes) return;
    this.#idleBytes += whole.byteLength;
    const idle = this.#idle.get(whole.byteLength);
    if (idle) idle.push(whole);
    else this.#idle.set(whole.byteLength, [whole]);
  }

  #takeWhole(sizeBytes: number): Uint8Array {
    const idle = this.#idle.get(sizeBytes)?.pop();
    if (idle) this.#idleBytes -= sizeBytes;
    return idle ?? Buffer.allocUnsafeSlow(sizeBytes);
  }
}
