import duckdb from '@duckdb/node-bindings';
import { arrow, type Data, type DataType } from '../../arrow/arrow.ts';
import { type ArrowFacts, type ColumnBuilder, ValidBuilder } from './flat-builders.ts';
import { ByteBuilder } from './growing-bytes.ts';
import { type Bits, hasBit, readBits, readFixed, type VectorRows } from './vector-memory.ts';

export class StructBuilder extends ValidBuilder {
  #children: ColumnBuilder[];

  constructor(type: DataType, children: ColumnBuilder[]) {
    super(type);
    this.#children = children;
  }

  get byteLength(): number {
    return sumBytes(this.#children);
  }

  protected appendValues(rows: VectorRows, bits: Bits): void {
    this.#children.forEach((child, index) => {
      child.append({ ...rows, vector: duckdb.struct_vector_get_child(rows.vector, index), outer: bits });
    });
  }

  protected makeData(facts: ArrowFacts): Data {
    return arrow.makeData({
      ...facts,
      children: this.#children.map((child) => child.take()) as never,
    }) as Data;
  }
}

export class ArrayBuilder extends ValidBuilder {
  #child: ColumnBuilder;
  #size: number;

  constructor(type: DataType, child: ColumnBuilder, size: number) {
    super(type);
    this.#child = child;
    this.#size = size;
  }

  get byteLength(): number {
    return this.#child.byteLength;
  }

  protected appendValues(rows: VectorRows, bits: Bits): void {
    const size = this.#size;
    const vector = duckdb.array_vector_get_child(rows.vector);
    const outer = bits ? repeatBits(bits, rows.count, size) : null;
    this.#child.append({
      vector,
      size: rows.size * size,
      from: rows.from * size,
      count: rows.count * size,
      outer,
    });
  }

  protected makeData(facts: ArrowFacts): Data {
    return arrow.makeData({ ...facts, child: this.#child.take() as never }) as Data;
  }
}

/** Lists, and maps, which are lists of key and value. */
export class ListBuilder extends ValidBuilder {
  #child: ColumnBuilder;
  #ends = new ByteBuilder();
  #childLength = 0;

  constructor(type: DataType, child: ColumnBuilder) {
    super(type);
    this.#child = child;
  }

  get byteLength(): number {
    return this.#child.byteLength + this.#ends.length;
  }

  protected appendValues(rows: VectorRows, bits: Bits): void {
    const vector = duckdb.list_vector_get_child(rows.vector);
    const size = duckdb.list_vector_get_size(rows.vector);
    const memory = readFixed(rows, 16);
    const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
    const { bytes, at } = this.#ends.reserve(rows.count * 4);
    const ends = new Int32Array(bytes.buffer, at, rows.count);
    let from = 0;
    let count = 0;
    const flush = () => {
      if (count > 0) this.#child.append({ vector, size, from, count, outer: null });
      this.#childLength += count;
    };
    for (let row = 0; row < rows.count; row += 1) {
      if (!bits || hasBit(bits, row)) {
        const start = Number(view.getBigUint64(row * 16, true));
        const length = Number(view.getBigUint64(row * 16 + 8, true));
        if (start !== from + count) {
          flush();
          from = start;
          count = 0;
        }
        count += length;
      }
      ends[row] = this.#childLength + count;
    }
    flush();
  }

  protected makeData(facts: ArrowFacts): Data {
    const offsets = new Int32Array(facts.length + 1);
    offsets.set(this.#ends.takeAs(Int32Array) as Int32Array, 1);
    this.#childLength = 0;
    return arrow.makeData({ ...facts, valueOffsets: offsets, child: this.#child.take() as never }) as Data;
  }
}

/** Sparse unions; a null union is a null of the first member. */
export class UnionBuilder implements ColumnBuilder {
  #type: DataType;
  #tags = new ByteBuilder();
  #children: ColumnBuilder[];

  constructor(type: DataType, children: ColumnBuilder[]) {
    this.#type = type;
    this.#children = children;
  }

  get byteLength(): number {
    return sumBytes(this.#children) + this.#tags.length;
  }

  append(rows: VectorRows): void {
    const bits = readBits(rows);
    const tags = readFixed({ ...rows, vector: duckdb.struct_vector_get_child(rows.vector, 0) }, 1);
    const { bytes, at } = this.#tags.reserve(rows.count);
    for (let row = 0; row < rows.count; row += 1)
      bytes[at + row] = !bits || hasBit(bits, row) ? (tags[row] as number) : 0;
    this.#children.forEach((child, index) => {
      child.append({ ...rows, vector: duckdb.struct_vector_get_child(rows.vector, index + 1), outer: bits });
    });
  }

  take(): Data {
    const typeIds = this.#tags.takeAs(Int8Array) as Int8Array;
    const children = this.#children.map((child) => child.take());
    return arrow.makeData({
      type: this.#type as never,
      length: typeIds.length,
      nullCount: 0,
      typeIds,
      children: children as never,
    }) as Data;
  }
}

const sumBytes = (builders: readonly ColumnBuilder[]): number =>
  builders.reduce((sum, { byteLength }) => sum + byteLength, 0);

function repeatBits(bits: Uint8Array, count: number, times: number): Uint8Array {
  const out = new Uint8Array((count * times + 7) >> 3);
  for (let row = 0; row < count; row += 1) {
    if (!hasBit(bits, row)) continue;
    for (let at = row * times; at < (row + 1) * times; at += 1)
      out[at >> 3] = (out[at >> 3] as number) | (1 << (at & 7));
  }
  return out;
}
