import {
  arrow,
  type DataType,
  type Date_,
  type Decimal,
  type Duration,
  type FixedSizeBinary,
  type Float,
  type Int,
  type Time,
  type Timestamp,
} from './arrow.ts';
import { CellFault, expected, type Place, type Places } from './cell-fault.ts';
import { numberToHalf, parseDecimal } from './parse-number.ts';
import { parseDate, parseDuration, parseTime, parseTimestamp, TimeFault } from './parse-time.ts';

const { Type } = arrow;

type Each = (value: unknown, row: number) => void;

/** Visits the values that are not null. */
export function forEachValue(values: readonly unknown[], each: Each): void {
  values.forEach((value, row) => {
    if (value !== null && value !== undefined) each(value, row);
  });
}

export function buildBits(values: readonly unknown[], places: Places): Uint8Array {
  const bits = new Uint8Array((((values.length + 7) >> 3) + 7) & ~7);
  forEachValue(values, (value, row) => {
    if (typeof value !== 'boolean') throw expected('true or false', value, places(row));
    if (value) bits[row >> 3]! |= 1 << (row & 7);
  });
  return bits;
}

export function buildInts(type: Int, values: readonly unknown[], places: Places): ArrayBufferView {
  const { bitWidth, isSigned } = type;
  const out = new type.ArrayType(values.length) as unknown as Record<number, number | bigint> &
    ArrayBufferView;
  const span = 1n << BigInt(bitWidth);
  const [least, most] = isSigned ? [-span / 2n, span / 2n - 1n] : [0n, span - 1n];
  forEachValue(values, (value, row) => {
    const whole = readWhole(value, bitWidth, () => places(row));
    if (whole < least || whole > most)
      throw new CellFault(places(row), `${whole} is outside ${least} to ${most}`);
    out[row] = bitWidth === 64 ? whole : Number(whole);
  });
  return out;
}

function readWhole(value: unknown, bitWidth: number, place: () => Place): bigint {
  if (typeof value === 'string' && bitWidth === 64 && /^\s*[+-]?\d{1,40}\s*$/.test(value))
    return BigInt(value.trim().replace(/^\+/, ''));
  if (typeof value !== 'number' || !Number.isInteger(value)) throw expected('a whole number', value, place());
  if (!Number.isSafeInteger(value))
    throw new CellFault(place(), 'a whole number of more than 53 bits must be sent as text');
  return BigInt(value);
}

const specialFloats: Record<string, number> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

export function buildFloats(type: Float, values: readonly unknown[], places: Places): ArrayBufferView {
  const out = new type.ArrayType(values.length) as unknown as Record<number, number> & ArrayBufferView;
  const isHalf = type.precision === arrow.Precision.HALF;
  const isSingle = type.precision === arrow.Precision.SINGLE;
  forEachValue(values, (value, row) => {
    const special = typeof value === 'string' ? specialFloats[value] : undefined;
    if (special === undefined && typeof value !== 'number') throw expected('a number', value, places(row));
    const number = special ?? (value as number);
    const most = isHalf ? 65_519.999 : isSingle ? 3.402_823_566_973_4e38 : Number.MAX_VALUE;
    if (special === undefined && Math.abs(number) > most)
      throw new CellFault(places(row), `${number} is too large for ${isHalf ? 'float16' : 'float32'}`);
    out[row] = isHalf ? numberToHalf(number) : number;
  });
  return out;
}

export function buildDecimals(type: Decimal, values: readonly unknown[], places: Places): Uint32Array {
  const words = type.bitWidth / 32;
  const out = new Uint32Array(values.length * words);
  forEachValue(values, (value, row) => {
    const unscaled =
      typeof value === 'string' || typeof value === 'number' ? parseDecimal(String(value), type.scale) : null;
    if (unscaled === null)
      throw expected(`a decimal with at most ${type.scale} decimals`, value, places(row));
    const size = unscaled < 0n ? -unscaled : unscaled;
    if (size >= 10n ** BigInt(type.precision))
      throw new CellFault(places(row), `${value} has more than ${type.precision} digits`);
    let rest = BigInt.asUintN(type.bitWidth, unscaled);
    for (let word = 0; word < words; word++, rest >>= 32n)
      out[row * words + word] = Number(rest & 0xffff_ffffn);
  });
  return out;
}

