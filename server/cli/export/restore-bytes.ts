import type { TableDetail } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { formatFieldFacts } from '#shared/domain/field-facts.ts';
import { formatRef } from '#shared/domain/ref.ts';
import {
  arrow,
  type Data,
  type DataType,
  type Field,
  type RecordBatch,
  type Schema,
} from '../../arrow/arrow.ts';
import { gatherBatch } from '../../arrow/gather.ts';
import type { Client } from '../client.ts';

const rowIdColumn = '_rowid';
const bytesAtOnce = 32 * 1024 * 1024;
const fetchesAtOnce = 8;

/** Columns whose cells travel as size, kind and address instead of bytes. */
const isMedia = ({ type }: ColumnInfo): boolean =>
  type === 'blob' || type === 'binary' || type === 'large_binary' || isBytesAndPath(type);

const isBytesAndPath = (type: string): boolean =>
  /^struct<bytes: (large_)?binary, path: (large_)?utf8>$/.test(type);

const bytesType = (type: string): DataType =>
  /\b(large_binary|blob)\b/.test(type) ? new arrow.LargeBinary() : new arrow.Binary();

const bytesAndPath = (type: string): DataType =>
  new arrow.Struct([
    new arrow.Field('bytes', bytesType(type), true),
    new arrow.Field('path', new arrow.Utf8(), true),
  ]);

export interface RestoreOptions {
  client: Client;
  detail: TableDetail;
  /** Whether the bytes of media columns are wanted; otherwise those columns are left out. */
  withBytes: boolean;
  signal: AbortSignal;
}

interface Column {
  info: ColumnInfo;
  at: number;
  field: Field;
}

