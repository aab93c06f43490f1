import { type DuckDBType, DuckDBVector } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { arrow, type Data, type DataType, type Vector } from '../../arrow/arrow.ts';
import { BitBuilder, ByteBuilder } from './growing-bytes.ts';
import { type Bits, hasBit, readBits, readFixed, readStrings, type VectorRows } from './vector-memory.ts';

/** Collects one column over many chunks and gives it as Arrow. Copies: a chunk's memory is DuckDB's. */
export interface ColumnBuilder {
  append(rows: VectorRows): void;
  /** The rows since the last call; the builder is empty afterwards. */
  take(): Data;
  /** Bytes that wait to be taken. */
  readonly byteLength: number;
}

/** A builder that keeps the validity of its rows. */
export abstract class ValidBuilder implements ColumnBuilder {
  protected type: DataType;
  protected length = 0;
  #valid = new BitBuilder();

  constructor(type: DataType) {
    this.type = type;
  }

  append(rows: VectorRows): void {
    const bits = readBits(rows);
    this.#valid.append(bits, rows.count);
    this.appendValues(rows, bits);
    this.length += rows.count;
  }

  take(): Data {
    const { length } = this;
    const { bits, nullCount } = this.#valid.take();
    this.length = 0;
    return this.makeData({ type: this.type as never, length, nullCount, nullBitmap: bits });
  }

  abstract readonly byteLength: number;
  protected abstract appendValues(rows: VectorRows, bits: Bits): void;
  protected abstract makeData(facts: {
    type: never;
    length: number;
    nullCount: number;
    nullBitmap: Uint8Array | null;
  }): Data;
}

export type ArrowFacts = Parameters<ValidBuilder['makeData']>[0];

/** Values of a fixed width that Arrow stores as DuckDB does. */
export class FixedBuilder extends ValidBuilder {
  protected bytes = new ByteBuilder();
  protected width: number;

  constructor(type: DataType, width: number) {
    super(type);
    this.width = width;
  }

  get byteLength(): number {
    return this.bytes.length;
  }

  protected appendValues(rows: VectorRows, _bits: Bits): void {
    this.bytes.append(readFixed(rows, this.width));
  }

  protected makeData(facts: ArrowFacts): Data {
    return arrow.makeData({
      ...facts,
      data: this.bytes.takeAs((this.type as DataType).ArrayType) as never,
    }) as Data;
  }
}

/** Decimals: DuckDB stores them as wide as they need, Arrow in 128 bits. */
export class DecimalBuilder extends FixedBuilder {
  #storedWidth: number;

  constructor(type: DataType, storedWidth: number) {
    super(type, 16);
    this.#storedWidth = storedWidth;
  }

  protected override appendValues(rows: VectorRows): void {
    const stored = readFixed(rows, this.#storedWidth);
    if (this.#storedWidth === 16) {
      this.bytes.append(stored);
      return;
    }
    const { bytes, at } = this.bytes.reserve(rows.count * 16);
    const from = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
    const to = new Int32Array(bytes.buffer, at, rows.count * 4);
    for (let row = 0; row < rows.count; row += 1) {
      if (this.#storedWidth === 8) {
        const high = from.getInt32(row * 8 + 4, true);
        to[row * 4] = from.getInt32(row * 8, true);
        to[row * 4 + 1] = high;
        to.fill(high >> 31, row * 4 + 2, row * 4 + 4);
      } else {
        const value = this.#storedWidth === 4 ? from.getInt32(row * 4, true) : from.getInt16(row * 2, true);
        to[row * 4] = value;
        to.fill(value >> 31, row * 4 + 1, row * 4 + 4);
      }
    }
  }
}

export class BoolBuilder extends ValidBuilder {
  #bits = new BitBuilder();

  get byteLength(): number {
    return this.length >> 3;
  }

  protected appendValues(rows: VectorRows): void {
    const stored = readFixed(rows, duckdb.sizeof_bool);
    const packed = new Uint8Array((rows.count + 7) >> 3);
    for (let row = 0; row < rows.count; row += 1) {
      if (stored[row * duckdb.sizeof_bool])
        packed[row >> 3] = (packed[row >> 3] as number) | (1 << (row & 7));
    }
    this.#bits.append(packed, rows.count);
  }

  protected makeData(facts: ArrowFacts): Data {
    const { bits } = this.#bits.take(true);
    return arrow.makeData({ ...facts, data: bits }) as Data;
  }
}

/** VARCHAR and BLOB. */
export class StringBuilder extends ValidBuilder {
  #bytes = new ByteBuilder();
  #ends = new Int32Array(2048);

  get byteLength(): number {
    return this.#bytes.length + this.length * 4;
  }

  protected appendValues(rows: VectorRows, bits: Bits): void {
    this.#growEnds(rows.count);
    readStrings(rows, bits, this.#bytes, this.#ends, this.length);
  }

  appendTexts(texts: (string | null)[]): void {
    this.#growEnds(texts.length);
    texts.forEach((text, row) => {
      if (text !== null) this.#bytes.append(Buffer.from(text));
      this.#ends[this.length + row] = this.#bytes.length;
    });
  }

  protected makeData(facts: ArrowFacts): Data {
    const offsets = new Int32Array(facts.length + 1);
    offsets.set(this.#ends.subarray(0, facts.length), 1);
    return arrow.makeData({
      ...facts,
      valueOffsets: offsets,
      data: this.#bytes.takeAs<Uint8Array>(Uint8Array) as never,
    }) as Data;
  }

  #growEnds(more: number): void {
    if (this.length + more <= this.#ends.length) return;
    const wider = new Int32Array(Math.max(this.length + more, this.#ends.length * 2));
    wider.set(this.#ends.subarray(0, this.length));
    this.#ends = wider;
  }
}

/** Types that travel as DuckDB's own text. */
export class TextBuilder extends StringBuilder {
  #duckType: DuckDBType;

  constructor(type: DataType, duckType: DuckDBType) {
    super(type);
    this.#duckType = duckType;
  }

  protected override appendValues({ vector, size, from, count }: VectorRows, bits: Bits): void {
    const values = DuckDBVector.create(vector, size, this.#duckType);
    const texts: (string | null)[] = [];
    for (let row = 0; row < count; row += 1) {
      const value = !bits || hasBit(bits, row) ? values.getItem(from + row) : null;
      texts.push(value === null ? null : String(value));
    }
    this.appendTexts(texts);
  }
}

export class DictionaryBuilder extends FixedBuilder {
  #dictionary: Vector;

  constructor(type: DataType, width: number, values: readonly string[]) {
    super(type, width);
    this.#dictionary = arrow.vectorFromArray(values as string[], new arrow.Utf8()) as Vector;
  }

  protected override makeData(facts: ArrowFacts): Data {
    const { indices } = facts.type as unknown as { indices: DataType };
    const data = this.bytes.takeAs(indices.ArrayType) as never;
    return arrow.makeData({ ...facts, data, dictionary: this.#dictionary as never }) as Data;
  }
}

export class NullBuilder implements ColumnBuilder {
  #length = 0;
  readonly byteLength = 0;

  append({ count }: VectorRows): void {
    this.#length += count;
  }

  take(): Data {
    const length = this.#length;
    this.#length = 0;
    return arrow.makeData({ type: new arrow.Null(), length, nullCount: length }) as Data;
  }
}
