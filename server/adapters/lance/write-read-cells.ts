import { quoteLanceIdent } from '#shared/sql/ident.ts';
import { arrow, type Data, type Field, type Schema } from '../../arrow/arrow.ts';
import { nullData } from '../../arrow/null-data.ts';
import { isBlobField } from './column-type-arrow.ts';
import { castExpression, tryCastExpression } from './write-cast.ts';
import { type Reading, readRowsById } from './write-read.ts';
import type { WriteTarget } from './write-target.ts';

/** A column to read as it is written: blobs with their bytes. */
export interface CellColumn {
  field: Field;
  /** Its name in the version that is read; null where it is not there. */
  storedName: string | null;
  /** Gives its values where it is not there; null: nulls. */
  valueSql: string | null;
  isBlob: boolean;
  /** Its values may be stored as another type than that of `field`. */
  isCast?: boolean;
}

/** Cells of rows by their ids, in the order of the ids, which are there. */
export async function readCells(
  { handle, schema }: Pick<WriteTarget, 'handle' | 'schema'>,
  columns: readonly CellColumn[],
  ids: Float64Array,
  signal: AbortSignal,
): Promise<Data[]> {
  const reading: Reading = {};
  for (const [index, { field, storedName, valueSql, isBlob, isCast }] of columns.entries()) {
    if (isBlob) continue;
    if (storedName !== null) {
      const stored = quoteLanceIdent(storedName);
      reading[`c${index}`] = isCast ? tryCastExpression(stored, field.type) : stored;
    }
    if (storedName === null && valueSql !== null) reading[`c${index}`] = castExpression(valueSql, field.type);
  }
  const isNeeded = ids.length > 0 && Object.keys(reading).length > 0;
  const read = isNeeded
    ? (await readRowsById(handle, ids, { ...anchorOf(schema), ...reading }, signal)).columns
    : null;
  const cells: Data[] = [];
  for (const [index, { field, storedName, isBlob }] of columns.entries()) {
    if (isBlob && storedName !== null && ids.length > 0) {
      signal.throwIfAborted();
      cells.push(blobCells(await handle.fetchBlobs(storedName, Array.from(ids)), field));
    } else cells.push(read?.get(`c${index}`) ?? nullData(field.type, ids.length));
  }
  return cells;
}

function blobCells(blobs: readonly (Buffer | null)[], { type }: Field): Data {
  const cells =
    type.typeId === arrow.Type.Struct ? blobs.map((blob) => blob && { data: blob, uri: null }) : blobs;
  return arrow.vectorFromArray(cells, type).data[0]!;
}

/** Lance reads no row for expressions that use no column, so one comes along. */
export function anchorOf({ fields }: Schema): Reading {
  const anchor = fields.find((field) => !isBlobField(field)) ?? fields[0];
  return anchor ? { _curio_anchor: quoteLanceIdent(anchor.name) } : {};
}
