import duckdb, { type Vector } from '@duckdb/node-bindings';

/** Bits of a validity mask, least significant first, from bit 0; `null` where every row is valid. */
export type Bits = Uint8Array | null;

export const hasBit = (bits: Uint8Array, at: number): boolean =>
  ((bits[at >> 3] as number) & (1 << (at & 7))) !== 0;

const byteCountOf = (bits: number): number => (bits + 7) >> 3;

/** Copies `count` bits from `from` on so that they begin at bit 0; bits beyond are 0. */
export function alignBits(bits: Uint8Array, from: number, count: number): Uint8Array {
  const out = new Uint8Array(byteCountOf(count));
  const shift = from & 7;
  const start = from >> 3;
  if (shift === 0) out.set(bits.subarray(start, start + out.length));
  else {
    for (let at = 0; at < out.length; at += 1) {
      const low = (bits[start + at] as number) >> shift;
      const next = start + at + 1 < bits.length ? (bits[start + at + 1] as number) : 0;
      out[at] = low | ((next << (8 - shift)) & 255);
    }
  }
  const rest = count & 7;
  if (rest !== 0) out[out.length - 1] = (out[out.length - 1] as number) & ((1 << rest) - 1);
  return out;
}

/** The rows of a vector; `size` is how many it holds in all. Memory belongs to DuckDB and ends with the chunk. */
export interface VectorRows {
  vector: Vector;
  size: number;
  from: number;
  count: number;
  /** Validity of what the rows stand in: rows that are null there count as null here. */
  outer: Bits;
}

/** Validity of the rows, from bit 0, with the outer one taken in. */
export function readBits({ vector, size, from, count, outer }: VectorRows): Bits {
  const words = Math.ceil(size / 64) * 8;
  const own = words === 0 ? null : duckdb.vector_get_validity(vector, words);
  if (!own) return outer;
  const bits = alignBits(own, from, count);
  if (outer)
    for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] as number) & (outer[at] as number);
  return bits;
}

/** The vector's own memory, `width` bytes per row, cut to the rows. */
export function readFixed({ vector, size, from, count }: VectorRows, width: number): Uint8Array {
  if (count === 0) return new Uint8Array(0);
  return duckdb.vector_get_data(vector, size * width).subarray(from * width, (from + count) * width);
}

/** Bytes that can be written to a growing array. */
export interface ByteSink {
  /** Makes room for `more` bytes and gives the array with the place to write at. */
  reserve(more: number): { bytes: Uint8Array; at: number };
}

/** Bytes that DuckDB stores a decimal in. */
export const decimalWidth = (width: number): number =>
  width <= 4 ? 2 : width <= 9 ? 4 : width <= 18 ? 8 : 16;

const stringWidth = 16;
const inlineLimit = 12;
/** Two strings this near share the pages that they lie on, so the bytes between them can be read. */
const maxGap = 64;

/**
 * Writes the bytes of `string_t` values behind each other and their ends into `ends` (relative to the sink's start).
 * Long strings lie in DuckDB's heap, mostly side by side: neighbours are fetched with one native call.
 */
export function readStrings(
  rows: VectorRows,
  bits: Bits,
  sink: ByteSink,
  ends: Int32Array,
  startAt: number,
): number {
  const { count } = rows;
  const memory = readFixed(rows, stringWidth);
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
  let total = 0;
  for (let row = 0; row < count; row += 1) {
    if (!bits || hasBit(bits, row)) total += view.getUint32(row * stringWidth, true);
  }
  const { bytes, at } = sink.reserve(total);
  let end = at;
  const run = new PointerRun(memory, view, bytes);
  for (let row = 0; row < count; row += 1) {
    if (!bits || hasBit(bits, row)) {
      const place = row * stringWidth;
      const length = view.getUint32(place, true);
      if (length <= inlineLimit) {
        for (let index = 0; index < length; index += 1)
          bytes[end + index] = memory[place + 4 + index] as number;
      } else {
        run.add(place, length, end);
      }
      end += length;
    }
    ends[startAt + row] = end;
  }
  run.flush();
  return end;
}

/** Strings that lie near each other, fetched together. Addresses of user memory have 47 bits and fit a number. */
class PointerRun {
  #memory: Uint8Array;
  #view: DataView;
  #out: Uint8Array;
  #low = 0;
  #high = 0;
  #lowPlace = 0;
  #items: { pointer: number; length: number; at: number }[] = [];

  constructor(memory: Uint8Array, view: DataView, out: Uint8Array) {
    this.#memory = memory;
    this.#view = view;
    this.#out = out;
  }

  add(place: number, length: number, at: number): void {
    const pointer = this.#view.getUint32(place + 12, true) * 2 ** 32 + this.#view.getUint32(place + 8, true);
    const end = pointer + length;
    const isAfter = pointer >= this.#low && pointer <= this.#high + maxGap;
    const isBefore = end <= this.#high && end >= this.#low - maxGap;
    const isNear = this.#items.length > 0 && (isAfter || isBefore);
    if (!isNear) {
      this.flush();
      this.#low = pointer;
      this.#high = end;
      this.#lowPlace = place;
    } else {
      if (pointer < this.#low) {
        this.#low = pointer;
        this.#lowPlace = place;
      }
      if (end > this.#high) this.#high = end;
    }
    this.#items.push({ pointer, length, at });
  }

  flush(): void {
    if (this.#items.length === 0) return;
    const size = this.#high - this.#low;
    const offset = this.#memory.byteOffset + this.#lowPlace + 8;
    const region = duckdb.get_data_from_pointer(this.#memory.buffer as ArrayBuffer, offset, size);
    for (const { pointer, length, at } of this.#items) {
      const start = pointer - this.#low;
      this.#out.set(region.subarray(start, start + length), at);
    }
    this.#items = [];
  }
}
