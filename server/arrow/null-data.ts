import {
  arrow,
  type Data,
  type DataType,
  type Decimal,
  type Dictionary,
  type FixedSizeBinary,
  type FixedSizeList,
} from './arrow.ts';

const { Type } = arrow;

const make = (type: DataType, props: Record<string, unknown>): Data =>
  arrow.makeData({ type, ...props } as never) as Data;

/** Array elements that one value takes. */
function strideOf(type: DataType): number {
  if (type.typeId === Type.Decimal) return (type as Decimal).bitWidth / 32;
  return type.typeId === Type.FixedSizeBinary ? (type as FixedSizeBinary).byteWidth : 1;
}

/** A column without rows. */
export const emptyData = (type: DataType): Data => nullData(type, 0);

/** A column of nulls. */
export function nullData(type: DataType, length: number): Data {
  const nullBitmap = new Uint8Array((((length + 7) >> 3) + 7) & ~7);
  const facts = { length, nullCount: length, nullBitmap: length === 0 ? null : nullBitmap };
  switch (type.typeId) {
    case Type.Null:
      return make(type, { length });
    case Type.List:
    case Type.Map:
      return make(type, {
        ...facts,
        valueOffsets: new Int32Array(length + 1),
        child: emptyData(type.children[0]!.type),
      });
    case Type.FixedSizeList: {
      return make(type, {
        ...facts,
        child: filler(type.children[0]!.type, length * (type as FixedSizeList).listSize),
      });
    }
    case Type.Struct:
      return make(type, { ...facts, children: type.children.map((field) => filler(field.type, length)) });
    case Type.Dictionary: {
      const { indices, dictionary } = type as Dictionary;
      return make(type, {
        ...facts,
        data: new indices.ArrayType(length),
        dictionary: new arrow.Vector([emptyData(dictionary)]),
      });
    }
    case Type.Utf8:
    case Type.Binary:
      return make(type, { ...facts, valueOffsets: new Int32Array(length + 1), data: new Uint8Array(0) });
    case Type.LargeUtf8:
    case Type.LargeBinary:
      return make(type, { ...facts, valueOffsets: new BigInt64Array(length + 1), data: new Uint8Array(0) });
    case Type.Bool:
      return make(type, { ...facts, data: new Uint8Array(nullBitmap.length) });
    default:
      return make(type, { ...facts, data: new type.ArrayType(length * strideOf(type)) });
  }
}

/** Values below nulls: there, without a meaning, and not null, since their field may not allow it. */
function filler(type: DataType, length: number): Data {
  const { values, valueOffsets, children, dictionary } = nullData(type, length);
  return make(type, {
    length,
    nullCount: 0,
    data: values,
    valueOffsets,
    child: children[0],
    children,
    dictionary,
  });
}
