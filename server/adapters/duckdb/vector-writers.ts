import duckdb, { type Vector } from '@duckdb/node-bindings';
import { AppError } from '#shared/api/problem.ts';
import {
  arrow,
  type Data,
  type DataType,
  type Decimal,
  type Dictionary,
  type FixedSizeList,
  type Interval,
  type SparseUnion,
  type Time,
  type Timestamp,
} from '../../arrow/arrow.ts';
import { isDuckDecimal } from './duckdb-type.ts';
import { StringWriter } from './string-writer.ts';
import { alignBits, type Bits, decimalWidth, hasBit } from './vector-memory.ts';

const { DataType: Is, TimeUnit, IntervalUnit } = arrow;

/** Rows `from` to `from + count` of Arrow data, to be written to the beginning of a vector. */
interface Part {
  data: Data;
  from: number;
  count: number;
  /** Validity of what the rows stand in. */
  outer: Bits;
}

const bitsOf = ({ data, from, count, outer }: Part): Bits => {
  if (data.nullCount === 0 || !data.nullBitmap) return outer;
  const bits = alignBits(data.nullBitmap, data.offset + from, count);
  if (outer)
    for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] as number) & (outer[at] as number);
  return bits;
};

function writeBits(vector: Vector, bits: Bits, count: number): void {
  if (!bits) return;
  const padded = new Uint8Array(Math.ceil(count / 64) * 8);
  padded.set(bits);
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, padded.buffer, 0, padded.byteLength);
}

const copy = (vector: Vector, { buffer, byteOffset, byteLength }: ArrayBufferView): void =>
  duckdb.copy_data_to_vector(vector, 0, buffer as ArrayBuffer, byteOffset, byteLength);

const strings = new StringWriter();

/**
 * Writes Arrow rows to a fresh DuckDB vector of the type that `duckTypeOf` gives. Values of the same layout are one
 * copy of memory.
 */
export function writeVector(vector: Vector, part: Part): void {
  const { data, count } = part;
  const { type } = data;
  if (count === 0) return;
  const bits = bitsOf(part);
  if (Is.isNull(type)) {
    writeBits(vector, new Uint8Array((count + 7) >> 3), count);
    return;
  }
  if (Is.isDictionary(type) && !isText((type as Dictionary).dictionary)) {
    writeVector(vector, { ...part, data: plainValues(part), from: 0 });
    return;
  }
  writeBits(vector, bits, count);
  if (Is.isStruct(type)) writeStruct(vector, part, bits);
  else if (Is.isFixedSizeList(type)) writeArray(vector, part, bits);
  else if (Is.isList(type) || Is.isMap(type)) writeList(vector, part, bits);
  else if (Is.isSparseUnion(type)) writeUnion(vector, part);
  else if (Is.isDictionary(type)) strings.writeDictionary(vector, data, part, bits);
  else if (isText(type) || Is.isBinary(type) || Is.isLargeBinary(type))
    strings.writeValues(vector, data, part, bits);
  else if (Is.isFixedSizeBinary(type)) strings.writeFixed(vector, data, part, bits);
  else if (Is.isDecimal(type) && !isDuckDecimal(type))
    strings.writeTexts(vector, decimalTexts(part, type, bits));
  else copy(vector, fixedValues(part, type));
}

const isText = (type: DataType): boolean => Is.isUtf8(type) || Is.isLargeUtf8(type);

