import { AppError } from '#shared/api/problem.ts';
import { type Bits, type ByteSink, hasBit } from './vector-memory.ts';

const firstSize = 4096;
const maxKeptLength = 16 * 1024 * 1024;
/** Arrow counts the bytes of texts in 32 bits. */
const maxLength = 2 ** 31 - 1;

const tooLong = (): AppError =>
  new AppError({
    code: 'MEMORY',
    message: 'The rows of the result are too long: 2,048 of them hold more than 2 GB.',
    hint: 'Read fewer columns, or a part of their values, for example left(text, 1000).',
  });

type ArrayConstructor = { new (buffer: ArrayBuffer): ArrayLike<unknown>; BYTES_PER_ELEMENT: number };

/** Bytes behind each other, in an array that doubles. */
export class ByteBuilder implements ByteSink {
  #bytes = new Uint8Array(0);
  /** What was taken last: the next is often as long, and then nothing is copied but the values. */
  #lastLength = 0;
  length = 0;

  append(more: Uint8Array): void {
    const { bytes, at } = this.reserve(more.byteLength);
    bytes.set(more, at);
  }

  /** Room for `more` bytes, counted as written; the caller fills it. MEMORY above 2 GB. */
  reserve(more: number): { bytes: Uint8Array<ArrayBuffer>; at: number } {
    const at = this.length;
    if (at + more > maxLength) throw tooLong();
    this.length += more;
    if (this.length > this.#bytes.byteLength) {
      const wider = new Uint8Array(
        Math.max(at === 0 ? this.#lastLength : firstSize, this.length, this.#bytes.byteLength * 2),
      );
      if (at > 0) wider.set(this.#bytes.subarray(0, at));
      this.#bytes = wider;
    }
    return { bytes: this.#bytes, at };
  }

  /** What was written, as an array of the type; the builder is empty afterwards. */
  takeAs<A>(ArrayType: unknown): A {
    const Constructor = ArrayType as ArrayConstructor;
    const { buffer } = this.#bytes;
    const out = new Constructor(buffer.byteLength === this.length ? buffer : buffer.slice(0, this.length));
    this.#bytes = new Uint8Array(0);
    this.#lastLength = Math.min(this.length, maxKeptLength);
    this.length = 0;
    return out as A;
  }
}

/** Bits behind each other. */
export class BitBuilder {
  #bytes = new Uint8Array(firstSize);
  #length = 0;
  #zeros = 0;

  /** `null` appends ones. */
  append(bits: Bits, count: number): void {
    const end = this.#length + count;
    if (end > this.#bytes.byteLength * 8) {
      const wider = new Uint8Array(Math.max((end + 7) >> 3, this.#bytes.byteLength * 2));
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    if (!bits) this.#fillOnes(this.#length, end);
    else if ((this.#length & 7) === 0) this.#appendAligned(bits, count);
    else {
      for (let at = 0; at < count; at += 1) {
        if (hasBit(bits, at)) this.#set(this.#length + at);
        else this.#zeros += 1;
      }
    }
    this.#length = end;
  }

  /** `bits` is null when all are ones, unless `always`; the builder is empty afterwards. */
  take(always?: true): { bits: Uint8Array; nullCount: number };
  take(): { bits: Bits; nullCount: number };
  take(always = false): { bits: Bits; nullCount: number } {
    const nullCount = this.#zeros;
    const bits = nullCount > 0 || always ? this.#bytes.slice(0, ((this.#length + 63) >> 6) * 8) : null;
    this.#bytes.fill(0, 0, (this.#length + 7) >> 3);
    this.#length = 0;
    this.#zeros = 0;
    return { bits, nullCount };
  }

  #set(at: number): void {
    this.#bytes[at >> 3] = (this.#bytes[at >> 3] as number) | (1 << (at & 7));
  }

  #appendAligned(bits: Uint8Array, count: number): void {
    const start = this.#length >> 3;
    const whole = (count + 7) >> 3;
    this.#bytes.set(bits.subarray(0, whole), start);
    let ones = 0;
    for (let at = 0; at < whole; at += 1) ones += onesIn[bits[at] as number] as number;
    this.#zeros += count - ones;
  }

  #fillOnes(from: number, to: number): void {
    let at = from;
    for (; at < to && (at & 7) !== 0; at += 1) this.#set(at);
    this.#bytes.fill(255, at >> 3, to >> 3);
    for (at = Math.max(at, to & ~7); at < to; at += 1) this.#set(at);
  }
}

const onesIn = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