/** Offsets and bytes of a column of variable width; `read` gives the bytes of a value that is not null. */
export function packBytes(
  type: DataType,
  values: readonly unknown[],
  read: (value: unknown, row: number) => Uint8Array,
) {
  const parts: Uint8Array[] = [];
  const ends = new Float64Array(values.length + 1);
  let total = 0;
  values.forEach((value, row) => {
    if (value !== null && value !== undefined) {
      const bytes = read(value, row);
      parts.push(bytes);
      total += bytes.length;
    }
    ends[row + 1] = total;
  });
  const isWide = type.typeId === Type.LargeUtf8 || type.typeId === Type.LargeBinary;
  const valueOffsets = isWide ? BigInt64Array.from(ends, (end) => BigInt(end)) : Int32Array.from(ends);
  return { valueOffsets, data: new Uint8Array(Buffer.concat(parts)) };
}

export function readBase64(value: unknown, place: () => Place): Uint8Array {
  const text = typeof value === 'object' && value !== null && 'base64' in value ? value.base64 : value;
  if (typeof text !== 'string') throw expected('bytes as base64', value, place());
  const compact = text.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact) || compact.replace(/=+$/, '').length % 4 === 1)
    throw new CellFault(place(), 'it is not base64');
  return Buffer.from(compact, 'base64');
}

export function buildFixedBytes(
  { byteWidth }: FixedSizeBinary,
  values: readonly unknown[],
  places: Places,
): Uint8Array {
  const out = new Uint8Array(values.length * byteWidth);
  forEachValue(values, (value, row) => {
    const bytes = readBase64(value, () => places(row));
    if (bytes.length !== byteWidth)
      throw new CellFault(places(row), `expected ${byteWidth} bytes, got ${bytes.length}`);
    out.set(bytes, row * byteWidth);
  });
  return out;
}

function momentReader(type: DataType): { what: string; read: (text: string) => bigint } {
  switch (type.typeId) {
    case Type.Timestamp: {
      const { unit, timezone } = type as Timestamp;
      return { what: 'a moment', read: (text) => parseTimestamp(text, unit, Boolean(timezone)) };
    }
    case Type.Date:
      return { what: 'a date', read: (text) => parseDate(text, (type as Date_).unit === arrow.DateUnit.DAY) };
    case Type.Time:
      return { what: 'a time', read: (text) => parseTime(text, (type as Time).unit) };
    default:
      return { what: 'a duration', read: (text) => parseDuration(text, (type as Duration).unit) };
  }
}

export function buildMoments(type: DataType, values: readonly unknown[], places: Places): ArrayBufferView {
  const { what, read } = momentReader(type);
  const isNarrow =
    (type.typeId === Type.Date && (type as Date_).unit === arrow.DateUnit.DAY) ||
    (type as Time).bitWidth === 32;
  const out = isNarrow ? new Int32Array(values.length) : new BigInt64Array(values.length);
  forEachValue(values, (value, row) => {
    if (typeof value !== 'string') throw expected(`${what} as text`, value, places(row));
    try {
      const moment = read(value);
      const bits = isNarrow ? 32 : 64;
      if (BigInt.asIntN(bits, moment) !== moment)
        throw new TimeFault('it is outside what the column can hold');
      out[row] = isNarrow ? Number(moment) : moment;
    } catch (error) {
      if (error instanceof TimeFault)
        throw new CellFault(places(row), `“${value.slice(0, 40)}” is not ${what}: ${error.message}`);
      throw error;
    }
  });
  return out;
}
