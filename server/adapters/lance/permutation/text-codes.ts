import type { Data } from '../../../arrow/arrow.ts';
import { offsetAt } from '../../../arrow/gather.ts';
import { rankTexts } from './rank-texts.ts';

const firstSlots = 1 << 12;

/** Gives every different text a number, in the order they come; for columns with few different ones. */
export class TextCodes {
  #maxTexts: number;
  #maxBytes: number;
  /** Code + 1 per slot; 0 for none. */
  #slots = new Int32Array(firstSlots);
  #hashes = new Int32Array(firstSlots);
  #ends = new Float64Array(firstSlots);
  #bytes = new Uint8Array(1 << 16);
  #count = 0;

  constructor(limits: { maxTexts: number; maxBytes: number }) {
    this.#maxTexts = limits.maxTexts;
    this.#maxBytes = limits.maxBytes;
  }

  /** The codes of a batch of texts, nulls as 0; false when there are more different texts than may be kept. */
  encode(data: Data, out: Uint32Array): boolean {
    const values = data.values as Uint8Array;
    const hasNulls = data.nullCount > 0;
    for (let row = 0; row < data.length; row++) {
      if (hasNulls && !data.getValid(row)) {
        out[row] = 0;
        continue;
      }
      const code = this.#codeOf(values, offsetAt(data, row), offsetAt(data, row + 1));
      if (code < 0) return false;
      out[row] = code;
    }
    return true;
  }

  /** Per code its place among the texts in their order. */
  ranks(): Uint32Array {
    const ends = new Float64Array(this.#count + 1);
    ends.set(this.#ends.subarray(0, this.#count), 1);
    return rankTexts({ bytes: this.#bytes.subarray(0, ends[this.#count]), ends });
  }

  #startOf(code: number): number {
    return code === 0 ? 0 : this.#ends[code - 1]!;
  }

  #codeOf(values: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ values[i]!, 0x01000193);
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let found = this.#slots[slot]!; found !== 0; found = this.#slots[slot]!) {
      if (this.#hashes[found - 1] === hash && this.#isSame(found - 1, values, start, end)) return found - 1;
      slot = (slot + 1) & mask;
    }
    return this.#add(values.subarray(start, end), hash, slot);
  }

  #isSame(code: number, values: Uint8Array, start: number, end: number): boolean {
    const from = this.#startOf(code);
    if (this.#ends[code]! - from !== end - start) return false;
    for (let i = 0; i < end - start; i++) if (this.#bytes[from + i] !== values[start + i]) return false;
    return true;
  }

  #add(text: Uint8Array, hash: number, slot: number): number {
    const code = this.#count;
    const from = this.#startOf(code);
    if (code >= this.#maxTexts || from + text.length > this.#maxBytes) return -1;
    if (from + text.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, from + text.length));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(text, from);
    this.#ends[code] = from + text.length;
    this.#hashes[code] = hash;
    this.#slots[slot] = code + 1;
    this.#count += 1;
    if (this.#count * 2 > this.#slots.length) this.#grow();
    return code;
  }

  #grow(): void {
    const length = this.#slots.length * 2;
    const [ends, hashes] = [new Float64Array(length), new Int32Array(length)];
    ends.set(this.#ends);
    hashes.set(this.#hashes);
    this.#ends = ends;
    this.#hashes = hashes;
    this.#slots = new Int32Array(length);
    for (let code = 0; code < this.#count; code++) {
      const hash = hashes[code]!;
      let slot = (hash ^ (hash >>> 15)) & (length - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (length - 1);
      this.#slots[slot] = code + 1;
    }
  }
}
