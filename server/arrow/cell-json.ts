import { Buffer } from 'node:buffer';
import type { DataType } from './arrow.ts';
import {
  arrow,
  type Data,
  type Date_,
  type Decimal,
  type Dictionary,
  type Duration,
  type Float,
  type Interval,
  type Time,
  type Timestamp,
  type Union,
  type Vector,
} from './arrow.ts';
import { formatDate, formatDuration, formatInterval, formatTime, formatTimestamp } from './format-time.ts';
import { offsetAt } from './gather.ts';

export type JsonCell = null | boolean | number | string | JsonCell[] | { [name: string]: JsonCell };

const { Type } = arrow;

/** A float as JSON: a number, or `"NaN"`, `"Infinity"`, `"-Infinity"`. */
const floatToJson = (value: number): JsonCell => (Number.isFinite(value) ? value : String(value));

export function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * 2 ** -24 * fraction : sign * 2 ** (exponent - 25) * (1024 + fraction);
}

/** The unscaled value of a decimal from its little-endian 32-bit words. */
export function decimalToBigInt(words: ArrayLike<number>, start: number, wordCount: number): bigint {
  let value = 0n;
  for (let i = wordCount - 1; i >= 0; i--) value = (value << 32n) | BigInt(words[start + i]! >>> 0);
  return BigInt.asIntN(wordCount * 32, value);
}

export function formatDecimal(unscaled: bigint, scale: number): string {
  if (scale <= 0) return (unscaled * 10n ** BigInt(-scale)).toString();
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const bytesOf = (data: Data, index: number): Buffer => {
  const values = data.values as Uint8Array;
  const start = offsetAt(data, index);
  return Buffer.from(values.buffer, values.byteOffset + start, offsetAt(data, index + 1) - start);
};

function listToJson(child: Data, start: number, end: number): JsonCell[] {
  const cells: JsonCell[] = [];
  for (let i = start; i < end; i++) cells.push(dataCellToJson(child, i));
  return cells;
}

function structToJson(data: Data, index: number): JsonCell {
  const fields = (data.type as DataType).children ?? [];
  return Object.fromEntries(
    fields.map((field, at) => [field.name, dataCellToJson(data.children[at]!, index)]),
  );
}

function mapToJson(data: Data, index: number): JsonCell {
  const [keys, values] = data.children[0]!.children as [Data, Data];
  const entries: [string, JsonCell][] = [];
  for (let i = offsetAt(data, index); i < offsetAt(data, index + 1); i++) {
    const key = dataCellToJson(keys, i);
    entries.push([typeof key === 'string' ? key : JSON.stringify(key), dataCellToJson(values, i)]);
  }
  return Object.fromEntries(entries);
}

function unionToJson(data: Data, index: number): JsonCell {
  const union = data.type as Union;
  const child = data.children[union.typeIdToChildIndex[(data.typeIds as Int8Array)[index]!]!]!;
  return dataCellToJson(
    child,
    union.mode === arrow.UnionMode.Dense ? Number((data.valueOffsets as Int32Array)[index]) : index,
  );
}

/** One cell as `?format=json` prints it, read from the raw buffers: nothing is rounded. */
export function dataCellToJson(data: Data, index: number): JsonCell {
  if (data.typeId === Type.Null || !data.getValid(index)) return null;
  const { type } = data;
  const values = data.values as ArrayLike<number | bigint>;
  switch (data.typeId) {
    case Type.Bool: {
      const at = data.offset + index;
      return (((data.values as Uint8Array)[at >> 3]! >> (at & 7)) & 1) === 1;
    }
    case Type.Int: {
      const value = values[index]!;
      return typeof value === 'bigint' ? value.toString() : value;
    }
    case Type.Float:
      return floatToJson(
        (type as Float).precision === arrow.Precision.HALF
          ? halfToNumber(Number(values[index]))
          : Number(values[index]),
      );
    case Type.Utf8:
    case Type.LargeUtf8:
      return bytesOf(data, index).toString('utf8');
    case Type.Binary:
    case Type.LargeBinary:
      return bytesOf(data, index).toString('base64');
    case Type.FixedSizeBinary:
      return Buffer.from(
        (data.values as Uint8Array).subarray(index * data.stride, (index + 1) * data.stride),
      ).toString('base64');
    case Type.Decimal: {
      const unscaled = decimalToBigInt(data.values as Uint32Array, index * data.stride, data.stride);
      return formatDecimal(unscaled, (type as Decimal).scale);
    }
    case Type.Timestamp:
      return formatTimestamp(
        BigInt(values[index]!),
        (type as Timestamp).unit,
        Boolean((type as Timestamp).timezone),
      );
    case Type.Date:
      return formatDate(BigInt(values[index]!), (type as Date_).unit === arrow.DateUnit.DAY);
    case Type.Time:
      return formatTime(BigInt(values[index]!), (type as Time).unit);
    case Type.Duration:
      return formatDuration(BigInt(values[index]!), (type as Duration).unit);
    case Type.Interval:
      return formatInterval(
        (data.values as Int32Array).subarray(index * data.stride, (index + 1) * data.stride),
        (type as Interval).unit,
      );
    case Type.List:
      return listToJson(data.children[0]!, offsetAt(data, index), offsetAt(data, index + 1));
    case Type.FixedSizeList:
      return listToJson(data.children[0]!, index * data.stride, (index + 1) * data.stride);
    case Type.Struct:
      return structToJson(data, index);
    case Type.Map:
      return mapToJson(data, index);
    case Type.Dictionary:
      return cellToJson((data as Data<Dictionary>).dictionary!, Number(values[index]));
    case Type.Union:
      return unionToJson(data, index);
    default:
      return null;
  }
}

/** One cell of a column, as {@link dataCellToJson}. */
export function cellToJson(column: Vector, index: number): JsonCell {
  let at = index;
  for (const data of column.data) {
    if (at < data.length) return dataCellToJson(data, at);
    at -= data.length;
  }
  return null;
}
