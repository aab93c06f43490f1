import { isMediaType } from '#shared/domain/column-role.ts';
import type { ColumnType } from '#shared/domain/column-type.ts';
import type { ColumnRole } from '#shared/domain/columns.ts';
import type { Data, Field } from '../../../arrow/arrow.ts';
import { dataCellToJson, type JsonCell } from '../../../arrow/cell-json.ts';
import { offsetAt } from '../../../arrow/gather.ts';
import { blobSizes } from '../diff/blob-cells.ts';
import { makeBlobCell } from '../rows/blob-cells.ts';

const maxCharacters = 20_000;
const maxItems = 64;

export interface CellPreview {
  value: JsonCell;
  isCut: boolean;
}

export interface PreviewedColumn {
  type: ColumnType;
  role: ColumnRole;
  isBlob: boolean;
}

/** One cell as JSON, short enough to travel; media by their size alone. */
export function previewCell(column: PreviewedColumn, data: Data, place: number): CellPreview {
  if (!isMediaType(column.type)) return cut(dataCellToJson(data, place));
  const sizeBytes = sizeOf(column, data, place);
  if (sizeBytes === null) return { value: null, isCut: false };
  const { role } = column;
  const cell = makeBlobCell({ sizeBytes, contentType: null, hash: null, role });
  return { value: { ...cell, url: null }, isCut: false };
}

function sizeOf({ isBlob, type }: PreviewedColumn, data: Data, place: number): number | null {
  if (isBlob) return blobSizes(data)[place] ?? null;
  if (!data.getValid(place)) return null;
  const bytes = type.kind === 'struct' ? bytesOf(data) : data;
  if (!bytes?.getValid(place)) return null;
  return offsetAt(bytes, place + 1) - offsetAt(bytes, place);
}

/** The bytes of `{bytes, path}`. */
const bytesOf = (data: Data): Data | undefined =>
  data.children[data.type.children.findIndex(({ name }: Field) => name === 'bytes')];

function cut(value: JsonCell): CellPreview {
  if (typeof value === 'string' && value.length > maxCharacters)
    return { value: value.slice(0, maxCharacters), isCut: true };
  if (Array.isArray(value) && value.length > maxItems)
    return { value: value.slice(0, maxItems), isCut: true };
  if (typeof value === 'object' && value !== null && JSON.stringify(value).length > 4 * maxCharacters)
    return { value: JSON.stringify(value).slice(0, maxCharacters), isCut: true };
  return { value, isCut: false };
}
