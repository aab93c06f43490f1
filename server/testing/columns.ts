import { parseColumnType } from '#shared/domain/column-type.ts';
import { toArrowField } from '../adapters/lance/column-type-arrow.ts';
import { arrow, type Data, type DataType, type Decimal, type Field, type Table } from '../arrow/arrow.ts';

/** A made column: its type as text, and its values (typed arrays go in as they are; lists and structs as plain values). */
export interface MadeColumn {
  type: string;
  values: ArrayLike<unknown>;
  nullable?: boolean;
  metadata?: Record<string, string>;
}

type Made = Record<string, MadeColumn>;

const rawTypes: ReadonlySet<number> = new Set([
  arrow.Type.Timestamp,
  arrow.Type.Date,
  arrow.Type.Time,
  arrow.Type.Duration,
  arrow.Type.Int,
  arrow.Type.Float,
]);

/** Puts numbers and bigints into the buffer as they are: arrow-js would take times for milliseconds. */
function rawData(type: DataType, values: ArrayLike<unknown>): Data {
  const length = values.length;
  const Values = (type as unknown as { ArrayType: new (length: number) => Record<number, unknown> })
    .ArrayType;
  const data = new Values(length);
  const nullBitmap = new Uint8Array((length + 7) >> 3);
  let nullCount = 0;
  for (let i = 0; i < length; i++) {
    const value = values[i];
    if (value === null || value === undefined) nullCount += 1;
    else {
      data[i] =
        data instanceof BigInt64Array || data instanceof BigUint64Array ? BigInt(value as number) : value;
      nullBitmap[i >> 3]! |= 1 << (i & 7);
    }
  }
  return arrow.makeData({
    type,
    length,
    nullCount,
    nullBitmap: nullCount > 0 ? nullBitmap : null,
    data,
  } as never);
}

const isTypedArray = (values: ArrayLike<unknown>): boolean =>
  ArrayBuffer.isView(values) && !(values instanceof DataView);

function toData(field: Field, values: ArrayLike<unknown>): Data {
  if (isTypedArray(values))
    return arrow.makeData({ type: field.type, length: values.length, nullCount: 0, data: values } as never);
  if (rawTypes.has(field.type.typeId)) return rawData(field.type, values);
  if (
    field.type.typeId === arrow.Type.FixedSizeList &&
    rawTypes.has((field.type.children[0] as Field).type.typeId)
  )
    return fixedLists(field, values);
  if (field.type.typeId === arrow.Type.Decimal) {
    const words = Array.from(values, (value) =>
      value === null ? null : decimalWords(BigInt(value as number), field.type as Decimal),
    );
    return arrow.vectorFromArray(words, field.type).data[0]!;
  }
  const vector = arrow.vectorFromArray(Array.from(values), field.type);
  return vector.data[0] ?? arrow.makeData({ type: field.type, length: 0 } as never);
}

function decimalWords(unscaled: bigint, { bitWidth }: Decimal): Uint32Array {
  return Uint32Array.from({ length: bitWidth / 32 }, (_, word) =>
    Number(BigInt.asUintN(32, unscaled >> BigInt(word * 32))),
  );
}

function fixedLists(field: Field, values: ArrayLike<unknown>): Data {
  const item = field.type.children[0] as Field;
  const size = (field.type as unknown as { listSize: number }).listSize;
  const flat = Array.from(values).flatMap((list) =>
    list ? Array.from(list as ArrayLike<unknown>) : new Array(size).fill(0),
  );
  const nullBitmap = new Uint8Array((values.length + 7) >> 3);
  for (let i = 0; i < values.length; i++) if (values[i]) nullBitmap[i >> 3]! |= 1 << (i & 7);
  return arrow.makeData({
    type: field.type,
    length: values.length,
    nullBitmap,
    child: rawData(item.type, flat),
  } as never);
}

/** An Arrow table from made columns; times are in the unit of their type. */
export function makeArrowTable(columns: Made): Table {
  const fields = Object.entries(columns).map(([name, { type, nullable, metadata }]) =>
    toArrowField({
      name,
      type: parseColumnType(type),
      nullable: nullable ?? true,
      metadata: new Map(Object.entries(metadata ?? {})),
    }),
  );
  const children = fields.map((field) => toData(field, columns[field.name]!.values));
  const schema = new arrow.Schema(fields);
  const data = arrow.makeData({
    type: new arrow.Struct(fields),
    length: children[0]?.length ?? 0,
    nullCount: 0,
    children,
  });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, data as never)]);
}