/** Values as DuckDB lays them out; the Arrow buffer itself where the layouts are the same. */
function fixedValues({ data, from, count }: Part, type: DataType): ArrayBufferView {
  const { values } = data;
  if (Is.isBool(type))
    return Uint8Array.from({ length: count }, (_, row) => Number(hasBit(values, data.offset + from + row)));
  if (Is.isFloat(type) && type.precision === arrow.Precision.HALF)
    return halfToFloat(values.subarray(from, from + count));
  if (Is.isDecimal(type)) return decimalValues(values, from, count, type as Decimal);
  if (Is.isDate(type) && type.unit === arrow.DateUnit.MILLISECOND) {
    const days = values as BigInt64Array | Int32Array;
    const at = (row: number) => (days instanceof BigInt64Array ? Number(days[row]) : int64At(days, row));
    return Int32Array.from({ length: count }, (_, row) => Math.floor(at(from + row) / 86_400_000));
  }
  if (Is.isTime(type)) {
    const { unit } = type as Time;
    if (unit === TimeUnit.SECOND) return scaled(values.subarray(from, from + count), 1_000_000n);
    if (unit === TimeUnit.MILLISECOND) return scaled(values.subarray(from, from + count), 1_000n);
  }
  if (Is.isTimestamp(type)) return timestampValues(values.subarray(from, from + count), type as Timestamp);
  if (Is.isDuration(type)) return durationValues(values.subarray(from, from + count), type.unit);
  if (Is.isInterval(type)) return intervalValues(values as Int32Array, from, count, (type as Interval).unit);
  return values.subarray(from, from + count);
}

const int64At = (words: Int32Array, row: number): number =>
  (words[row * 2 + 1] as number) * 2 ** 32 + ((words[row * 2] as number) >>> 0);

const scaled = (values: Int32Array | BigInt64Array, factor: bigint): BigInt64Array =>
  BigInt64Array.from(values as ArrayLike<bigint | number>, (value) => BigInt(value) * factor);

function timestampValues(values: BigInt64Array, { unit, timezone }: Timestamp): BigInt64Array {
  if (!timezone || unit === TimeUnit.MICROSECOND) return values;
  if (unit === TimeUnit.SECOND) return scaled(values, 1_000_000n);
  if (unit === TimeUnit.MILLISECOND) return scaled(values, 1_000n);
  return values.map((value) => (value - (((value % 1000n) + 1000n) % 1000n)) / 1000n);
}

const microsPer: Record<number, bigint> = {
  [TimeUnit.SECOND]: 1_000_000n,
  [TimeUnit.MILLISECOND]: 1_000n,
  [TimeUnit.MICROSECOND]: 1n,
};

/** DuckDB's interval: months, days (32 bits each), microseconds. */
function durationValues(values: BigInt64Array, unit: number): BigInt64Array {
  const out = new BigInt64Array(values.length * 2);
  const factor = microsPer[unit];
  values.forEach((value, row) => {
    out[row * 2 + 1] = factor === undefined ? value / 1000n : value * factor;
  });
  return out;
}

function intervalValues(values: Int32Array, from: number, count: number, unit: number): BigInt64Array {
  const out = new BigInt64Array(count * 2);
  const words = new Int32Array(out.buffer);
  const width = unit === IntervalUnit.YEAR_MONTH ? 1 : unit === IntervalUnit.DAY_TIME ? 2 : 4;
  for (let row = 0; row < count; row += 1) {
    const at = (from + row) * width;
    if (width === 2) {
      words[row * 4 + 1] = values[at] as number;
      out[row * 2 + 1] = BigInt(values[at + 1] as number) * 1000n;
      continue;
    }
    words[row * 4] = values[at] as number;
    if (width === 1) continue;
    words[row * 4 + 1] = values[at + 1] as number;
    const nanos = (BigInt(values[at + 3] as number) << 32n) | BigInt((values[at + 2] as number) >>> 0);
    out[row * 2 + 1] = nanos / 1000n;
  }
  return out;
}

function decimalValues(
  words: Uint32Array,
  from: number,
  count: number,
  { precision, bitWidth }: Decimal,
): Uint8Array {
  const width = decimalWidth(precision);
  const stored = bitWidth / 8;
  const bytes = new Uint8Array(words.buffer, words.byteOffset + from * stored, count * stored);
  if (width === stored) return bytes;
  const out = new Uint8Array(count * width);
  for (let row = 0; row < count; row += 1)
    out.set(bytes.subarray(row * stored, row * stored + width), row * width);
  return out;
}

function decimalTexts(
  { data, from, count }: Part,
  { bitWidth, scale }: Decimal,
  bits: Bits,
): (string | null)[] {
  const perValue = bitWidth / 32;
  return Array.from({ length: count }, (_, row) => {
    if (bits && !hasBit(bits, row)) return null;
    let value = 0n;
    for (let word = perValue - 1; word >= 0; word -= 1)
      value = (value << 32n) | BigInt(data.values[(from + row) * perValue + word]);
    return scaledText(BigInt.asIntN(bitWidth, value), scale);
  });
}

