import { arrowEndMarker } from '#shared/api/wire.ts';
import { messageKind, readMessage } from '../engine/ipc-message.ts';

const endMarker = Uint8Array.from(arrowEndMarker);
const firstMs = 200;
const betweenMs = 400;

/** The whole messages of an Arrow stream that have arrived, as a complete stream whenever one asks. */
export class RowsSoFar {
  #chunks: Uint8Array[] = [];
  #size = 0;
  /** Where the last whole message ends. */
  #whole = 0;
  /** Of the message that is not whole yet: what of it has arrived, and how much it needs. */
  #open: Uint8Array[] = [];
  #openBytes = 0;
  #neededBytes = 8;
  #rows = 0;
  #shown = 0;
  #nextAt: number;
  #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#nextAt = now() + firstMs;
  }

  get rows(): number {
    return this.#rows;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    this.#open.push(chunk);
    this.#openBytes += chunk.byteLength;
    if (this.#openBytes < this.#neededBytes) return;
    let rest = this.#open.length === 1 ? chunk : joined(this.#open);
    for (;;) {
      const message = readMessage(rest);
      this.#neededBytes = message?.length ?? rest.byteLength + 1;
      if (!message || message.kind === null || rest.byteLength < message.length) break;
      this.#whole += message.length;
      if (message.kind === messageKind.batch) this.#rows += message.rows;
      rest = rest.subarray(message.length);
    }
    this.#open = [rest];
    this.#openBytes = rest.byteLength;
  }

  /** True a few times a second, and less often the more there is: showing costs what is there. */
  get isDue(): boolean {
    return this.#rows > this.#shown * 1.5 && this.#now() >= this.#nextAt;
  }

  /** What has arrived, with an end. */
  complete(): Uint8Array {
    this.#shown = this.#rows;
    this.#nextAt = this.#now() + betweenMs;
    const stream = new Uint8Array(this.#whole + endMarker.byteLength);
    let at = 0;
    for (const chunk of this.#chunks) {
      if (at >= this.#whole) break;
      const part = chunk.subarray(0, Math.min(chunk.byteLength, this.#whole - at));
      stream.set(part, at);
      at += part.byteLength;
    }
    stream.set(endMarker, this.#whole);
    return stream;
  }

  /** Everything that has arrived, as it is. */
  all(): Uint8Array {
    return this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : joined(this.#chunks);
  }

  get sizeBytes(): number {
    return this.#size;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
