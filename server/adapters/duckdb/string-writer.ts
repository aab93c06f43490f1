import duckdb, { type Vector } from '@duckdb/node-bindings';
import type { Vector as ArrowVector, Data } from '../../arrow/arrow.ts';
import { type Bits, hasBit } from './vector-memory.ts';

const stringWidth = 16;
const inlineLimit = 12;
const empty = new Uint8Array(0);

interface Rows {
  from: number;
  count: number;
}

/** Writes DuckDB's `string_t`: up to 12 bytes lie in the vector itself, longer ones in its heap. */
export class StringWriter {
  #bytes = new Uint8Array(2048 * stringWidth);
  #view = new DataView(this.#bytes.buffer);
  #dictionaries = new WeakMap<ArrowVector, Uint8Array[]>();

  /** Utf8, LargeUtf8, Binary, LargeBinary. */
  writeValues(vector: Vector, data: Data, { from, count }: Rows, bits: Bits): void {
    const offsets = data.valueOffsets as Int32Array | BigInt64Array;
    const bytes = data.values as Uint8Array;
    this.#write(vector, count, bits, (row) => {
      const start = Number(offsets[from + row]);
      return { bytes, start, end: Number(offsets[from + row + 1]) };
    });
  }

  writeFixed(vector: Vector, data: Data, { from, count }: Rows, bits: Bits): void {
    const bytes = data.values as Uint8Array;
    const { stride } = data;
    this.#write(vector, count, bits, (row) => ({
      bytes,
      start: (from + row) * stride,
      end: (from + row + 1) * stride,
    }));
  }

  writeDictionary(vector: Vector, data: Data, { from, count }: Rows, bits: Bits): void {
    const values = this.#valuesOf(data.dictionary as ArrowVector);
    this.#write(vector, count, bits, (row) => {
      const bytes = values[Number(data.values[from + row])] ?? empty;
      return { bytes, start: 0, end: bytes.byteLength };
    });
  }

  writeTexts(vector: Vector, texts: readonly (string | null)[]): void {
    this.#write(vector, texts.length, null, (row) => {
      const bytes = Buffer.from(texts[row] ?? '');
      return { bytes, start: 0, end: bytes.byteLength };
    });
  }

  #write(
    vector: Vector,
    count: number,
    bits: Bits,
    valueAt: (row: number) => { bytes: Uint8Array; start: number; end: number },
  ): void {
    if (count * stringWidth > this.#bytes.byteLength) {
      this.#bytes = new Uint8Array(count * stringWidth * 2);
      this.#view = new DataView(this.#bytes.buffer);
    }
    const out = this.#bytes;
    out.fill(0, 0, count * stringWidth);
    const long: number[] = [];
    for (let row = 0; row < count; row += 1) {
      if (bits && !hasBit(bits, row)) continue;
      const { bytes, start, end } = valueAt(row);
      const place = row * stringWidth;
      if (end - start > inlineLimit) {
        long.push(row);
        continue;
      }
      this.#view.setUint32(place, end - start, true);
      for (let at = start; at < end; at += 1) out[place + 4 + at - start] = bytes[at] as number;
    }
    duckdb.copy_data_to_vector(vector, 0, out.buffer, 0, count * stringWidth);
    for (const row of long) {
      const { bytes, start, end } = valueAt(row);
      duckdb.vector_assign_string_element_len(vector, row, bytes.subarray(start, end));
    }
  }

  #valuesOf(dictionary: ArrowVector): Uint8Array[] {
    const known = this.#dictionaries.get(dictionary);
    if (known) return known;
    const values = dictionary.data.flatMap((data) =>
      Array.from({ length: data.length }, (_, at) =>
        (data.values as Uint8Array).subarray(
          Number(data.valueOffsets[at]),
          Number(data.valueOffsets[at + 1]),
        ),
      ),
    );
    this.#dictionaries.set(dictionary, values);
    return values;
  }
}
