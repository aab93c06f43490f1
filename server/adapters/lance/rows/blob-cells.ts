import { createHash } from 'node:crypto';
import type { BlobCell, ColumnRole } from '#shared/domain/columns.ts';
import { arrow, type Data, type Field } from '../../../arrow/arrow.ts';
import { blobKindOf } from '../../../media-type.ts';

const { Struct, Utf8, Float64 } = arrow;

const cellFields = (withUrl: boolean): Field[] => [
  new arrow.Field('kind', new Utf8(), false),
  new arrow.Field('sizeBytes', new Float64(), false),
  new arrow.Field('contentType', new Utf8(), true),
  new arrow.Field('hash', new Utf8(), true),
  ...(withUrl ? [new arrow.Field('url', new Utf8(), true)] : []),
];

/** The field in which blob cells travel. */
export const blobCellField = ({ name, withUrl }: { name: string; withUrl: boolean }): Field =>
  new arrow.Field(name, new Struct(cellFields(withUrl)), true, new Map());

const kindOfRole: Partial<Record<ColumnRole, BlobCell['kind']>> = {
  image: 'image',
  mask: 'image',
  video: 'video',
  audio: 'audio',
};

/** A cell of which the bytes were looked at (`head`), or only the size is known. */
export function makeBlobCell({
  sizeBytes,
  contentType,
  hash,
  role,
}: Omit<BlobCell, 'kind' | 'url'> & { role: ColumnRole }): BlobCell {
  return {
    kind: contentType === null ? (kindOfRole[role] ?? 'other') : blobKindOf(contentType),
    sizeBytes,
    contentType,
    hash,
  };
}

export const contentHash = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 32);

function textData(texts: readonly (string | null)[]): Data {
  const valueOffsets = new Int32Array(texts.length + 1);
  const nullBitmap = new Uint8Array((texts.length + 7) >> 3);
  const parts: Buffer[] = [];
  let total = 0;
  let nullCount = 0;
  texts.forEach((text, i) => {
    if (text === null) nullCount += 1;
    else {
      const part = Buffer.from(text, 'utf8');
      parts.push(part);
      total += part.length;
      nullBitmap[i >> 3]! |= 1 << (i & 7);
    }
    valueOffsets[i + 1] = total;
  });
  const data = Buffer.concat(parts);
  return arrow.makeData({
    type: new Utf8(),
    length: texts.length,
    nullCount,
    nullBitmap: nullCount === 0 ? null : nullBitmap,
    valueOffsets,
    data,
  });
}

/** Blob cells as a column. */
export function blobCellData(cells: readonly (BlobCell | null)[], { withUrl }: { withUrl: boolean }): Data {
  const nullBitmap = new Uint8Array((cells.length + 7) >> 3);
  let nullCount = 0;
  cells.forEach((cell, i) => {
    if (cell) nullBitmap[i >> 3]! |= 1 << (i & 7);
    else nullCount += 1;
  });
  const sizes = Float64Array.from(cells, (cell) => cell?.sizeBytes ?? 0);
  const children = [
    textData(cells.map((cell) => cell?.kind ?? '')),
    arrow.makeData({ type: new Float64(), length: cells.length, nullCount: 0, data: sizes }),
    textData(cells.map((cell) => cell?.contentType ?? null)),
    textData(cells.map((cell) => cell?.hash ?? null)),
    ...(withUrl ? [textData(cells.map((cell) => cell?.url ?? null))] : []),
  ];
  return arrow.makeData({
    type: new Struct(cellFields(withUrl)),
    length: cells.length,
    nullCount,
    nullBitmap,
    children,
  } as never) as Data;
}
