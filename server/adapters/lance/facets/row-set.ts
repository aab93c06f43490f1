import { AppError } from '#shared/api/problem.ts';
import { arrow, type RecordBatch } from '../../../arrow/arrow.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import type { PinnedTable } from '../pinned-tables.ts';
import { filesOfQuery, freeFile } from '../rows/files-of-query.ts';

/** Rows that are looked at, always in the same order: those of the whole table, or blocks spread over it. */
export interface RowSet {
  /** Part of cache keys. */
  key: string;
  rows: number;
  isSample: boolean;
  /** Too many rows for memory. */
  isInFile: boolean;
  /** Reads expressions over the rows; a batch is gone when the next is asked for. */
  read(expressions: Record<string, string>, signal: AbortSignal): AsyncGenerator<RecordBatch>;
}

/** Many short runs, so that tables in an order of time or place are met everywhere. */
const rowsPerRun = 100;
const takenAtOnce = 65_536;
const batchRows = 32_768;
/** Filters that name facts of rows need them in the scan. */
const namesRowFacts = (expressions: Record<string, string>): boolean =>
  Object.values(expressions).some((text) => /`_row/.test(text));

interface Source {
  table: PinnedTable;
  place: LanceErrorPlace;
  rowsInMemory: number;
}

/** All rows, or about `sample` of them where the table has more. */
export function chooseRowSet(source: Source, sample: number | undefined): RowSet {
  const { rows } = source.table.facts;
  if (sample === undefined || sample >= rows)
    return {
      key: `${source.table.key}:all`,
      rows,
      isSample: false,
      isInFile: rows > source.rowsInMemory,
      read: (expressions, signal) => checked(readAll(source, expressions, signal), rows),
    };
  const runs = Math.max(1, Math.floor(sample / rowsPerRun));
  const perRun = Math.min(sample, rowsPerRun);
  const offsets = Array.from({ length: runs * perRun }, (_none, at) => {
    const run = Math.floor(at / perRun);
    const start = runs === 1 ? 0 : Math.floor((run * (rows - perRun)) / (runs - 1));
    return start + (at % perRun);
  });
  return {
    key: `${source.table.key}:${runs}x${perRun}`,
    rows: offsets.length,
    isSample: true,
    isInFile: offsets.length > source.rowsInMemory,
    read: (expressions, signal) => checked(readOffsets(source, offsets, expressions, signal), offsets.length),
  };
}

async function* batchesOf(files: AsyncIterable<Uint8Array>): AsyncGenerator<RecordBatch> {
  for await (const file of files) {
    yield* arrow.tableFromIPC(file).batches;
    freeFile(file);
  }
}

function readAll(
  { table, place }: Source,
  expressions: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch> {
  const query = table.handle.query().select(expressions);
  return batchesOf(
    filesOfQuery(namesRowFacts(expressions) ? query.withRowId() : query, { place, signal, batchRows }),
  );
}

async function* readOffsets(
  { table, place }: Source,
  offsets: readonly number[],
  expressions: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch> {
  for (let at = 0; at < offsets.length; at += takenAtOnce) {
    const query = table.handle.takeOffsets(offsets.slice(at, at + takenAtOnce)).select(expressions);
    yield* batchesOf(
      filesOfQuery(namesRowFacts(expressions) ? query.withRowId() : query, { place, signal, batchRows }),
    );
  }
}

/** Rows that do not come, or too many, would shift one column against another. */
async function* checked(batches: AsyncGenerator<RecordBatch>, expected: number): AsyncGenerator<RecordBatch> {
  let rows = 0;
  for await (const batch of batches) {
    rows += batch.numRows;
    if (rows > expected) break;
    yield batch;
  }
  if (rows !== expected)
    throw new AppError({
      code: 'INTERNAL',
      message: 'The rows of the table did not come as they were counted.',
      hint: 'Try again; if it goes on, open a newer version of the table.',
    });
}
