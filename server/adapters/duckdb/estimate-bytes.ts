import {
  arrow,
  type Data,
  type DataType,
  type Decimal,
  type FixedSizeBinary,
  type FixedSizeList,
} from '../../arrow/arrow.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Relation, RelationColumn, RowSource } from './relation.ts';

const { DataType: Is } = arrow;

const blobFields = ['kind', 'sizeBytes', 'contentType', 'hash', 'url'];
const blobCellBytes = 160;
const sampledRows = 500;

/** Whether a column holds blob cells (see `BlobCell`) instead of values. */
export const isBlobCell = (type: DataType): boolean =>
  Is.isStruct(type) &&
  blobFields.every((name) => type.children.some((field: { name: string }) => field.name === name));

/** Bytes that a value takes in memory; `null` where values differ in size. */
export function fixedBytesOf(type: DataType): number | null {
  if (isBlobCell(type)) return blobCellBytes;
  if (Is.isNull(type)) return 0;
  if (Is.isBool(type)) return 1;
  if (Is.isInt(type)) return type.bitWidth / 8;
  if (Is.isFloat(type)) return type.precision === arrow.Precision.DOUBLE ? 8 : 4;
  if (Is.isDecimal(type)) return (type as Decimal).bitWidth / 8;
  if (Is.isDate(type)) return 4;
  if (Is.isTime(type) || Is.isTimestamp(type)) return 8;
  if (Is.isDuration(type) || Is.isInterval(type)) return 16;
  if (Is.isFixedSizeBinary(type)) return (type as FixedSizeBinary).byteWidth + 16;
  if (Is.isFixedSizeList(type)) {
    const { listSize, children } = type as FixedSizeList;
    const item = fixedBytesOf(children[0]?.type as DataType);
    return item === null ? null : item * listSize;
  }
  if (Is.isStruct(type)) {
    const parts = type.children.map((field: { type: DataType }) => fixedBytesOf(field.type));
    return parts.includes(null)
      ? null
      : parts.reduce((sum: number, part: number | null) => sum + (part ?? 0), 0);
  }
  return null;
}

/** Bytes of exactly the rows of the data, as DuckDB would hold them. */
function usedBytesOf(data: Data): number {
  const { type, length, valueOffsets, children } = data;
  const fixed = fixedBytesOf(type);
  if (fixed !== null) return fixed * length;
  if (Is.isDictionary(type)) return 16 * length;
  const between = valueOffsets ? Number(valueOffsets[length]) - Number(valueOffsets[0]) : 0;
  if (children.length === 0) return between + 16 * length;
  const parts = (children as Data[]).reduce((sum, child) => sum + usedBytesOf(child), 0);
  if (!valueOffsets) return parts;
  const [item] = children as [Data];
  return 16 * length + (item.length === 0 ? 0 : (parts * between) / item.length);
}

/** Remembers how large columns are. Sizes of text and lists come from the first rows. */
export class SizeEstimator {
  #source: RowSource;
  #bytesPerRow = new Map<string, number>();

  constructor(source: RowSource) {
    this.#source = source;
  }

  /** Bytes of the columns' first `rows` rows. */
  async estimate(
    relation: Relation,
    columns: readonly RelationColumn[],
    rows: number,
    context: CallContext,
  ): Promise<number> {
    const idOf = (column: RelationColumn) => `${relation.key}/${column.source}`;
    const unknown = columns.filter((column) => !this.#bytesPerRow.has(idOf(column)));
    const varying = unknown.filter(({ arrowType }) => fixedBytesOf(arrowType) === null);
    for (const column of unknown) this.#bytesPerRow.set(idOf(column), fixedBytesOf(column.arrowType) ?? 0);
    if (varying.length > 0 && relation.rows > 0) {
      const sizes = await this.#sample(relation, varying, context);
      for (const [index, column] of varying.entries()) this.#bytesPerRow.set(idOf(column), sizes[index] ?? 0);
    }
    return Math.ceil(
      columns.reduce((sum, column) => sum + (this.#bytesPerRow.get(idOf(column)) ?? 0), 0) * rows,
    );
  }

  async #sample(
    { pinned }: Relation,
    columns: readonly RelationColumn[],
    context: CallContext,
  ): Promise<number[]> {
    const names = columns.map(({ source }) => source);
    const sample = { ...pinned, columns: names, offset: 0, limit: sampledRows };
    const { batches } = await this.#source.read(sample, context);
    const bytes = names.map(() => 0);
    let rows = 0;
    for await (const batch of batches) {
      rows += batch.numRows;
      names.forEach((name, index) => {
        for (const data of batch.getChild(name)?.data ?? [])
          bytes[index] = (bytes[index] ?? 0) + usedBytesOf(data);
      });
    }
    return bytes.map((size) => size / Math.max(1, rows));
  }
}
