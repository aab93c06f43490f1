import type { Table } from '@lancedb/lancedb';
import { isBytesPathStruct } from '#shared/domain/column-role.ts';
import type { ColumnType } from '#shared/domain/column-type.ts';
import { arrow, type Data, type Vector } from '../../arrow/arrow.ts';
import { offsetAt } from '../../arrow/gather.ts';
import type { BlobPlace } from '../../ports/table-reader.ts';

/** The value of a blob or binary cell, read in parts. */
export interface MediaCell {
  sizeBytes: number;
  /** Where the bytes lie, where that is known. */
  place?: BlobPlace;
  /** Bytes `start` (inclusive) to `end` (exclusive). */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A column whose cells are bytes. */
export interface MediaColumn {
  name: string;
  type: ColumnType;
}

const cellOfBytes = (bytes: Uint8Array): MediaCell => ({
  sizeBytes: bytes.byteLength,
  read: async (start, end) => bytes.subarray(start, end),
});

/** The bytes of one cell of a binary column or of a `{bytes, path}` struct; null for nulls. */
export function bytesOfCell(data: Data, index: number, type: ColumnType): Uint8Array | null {
  if (data.typeId === arrow.Type.Null || !data.getValid(index)) return null;
  if (isBytesPathStruct(type)) {
    const at = data.type.children.findIndex((child: { name: string }) => child.name === 'bytes');
    return bytesOfCell(data.children[at]!, index, { kind: 'binary' });
  }
  return (data.values as Uint8Array).subarray(offsetAt(data, index), offsetAt(data, index + 1));
}

/** Cells by row id, in the order of the ids; null for nulls and for rows that are not there. */
export async function openMediaCells(
  table: Table,
  column: MediaColumn,
  rowIds: readonly bigint[],
): Promise<(MediaCell | null)[]> {
  if (rowIds.length === 0) return [];
  if (column.type.kind === 'blob') {
    const files = await table.fetchBlobFiles(column.name, [...rowIds]);
    return files.map(
      (file) =>
        file && {
          sizeBytes: Number(file.size()),
          read: (start, end) => file.readRange(BigInt(start), BigInt(end)),
        },
    );
  }
  const taken = await table
    .takeRowIds([...rowIds])
    .select([column.name])
    .withRowId()
    .toArrow();
  const cells = new Map<bigint, MediaCell | null>();
  for (const batch of taken.batches) {
    const ids = (batch.getChild('_rowid') as Vector).toArray() as BigUint64Array;
    const data = batch.data.children[
      batch.schema.fields.findIndex((field) => field.name === column.name)
    ] as Data;
    ids.forEach((id, row) => {
      const bytes = bytesOfCell(data, row, column.type);
      cells.set(id, bytes && cellOfBytes(bytes));
    });
  }
  return rowIds.map((id) => cells.get(id) ?? null);
}
