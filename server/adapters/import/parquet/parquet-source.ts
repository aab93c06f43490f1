import { AppError, isAppError } from '#shared/api/problem.ts';
import { arrow, type RecordBatch } from '../../../arrow/arrow.ts';
import type { RowSource, SourceFile } from '../../../arrow/row-source.ts';
import { readParquetEnd } from './parquet-footer.ts';
import { type ParquetFacts, type ParquetSlice, planBatchRows, planSlices } from './parquet-protocol.ts';
import { ParquetTrap, startParquetThread } from './parquet-thread.ts';

/** Row groups above this do not fit the decoder's 4 GB with what it makes of them. */
const maxGroupBytes = 1024 ** 3;
const probeRows = 32;
/** How much smaller slices become when one was too much, and the smallest share that is tried. */
const shrinkBy = 16;
const minShare = 1 / shrinkBy ** 4;

const count = (rows: number): string => rows.toLocaleString('en');

function translate(label: string, error: unknown, done: number): unknown {
  if (isAppError(error)) return error;
  if (error instanceof ParquetTrap)
    return new AppError({
      code: 'INVALID_FILE',
      message: `${label}: the rows after row ${count(done)} need more memory or time than their decoder may have.`,
      hint: 'The file may be damaged, or made to fill the memory. Write it with smaller row groups.',
      cause: error,
    });
  const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
  return new AppError({
    code: 'INVALID_FILE',
    message: `${label}: the Parquet file is damaged after row ${count(done)} (${why}).`,
    hint: 'Write it or copy it again.',
    cause: error,
  });
}

const batchOf = (stream: Uint8Array): RecordBatch | null => arrow.tableFromIPC(stream).batches[0] ?? null;

interface OpenFile {
  file: SourceFile;
  end: Awaited<ReturnType<typeof readParquetEnd>>;
}

const start = ({ file, end }: OpenFile, slices: ParquetSlice[], batchRows: number, signal: AbortSignal) =>
  startParquetThread(
    { path: file.path, end: { start: end.start, bytes: end.bytes }, slices, batchRows },
    signal,
  );

/** Reads the facts and the first rows. Whatever cannot be read here is left to another engine, as a {@link ParquetTrap}. */
async function probe(
  open: OpenFile,
  signal: AbortSignal,
): Promise<{ facts: ParquetFacts; rowBytes: number }> {
  const thread = start(open, [{ group: 0, offset: 0, rows: probeRows }], probeRows, signal);
  try {
    const facts = await thread.facts;
    if (facts.groups.some((group) => group.packedBytes > maxGroupBytes))
      throw new ParquetTrap('a row group is too large');
    const first = facts.rows > 0 ? await thread.next() : null;
    return { facts, rowBytes: first ? first.length / Math.max(1, batchOf(first)?.numRows ?? 1) : 1 };
  } finally {
    await thread.close();
  }
}

/**
 * Rows of a Parquet file, in slices that fit the decoder's memory. Throws INVALID_FILE for a file without footer, and
 * {@link ParquetTrap} where the decoder cannot read the file's types, so that another engine may try.
 */
export async function openParquetSource(file: SourceFile, signal: AbortSignal): Promise<RowSource> {
  const open = { file, end: await readParquetEnd(file) };
  const { facts, rowBytes } = await probe(open, signal);
  let bytesRead = 0;
  return {
    label: file.label,
    schema: arrow.tableFromIPC(facts.schema).schema,
    rowCount: facts.rows,
    sizeBytes: open.end.fileSize,
    bytesRead: () => bytesRead,
    async *batches(batchSignal) {
      let done = 0;
      let share = 1;
      const begin = () =>
        start(
          open,
          planSlices(facts, { done, probedRowBytes: rowBytes, share }),
          Math.max(1, Math.floor(planBatchRows(rowBytes) * share)),
          batchSignal,
        );
      let thread = begin();
      try {
        for (;;) {
          let batch: RecordBatch | null;
          try {
            const stream = await thread.next();
            if (!stream) return;
            batch = batchOf(stream);
          } catch (error) {
            share /= shrinkBy;
            if (!(error instanceof ParquetTrap) || share < minShare) throw translate(file.label, error, done);
            await thread.close();
            thread = begin();
            continue;
          }
          if (!batch) continue;
          done += batch.numRows;
          bytesRead = Math.round((open.end.fileSize * done) / facts.rows);
          yield batch;
        }
      } finally {
        await thread.close();
      }
    },
    close: async () => undefined,
  };
}
