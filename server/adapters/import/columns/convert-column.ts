import {
  arrow,
  type Data,
  type DataType,
  type Dictionary,
  type Field,
  type FixedSizeList,
} from '../../../arrow/arrow.ts';
import { gather, offsetAt } from '../../../arrow/gather.ts';
import { wrapAsBlobs } from '../media/blob-column.ts';

/** Changes a column of a batch on its way into the table. */
export type Convert = (data: Data) => Data;

/** A column is not what its first rows promised; the import begins again without that promise. */
export class BrokenPromise extends Error {
  readonly column: string;

  constructor(column: string) {
    super(`The column ${column} is not what its first rows promised.`);
    this.column = column;
  }
}

const make = (type: DataType, facts: Record<string, unknown>): Data =>
  arrow.makeData({ type, ...facts } as never) as Data;

const validityOf = ({ length, nullCount, nullBitmap }: Data) => ({
  length,
  nullCount,
  nullBitmap: nullCount > 0 ? nullBitmap : null,
});

/** Lists of one length as vectors; throws {@link BrokenPromise} at a list of another length, or with a null in it. */
export function toFixedSizeList(name: string, type: FixedSizeList): Convert {
  const size = type.listSize;
  return (data) => {
    const child = data.children[0]!;
    const indices = new Int32Array(data.length * size);
    let isPlain = true;
    for (let row = 0; row < data.length; row += 1) {
      const start = offsetAt(data, row);
      if (!data.getValid(row)) {
        isPlain = false;
        continue;
      }
      if (offsetAt(data, row + 1) - start !== size) throw new BrokenPromise(name);
      if (start !== row * size) isPlain = false;
      for (let item = 0; item < size; item += 1) indices[row * size + item] = start + item;
    }
    if (child.nullCount > 0) throw new BrokenPromise(name);
    const items = isPlain ? child.slice(0, data.length * size) : gather(child, indices);
    return make(type, { ...validityOf(data), child: items });
  };
}

/** Bytes as a blob column. */
export const toBlobs: Convert = (data) => {
  const offsets = data.valueOffsets as Int32Array | BigInt64Array;
  const valueOffsets = offsets instanceof BigInt64Array ? offsets : BigInt64Array.from(offsets, BigInt);
  return wrapAsBlobs({ ...validityOf(data), valueOffsets, data: data.values as Uint8Array });
};

/** The struct in which blobs come out of another program: its bytes. */
export const unwrapBlobs: Convert = (data) => {
  const payload = data.children[0]!;
  return toBlobs(
    data.nullCount > 0
      ? make(payload.type, { ...validityOf(data), valueOffsets: payload.valueOffsets, data: payload.values })
      : payload,
  );
};

const keysOf = (data: Data): Int32Array => {
  const keys = data.values as ArrayLike<number | bigint>;
  return Int32Array.from({ length: data.length }, (_, row) => (data.getValid(row) ? Number(keys[row]) : -1));
};

/**
 * Dictionaries with 32-bit keys: Lance joins those of several fragments in one, and 8 or 16 bits overflow when it
 * compacts a table (`dictionary indices use 32 bits but the declared Int8 key type uses 8 bits`).
 */
export function toWideDictionary(type: Dictionary): Convert {
  return (data) => {
    const keys = keysOf(data).map((key) => Math.max(0, key));
    return make(type, { ...validityOf(data), data: keys, dictionary: data.dictionary });
  };
}

/** The values that the keys of a dictionary stand for. */
export const toPlainValues: Convert = (data) => {
  const dictionary = data.dictionary!;
  const whole = dictionary.data.length === 1 ? dictionary.data[0]! : (dictionary.memoize().data[0] as Data);
  return gather(whole, keysOf(data));
};

/** Nulls without a type as texts. */
export const toTextNulls: Convert = ({ length }) =>
  make(new arrow.Utf8(), {
    length,
    nullCount: length,
    nullBitmap: new Uint8Array(((length + 63) >> 6) << 3),
    valueOffsets: new Int32Array(length + 1),
    data: new Uint8Array(0),
  });

/** A nested type with the dictionaries inside it replaced by their values, and how to convert its columns; null where there are none. */
export function withoutNestedDictionaries(type: DataType): { type: DataType; convert: Convert } | null {
  if (arrow.DataType.isDictionary(type)) return { type: type.dictionary, convert: toPlainValues };
  if (!type.children || type.children.length === 0) return null;
  const inner = type.children.map((field: Field) => withoutNestedDictionaries(field.type));
  if (inner.every((entry) => entry === null)) return null;
  const fields = type.children.map(
    (field: Field, index: number) =>
      new arrow.Field(field.name, inner[index]?.type ?? field.type, field.nullable, field.metadata),
  );
  const plain = withChildren(type, fields);
  return {
    type: plain,
    convert: (data) =>
      make(plain, {
        ...validityOf(data),
        valueOffsets: data.valueOffsets,
        children: data.children.map((child, index) => inner[index]?.convert(child) ?? child),
        child: inner[0]?.convert(data.children[0]!) ?? data.children[0],
      }),
  };
}

function withChildren(type: DataType, fields: Field[]): DataType {
  if (arrow.DataType.isStruct(type)) return new arrow.Struct(fields);
  if (arrow.DataType.isMap(type)) return new arrow.Map_(fields[0] as never, type.keysSorted);
  if (arrow.DataType.isFixedSizeList(type)) return new arrow.FixedSizeList(type.listSize, fields[0]!);
  return new arrow.List(fields[0]!);
}
