import type { Table } from '@lancedb/lancedb';
import { AppError } from '#shared/api/problem.ts';
import { arrow, type RecordBatch } from '../../../arrow/arrow.ts';
import { concatData } from '../../../arrow/concat-data.ts';
import { gatherBatch } from '../../../arrow/gather.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import { filesOfQuery } from './files-of-query.ts';
import { rowIdColumn } from './plan-columns.ts';

export interface TakeOptions {
  handle: Table;
  selection: string[];
  place: LanceErrorPlace;
  signal: AbortSignal;
}

/** A taken window: the file as Lance made it where it is already in order, and the batch. */
export interface TakenRows {
  batch: RecordBatch;
  /** The bytes that hold just this batch, when they do. */
  file: Uint8Array | null;
}

function joinBatches(batches: readonly RecordBatch[]): RecordBatch {
  const [first] = batches;
  if (batches.length === 1 && first) return first;
  const { schema } = first!;
  const children = schema.fields.map((field, at) =>
    concatData(
      field.type,
      batches.map((batch) => batch.data.children[at]!),
    ),
  );
  const length = batches.reduce((sum, batch) => sum + batch.numRows, 0);
  return new arrow.RecordBatch(
    schema,
    arrow.makeData({
      type: new arrow.Struct(schema.fields),
      length,
      nullCount: 0,
      children,
    } as never) as never,
  );
}

/**
 * The rows with these ids, in their order. Lance's take answers in physical order, once per id, and leaves out what it
 * does not find; so the rows are put where they belong.
 */
export async function takeRows(
  ids: BigUint64Array,
  { handle, selection, place, signal }: TakeOptions,
): Promise<TakenRows> {
  const query = handle.takeRowIds([...ids]);
  const files: Uint8Array[] = [];
  for await (const file of filesOfQuery(query.select(selection), {
    place,
    signal,
    batchRows: Math.max(1, ids.length),
    rowCount: ids.length,
  }))
    files.push(file);
  const batches = files.flatMap((file) => arrow.tableFromIPC(file).batches);
  if (batches.length === 0) throw missingRow(ids[0]!);
  const batch = joinBatches(batches);
  const found = batch.getChild(rowIdColumn)!.toArray() as BigUint64Array;
  if (found.length === ids.length && ids.every((id, at) => found[at] === id))
    return { batch, file: files.length === 1 ? files[0]! : null };
  const places = new Map<bigint, number>();
  found.forEach((id, at) => {
    places.set(id, at);
  });
  const indices = Int32Array.from(ids, (id) => {
    const at = places.get(id);
    if (at === undefined) throw missingRow(id);
    return at;
  });
  return { batch: gatherBatch(batch, indices), file: null };
}

const missingRow = (id: bigint): AppError =>
  new AppError({
    code: 'NOT_FOUND',
    message: `The row ${id} is not in this version.`,
    hint: 'It was deleted, or the id belongs to another version.',
  });
