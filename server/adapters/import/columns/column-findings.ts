import { arrow, type Data, type List, type RecordBatch, type Schema } from '../../../arrow/arrow.ts';
import { offsetAt } from '../../../arrow/gather.ts';
import { blobKindOf, sniffMediaType } from '../../../media-type.ts';

/** What the first rows say about columns beyond their type. */
export interface ColumnFinding {
  /** Every list has this many numbers: the column is a vector. */
  vectorSize?: number;
  /** The bytes are media (of one kind, or `blob` of several), or large. */
  blobRole?: 'image' | 'video' | 'audio' | 'blob';
}

const minVectorSize = 8;
const sniffedValues = 64;
const mediaShare = 0.8;
const largeMeanBytes = 16 * 1024;

const isBytes = (data: Data): boolean =>
  arrow.DataType.isBinary(data.type) || arrow.DataType.isLargeBinary(data.type);

/** The one length of all lists of a column of floats, if there is one. */
function findVectorSize(chunks: readonly Data[]): number | undefined {
  let size: number | undefined;
  for (const chunk of chunks) {
    if (!arrow.DataType.isList(chunk.type) || !arrow.DataType.isFloat((chunk.type as List).children[0]!.type))
      return undefined;
    if (chunk.children[0]!.nullCount > 0) return undefined;
    for (let row = 0; row < chunk.length; row += 1) {
      if (!chunk.getValid(row)) continue;
      const length = offsetAt(chunk, row + 1) - offsetAt(chunk, row);
      size ??= length;
      if (length !== size || length < minVectorSize) return undefined;
    }
  }
  return size;
}

function findBlobRole(chunks: readonly Data[]): ColumnFinding['blobRole'] {
  const kinds: string[] = [];
  let bytes = 0;
  let values = 0;
  for (const chunk of chunks) {
    if (!isBytes(chunk)) return undefined;
    for (let row = 0; row < chunk.length; row += 1) {
      if (!chunk.getValid(row)) continue;
      const start = offsetAt(chunk, row);
      const end = offsetAt(chunk, row + 1);
      bytes += end - start;
      values += 1;
      if (kinds.length < sniffedValues && end > start)
        kinds.push(blobKindOf(sniffMediaType((chunk.values as Uint8Array).subarray(start, end))));
    }
  }
  const media = kinds.filter((kind) => kind === 'image' || kind === 'video' || kind === 'audio');
  if (media.length > 0 && media.length >= kinds.length * mediaShare) {
    const only = new Set(media).size === 1 ? media[0] : 'blob';
    return only as ColumnFinding['blobRole'];
  }
  return values > 0 && bytes / values > largeMeanBytes ? 'blob' : undefined;
}

/** Looks at the first batches of a source, per column. */
export function findInColumns(schema: Schema, batches: readonly RecordBatch[]): ColumnFinding[] {
  return schema.fields.map((_, index) => {
    const chunks = batches.map((batch) => batch.data.children[index]!);
    const vectorSize = findVectorSize(chunks);
    const blobRole = findBlobRole(chunks);
    return {
      ...(vectorSize === undefined ? {} : { vectorSize }),
      ...(blobRole === undefined ? {} : { blobRole }),
    };
  });
}
