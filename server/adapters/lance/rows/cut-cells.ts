import { arrow, type Data, type Field, type RecordBatch, type Schema } from '../../../arrow/arrow.ts';
import { offsetAt } from '../../../arrow/gather.ts';

/** Says which texts of a row were cut, as JSON: their columns and how many bytes they have. */
export const cutColumn = '_cut';

const isText = ({ typeId }: Field): boolean => typeId === arrow.Type.Utf8 || typeId === arrow.Type.LargeUtf8;

const sizeAt = (data: Data, row: number): number => offsetAt(data, row + 1) - offsetAt(data, row);

function hasLonger(data: Data, maxBytes: number): boolean {
  for (let row = 0; row < data.length; row++) if (sizeAt(data, row) > maxBytes) return true;
  return false;
}

/** Where a text of UTF-8 ends when it may have so many bytes: before a character that would not be whole. */
function endWithin(bytes: Uint8Array, start: number, maxBytes: number): number {
  let end = start + maxBytes;
  while (end > start && (bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}

function cutTexts(data: Data, maxBytes: number): Data {
  const source = data.values as Uint8Array;
  const ends = new Float64Array(data.length);
  const parts: Uint8Array[] = [];
  let total = 0;
  for (let row = 0; row < data.length; row++) {
    const start = offsetAt(data, row);
    const isLong = sizeAt(data, row) > maxBytes;
    const end = isLong ? endWithin(source, start, maxBytes) : offsetAt(data, row + 1);
    parts.push(source.subarray(start, end));
    total += end - start;
    ends[row] = total;
  }
  const values = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    values.set(part, at);
    at += part.length;
  }
  const isLarge = data.type.typeId === arrow.Type.LargeUtf8;
  const valueOffsets = isLarge
    ? BigInt64Array.from([0n, ...Array.from(ends, BigInt)])
    : Int32Array.from([0, ...ends]);
  return arrow.makeData({
    type: data.type,
    length: data.length,
    nullCount: data.nullCount,
    nullBitmap: data.nullCount > 0 ? packValid(data) : undefined,
    valueOffsets,
    data: values,
  } as never);
}

function packValid(data: Data): Uint8Array {
  const bits = new Uint8Array((data.length + 7) >> 3);
  for (let row = 0; row < data.length; row++) if (data.getValid(row)) bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}

export interface CutBatch {
  batch: RecordBatch;
  /** Per row what was cut, as JSON; null where the batch is as it was. */
  cuts: (string | null)[] | null;
}

/** The batch with texts of at most `maxBytes`, cut at whole characters. */
export function cutCells(batch: RecordBatch, maxBytes: number): CutBatch {
  const long = batch.schema.fields.map(
    (field, at) => isText(field) && hasLonger(batch.data.children[at]!, maxBytes),
  );
  if (!long.includes(true)) return { batch, cuts: null };
  const cuts = Array.from({ length: batch.numRows }, (_none, row) => {
    const sizes = batch.schema.fields.flatMap((field, at) => {
      const size = long[at] ? sizeAt(batch.data.children[at]!, row) : 0;
      return size > maxBytes ? [[field.name, size] as const] : [];
    });
    return sizes.length === 0 ? null : JSON.stringify(Object.fromEntries(sizes));
  });
  const children = batch.data.children.map((data, at) => (long[at] ? cutTexts(data, maxBytes) : data));
  return { batch: batchOf(batch.schema, children, batch.numRows), cuts };
}

/** The schema with the column that says what was cut. */
export const schemaWithCuts = (schema: Schema): Schema =>
  new arrow.Schema(
    [...schema.fields, new arrow.Field(cutColumn, new arrow.Utf8(), true)],
    schema.metadata,
    schema.dictionaries,
  );

/** The batch with the column that says what was cut. */
export function batchWithCuts({ batch, cuts }: CutBatch): RecordBatch {
  const column = arrow.vectorFromArray(
    cuts ?? new Array<string | null>(batch.numRows).fill(null),
    new arrow.Utf8(),
  ).data[0]!;
  return batchOf(schemaWithCuts(batch.schema), [...batch.data.children, column], batch.numRows);
}

const batchOf = (schema: Schema, children: readonly Data[], rows: number): RecordBatch =>
  new arrow.RecordBatch(
    schema,
    arrow.makeData({
      type: new arrow.Struct(schema.fields),
      length: rows,
      nullCount: 0,
      children,
    } as never) as never,
  );
