import { AppError } from '#shared/api/problem.ts';
import type { ByteStream, CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { BlobFacts } from '../ports/table-reader.ts';
import { resolveRef } from './resolve-ref.ts';

export interface BlobAddress {
  table: string;
  ref: string;
  column: string;
  rowId: string;
}

/** Bytes `start` (inclusive) to `end` (exclusive) of a cell; the whole when neither is given. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Opens a blob or binary cell, or what a text cell with a media role names. Throws NOT_FOUND for null cells and missing rows. */
export async function readBlob(
  ports: Ports,
  address: BlobAddress,
  context: CallContext,
  range?: ByteRange,
): Promise<ByteStream<BlobFacts>> {
  const { column, rowId } = address;
  if (!/^\d{1,20}$/.test(rowId))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `“${rowId.slice(0, 40)}” is not a row id.`,
      hint: 'Row ids are whole numbers: the _rowid of a row.',
    });
  const { table, ref } = await resolveRef(ports, address.table, address.ref, context);
  const blob = await ports.reader.blob({ table, ref, column, rowId, ...range }, context);
  const { link } = blob.facts;
  return link === undefined ? blob : ports.places.open({ link, ...range }, context);
}