function scaledText(value: bigint, scale: number): string {
  if (scale <= 0) return String(value * 10n ** BigInt(-scale));
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

let halfTable: Float32Array | null = null;

function halfToFloat(halves: Uint16Array): Float32Array {
  halfTable ??= Float32Array.from({ length: 65_536 }, (_, half) => halfValue(half));
  const out = new Float32Array(halves.length);
  for (let row = 0; row < halves.length; row += 1) out[row] = halfTable[halves[row] as number] as number;
  return out;
}

/** IEEE 754 binary16. */
function halfValue(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function writeStruct(vector: Vector, { data, from, count }: Part, bits: Bits): void {
  data.children.forEach((child, index) => {
    writeVector(duckdb.struct_vector_get_child(vector, index), { data: child, from, count, outer: bits });
  });
}

function writeArray(vector: Vector, { data, from, count }: Part, bits: Bits): void {
  const size = (data.type as FixedSizeList).listSize;
  const outer = bits ? new Uint8Array((count * size + 7) >> 3) : null;
  if (bits && outer) {
    for (let at = 0; at < count * size; at += 1) {
      if (hasBit(bits, Math.floor(at / size))) outer[at >> 3] = (outer[at >> 3] as number) | (1 << (at & 7));
    }
  }
  writeVector(duckdb.array_vector_get_child(vector), {
    data: data.children[0] as Data,
    from: from * size,
    count: count * size,
    outer,
  });
}

function writeList(vector: Vector, { data, from, count }: Part, bits: Bits): void {
  const offsets = data.valueOffsets as Int32Array;
  const first = offsets[from] as number;
  const total = (offsets[from + count] as number) - first;
  const entries = new BigUint64Array(count * 2);
  for (let row = 0; row < count; row += 1) {
    if (bits && !hasBit(bits, row)) continue;
    const start = offsets[from + row] as number;
    entries[row * 2] = BigInt(start - first);
    entries[row * 2 + 1] = BigInt((offsets[from + row + 1] as number) - start);
  }
  duckdb.list_vector_reserve(vector, total);
  duckdb.list_vector_set_size(vector, total);
  copy(vector, entries);
  writeVector(duckdb.list_vector_get_child(vector), {
    data: data.children[0] as Data,
    from: first,
    count: total,
    outer: null,
  });
}

/** Arrow's unions have no nulls of their own: a null member is a null union. */
function writeUnion(vector: Vector, { data, from, count, outer }: Part): void {
  const { typeIdToChildIndex } = data.type as SparseUnion;
  const tags = Uint8Array.from(
    { length: count },
    (_, row) => typeIdToChildIndex[data.typeIds[from + row] as number] as number,
  );
  const tagVector = duckdb.struct_vector_get_child(vector, 0);
  copy(tagVector, tags);
  const bits = new Uint8Array((count + 7) >> 3);
  tags.forEach((tag, row) => {
    if ((!outer || hasBit(outer, row)) && data.children[tag]?.getValid(from + row))
      bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  });
  writeBits(vector, bits, count);
  writeBits(tagVector, bits, count);
  data.children.forEach((child, index) => {
    const chosen = new Uint8Array((count + 7) >> 3);
    tags.forEach((tag, row) => {
      if (tag === index && hasBit(bits, row))
        chosen[row >> 3] = (chosen[row >> 3] as number) | (1 << (row & 7));
    });
    writeVector(duckdb.struct_vector_get_child(vector, index + 1), {
      data: child,
      from,
      count,
      outer: chosen,
    });
  });
}

/** A dictionary of other values than text, written out. */
function plainValues({ data, from, count }: Part): Data {
  const type = (data.type as Dictionary).dictionary as DataType;
  const values = new arrow.Vector([data]).slice(from, from + count).toArray() as unknown[];
  const plain = arrow.vectorFromArray([...values], type as never).data[0] as Data | undefined;
  if (!plain)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `SQL cannot read a dictionary of ${type.toString()}.`,
    });
  return plain;
}
