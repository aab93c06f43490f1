import { AppError } from '#shared/api/problem.ts';
import { arrow, type Data, type DataType, type Dictionary } from './arrow.ts';
import { dataCellToJson } from './cell-json.ts';
import { gather, offsetAt } from './gather.ts';
import { emptyData } from './null-data.ts';

const { Type } = arrow;

const make = (type: DataType, props: Record<string, unknown>): Data =>
  arrow.makeData({ type, ...props } as never) as Data;

/** Columns of one type, one behind the other, as one column. Works on raw buffers, so nothing is lost. */
export function concatData(type: DataType, parts: readonly Data[]): Data {
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (type.typeId === Type.Null) return make(type, { length });
  const facts = { length, ...concatValidity(parts, length) };
  switch (type.typeId) {
    case Type.Bool:
      return make(type, { ...facts, data: concatBits(parts, length) });
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Binary:
    case Type.LargeBinary:
      return make(type, { ...facts, ...concatBytes(type, parts, length) });
    case Type.List:
    case Type.Map:
      return make(type, { ...facts, ...concatLists(type, parts, length) });
    case Type.FixedSizeList: {
      const items = parts.map((part) => slice(part.children[0]!, 0, part.length * part.stride));
      return make(type, { ...facts, child: concatData(type.children[0]!.type, items) });
    }
    case Type.Struct: {
      const children = type.children.map((field, index) =>
        concatData(
          field.type,
          parts.map((part) => slice(part.children[index]!, 0, part.length)),
        ),
      );
      return make(type, { ...facts, children });
    }
    case Type.Dictionary:
      return concatDictionaries(type as Dictionary, parts, facts);
    case Type.Union:
      throw new AppError({ code: 'UNSUPPORTED', message: 'Columns of unions cannot be written.' });
    default:
      return make(type, { ...facts, data: concatFixed(parts, length) });
  }
}

const slice = (data: Data, start: number, length: number): Data =>
  start === 0 && data.length === length ? data : data.slice(start, length);

function concatValidity(
  parts: readonly Data[],
  length: number,
): { nullCount: number; nullBitmap: Uint8Array | null } {
  const nullCount = parts.reduce((sum, part) => sum + part.nullCount, 0);
  if (nullCount === 0) return { nullCount, nullBitmap: null };
  const nullBitmap = new Uint8Array((((length + 7) >> 3) + 7) & ~7);
  let at = 0;
  for (const part of parts) {
    for (let row = 0; row < part.length; row++, at++) {
      if (part.getValid(row)) nullBitmap[at >> 3]! |= 1 << (at & 7);
    }
  }
  return { nullCount, nullBitmap };
}

function concatBits(parts: readonly Data[], length: number): Uint8Array {
  const out = new Uint8Array((((length + 7) >> 3) + 7) & ~7);
  let at = 0;
  for (const part of parts) {
    const source = part.values as Uint8Array;
    for (let row = 0; row < part.length; row++, at++) {
      const from = part.offset + row;
      if ((source[from >> 3]! >> (from & 7)) & 1) out[at >> 3]! |= 1 << (at & 7);
    }
  }
  return out;
}

type Values = Uint8Array & { constructor: new (length: number) => Uint8Array };

function concatFixed(parts: readonly Data[], length: number): unknown {
  const { values, stride } = parts[0]!;
  const out = new (values as Values).constructor(length * stride);
  let at = 0;
  for (const part of parts) {
    out.set((part.values as Uint8Array).subarray(0, part.length * stride), at);
    at += part.length * stride;
  }
  return out;
}

function concatBytes(type: DataType, parts: readonly Data[], length: number) {
  const isWide = type.typeId === Type.LargeUtf8 || type.typeId === Type.LargeBinary;
  const sizes = parts.map((part) =>
    part.length === 0 ? 0 : offsetAt(part, part.length) - offsetAt(part, 0),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (!isWide && total > 0x7fff_ffff)
    throw new AppError({
      code: 'TOO_LARGE',
      message: 'The texts of one column have more than 2 GB.',
      hint: 'Change fewer rows at once.',
    });
  const data = new Uint8Array(total);
  const ends = new Float64Array(length + 1);
  let row = 0;
  let at = 0;
  parts.forEach((part, index) => {
    if (part.length === 0) return;
    const start = offsetAt(part, 0);
    data.set((part.values as Uint8Array).subarray(start, start + sizes[index]!), at);
    for (let i = 1; i <= part.length; i++) ends[row + i] = at + offsetAt(part, i) - start;
    row += part.length;
    at += sizes[index]!;
  });
  return {
    data,
    valueOffsets: isWide ? BigInt64Array.from(ends, (end) => BigInt(end)) : Int32Array.from(ends),
  };
}

function concatLists(type: DataType, parts: readonly Data[], length: number) {
  const valueOffsets = new Int32Array(length + 1);
  const items: Data[] = [];
  let row = 0;
  for (const part of parts) {
    if (part.length === 0) continue;
    const start = offsetAt(part, 0);
    const before = valueOffsets[row]!;
    for (let i = 1; i <= part.length; i++) valueOffsets[row + i] = before + offsetAt(part, i) - start;
    items.push(slice(part.children[0]!, start, offsetAt(part, part.length) - start));
    row += part.length;
  }
  const itemType = type.children[0]!.type;
  return { valueOffsets, child: items.length === 0 ? emptyData(itemType) : concatData(itemType, items) };
}

/** Values that stand in several dictionaries are kept once. */
function concatDictionaries(type: Dictionary, parts: readonly Data[], facts: Record<string, unknown>): Data {
  const { bitWidth, isSigned, ArrayType } = type.indices;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const keys = new ArrayType(length) as unknown as Record<number, number | bigint>;
  const indexOf = new Map<string, number>();
  const distinct: Data[] = [];
  const most = 2 ** (bitWidth - (isSigned ? 1 : 0));
  let at = 0;
  for (const part of parts) {
    const values = wholeDictionary(part as Data<Dictionary>);
    const seen = new Map<number, number>();
    for (let row = 0; row < part.length; row++, at++) {
      if (!part.getValid(row)) continue;
      const key = Number((part.values as ArrayLike<number | bigint>)[row]);
      let index = seen.get(key);
      if (index === undefined) {
        const name = JSON.stringify(dataCellToJson(values, key));
        index = indexOf.get(name) ?? indexOf.size;
        if (!indexOf.has(name)) {
          indexOf.set(name, index);
          distinct.push(gather(values, Int32Array.of(key)));
        }
        seen.set(key, index);
      }
      keys[at] = Number(bitWidth) === 64 ? BigInt(index) : index;
    }
  }
  if (indexOf.size > most)
    throw new AppError({
      code: 'TOO_LARGE',
      message: `A column of the type ${type} holds at most ${most} different values.`,
    });
  const dictionary =
    distinct.length === 0 ? emptyData(type.dictionary) : concatData(type.dictionary, distinct);
  return make(type, { ...facts, data: keys, dictionary: new arrow.Vector([dictionary]) });
}

const wholeDictionary = (data: Data<Dictionary>): Data =>
  concatData(data.type.dictionary, data.dictionary!.data as Data[]);