/** The schema of an export for that of the rows as they travel: bytes as bytes, facts in the metadata, no row ids. */
function planColumns(schema: Schema, { detail, withBytes }: RestoreOptions): Column[] {
  return schema.fields.flatMap((field, at): Column[] => {
    const info = detail.columns.find((column) => column.name === field.name);
    if (field.name === rowIdColumn || !info) return [];
    if (!isMedia(info)) return [{ info, at, field }];
    if (!withBytes) return [];
    const facts = formatFieldFacts({ role: info.role, description: info.description, tags: info.tags });
    const metadata = new Map(
      Object.entries(facts).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    const type = isBytesAndPath(info.type) ? bytesAndPath(info.type) : bytesType(info.type);
    return [{ info, at, field: new arrow.Field(field.name, type, true, metadata) }];
  });
}

export interface Restored {
  schema: Schema;
  batches(source: AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch>;
}

/** Turns rows as they travel into rows as they are stored, fetching the bytes of media cells one by one. */
export function planRestore(schema: Schema, options: RestoreOptions): Restored {
  const columns = planColumns(schema, options);
  const described = columns.map(({ field }, index) =>
    index === 0 ? withDescription(field, options.detail.description) : field,
  );
  const plan = new arrow.Schema(described);
  const media = columns.filter(({ info }) => isMedia(info));
  const rowIdAt = schema.fields.findIndex((field) => field.name === rowIdColumn);
  return {
    schema: plan,
    async *batches(source) {
      for await (const whole of source) {
        for (const batch of cutBySize(whole, media)) {
          const children: Data[] = [];
          for (const column of columns)
            children.push(
              isMedia(column.info)
                ? await fetchColumn(batch, column, rowIdAt, options)
                : batch.data.children[column.at]!,
            );
          const data = arrow.makeData({
            type: new arrow.Struct(described),
            length: batch.numRows,
            nullCount: 0,
            children: children as never,
          });
          yield new arrow.RecordBatch(plan, data as never);
        }
      }
    },
  };
}

function withDescription(field: Field, description: string): Field {
  if (description === '') return field;
  const facts = formatFieldFacts({ tableDescription: description }) as Record<string, string>;
  return new arrow.Field(
    field.name,
    field.type,
    field.nullable,
    new Map([...field.metadata, ...Object.entries(facts)]),
  );
}

interface MediaCell {
  sizeBytes: number | bigint;
}

const cellsOf = (batch: RecordBatch, { at }: Column): (MediaCell | null)[] => [
  ...(batch.getChildAt(at) as unknown as Iterable<MediaCell | null>),
];

/** Cuts a batch where its media would take more than fits the memory well. */
function* cutBySize(batch: RecordBatch, media: readonly Column[]): Generator<RecordBatch> {
  if (media.length === 0) {
    yield batch;
    return;
  }
  const cells = media.map((column) => cellsOf(batch, column));
  let start = 0;
  let bytes = 0;
  for (let row = 0; row < batch.numRows; row += 1) {
    const size = cells.reduce((sum, column) => sum + Number(column[row]?.sizeBytes ?? 0), 0);
    if (row > start && bytes + size > bytesAtOnce) {
      yield rowsOf(batch, start, row);
      start = row;
      bytes = 0;
    }
    bytes += size;
  }
  if (batch.numRows > 0) yield rowsOf(batch, start, batch.numRows);
}

const rowsOf = (batch: RecordBatch, start: number, end: number): RecordBatch =>
  start === 0 && end === batch.numRows
    ? batch
    : gatherBatch(
        batch,
        Int32Array.from({ length: end - start }, (_, index) => start + index),
      );

async function fetchColumn(
  batch: RecordBatch,
  column: Column,
  rowIdAt: number,
  { client, detail, signal }: RestoreOptions,
): Promise<Data> {
  const cells = cellsOf(batch, column);
  const rowIds = batch.data.children[rowIdAt]!.values as BigUint64Array;
  const payloads: (Uint8Array | null)[] = new Array(cells.length).fill(null);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let row = next++; row < cells.length; row = next++) {
      if (cells[row] === null) continue;
      const params = { table: detail.name, column: column.info.name, rowId: String(rowIds[row]) };
      const response = await client.send('blob', { params, query: { ref: formatRef(detail.ref) }, signal });
      payloads[row] = new Uint8Array(await response.arrayBuffer());
    }
  };
  await Promise.all(Array.from({ length: fetchesAtOnce }, work));
  const bytes = binaryOf(payloads, bytesType(column.info.type));
  if (!isBytesAndPath(column.info.type)) return bytes;
  const path = arrow.makeData({
    type: new arrow.Utf8(),
    length: cells.length,
    nullCount: cells.length,
    nullBitmap: new Uint8Array(((cells.length + 63) >> 6) << 3),
    valueOffsets: new Int32Array(cells.length + 1),
    data: new Uint8Array(0),
  });
  const { nullBitmap, nullCount } = bytes;
  return arrow.makeData({
    type: column.field.type as never,
    length: cells.length,
    nullCount,
    nullBitmap,
    children: [bytes, path] as never,
  }) as Data;
}

function binaryOf(payloads: readonly (Uint8Array | null)[], type: DataType): Data {
  const length = payloads.length;
  const ends = new Float64Array(length + 1);
  const nullBitmap = new Uint8Array(((length + 63) >> 6) << 3);
  let total = 0;
  let nullCount = 0;
  payloads.forEach((payload, row) => {
    if (payload) nullBitmap[row >> 3]! |= 1 << (row & 7);
    else nullCount += 1;
    total += payload?.length ?? 0;
    ends[row + 1] = total;
  });
  const data = new Uint8Array(total);
  payloads.forEach((payload, row) => {
    if (payload) data.set(payload, ends[row]!);
  });
  const isLarge = arrow.DataType.isLargeBinary(type);
  const valueOffsets = isLarge ? BigInt64Array.from(ends, (end) => BigInt(end)) : Int32Array.from(ends);
  return arrow.makeData({ type, length, nullCount, nullBitmap, valueOffsets, data } as never) as Data;
}
