import { Worker } from 'node:worker_threads';
import { AppError, abortedError, isAppError } from '#shared/api/problem.ts';
import { arrow, type RecordBatch } from '../../../arrow/arrow.ts';
import type { RowSource, SourceFile } from '../../../arrow/row-source.ts';
import { readParquetEnd } from './parquet-footer.ts';
import { type ParquetFacts, type ParquetReply, type ParquetWork, planBatchRows } from './parquet-protocol.ts';

/** The decoder gave up: its memory ran out, or it met something that it does not know. */
export class ParquetTrap extends Error {}

/** Row groups above this do not fit the decoder's 4 GB with what it makes of them. */
const maxGroupBytes = 1024 ** 3;

interface Thread {
  facts: Promise<ParquetFacts>;
  next(): Promise<RecordBatch | null>;
  close(): Promise<void>;
}

function startThread(work: ParquetWork, signal: AbortSignal): Thread {
  const worker = new Worker(new URL('./parquet-worker.ts', import.meta.url), {
    workerData: work,
    stderr: true,
  });
  const replies: (ParquetReply | Error)[] = [];
  let wake: (() => void) | null = null;
  const put = (reply: ParquetReply | Error) => {
    replies.push(reply);
    wake?.();
  };
  worker.on('message', put);
  worker.on('error', (error) => put(new ParquetTrap(error instanceof Error ? error.message : String(error))));
  worker.on('exit', () => put(new ParquetTrap('the decoder stopped')));
  const onAbort = () => put(abortedError());
  signal.addEventListener('abort', onAbort, { once: true });
  const take = async (): Promise<Exclude<ParquetReply, { kind: 'error' }>> => {
    while (replies.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    const reply = replies.shift()!;
    if (reply instanceof Error) throw reply;
    if (reply.kind === 'error') throw new Error(reply.message);
    return reply;
  };
  const facts = take().then((reply) => {
    if (reply.kind !== 'facts') throw new ParquetTrap('the decoder said nothing of the file');
    worker.postMessage('next');
    return reply.facts;
  });
  facts.catch(() => undefined);
  return {
    facts,
    async next() {
      await facts;
      const reply = await take();
      if (reply.kind !== 'batch') return null;
      worker.postMessage('next');
      return arrow.tableFromIPC(reply.stream).batches[0] ?? null;
    },
    async close() {
      signal.removeEventListener('abort', onAbort);
      await worker.terminate();
    },
  };
}

const count = (rows: number): string => rows.toLocaleString('en');

function translate(label: string, error: unknown, done: number): unknown {
  if (isAppError(error)) return error;
  if (error instanceof ParquetTrap)
    return new AppError({
      code: 'INVALID_FILE',
      message: `${label}: the rows after row ${count(done)} need more memory than their decoder may have.`,
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

/**
 * Rows of a Parquet file, by row group. Throws INVALID_FILE for a file without footer, and {@link ParquetTrap} where
 * the decoder cannot read the file's types, so that another engine may try.
 */
export async function openParquetSource(file: SourceFile, signal: AbortSignal): Promise<RowSource> {
  const end = await readParquetEnd(file);
  const start = (offset: number, batchRows: number | null, threadSignal: AbortSignal) =>
    startThread(
      { path: file.path, end: { start: end.start, bytes: end.bytes }, offset, batchRows },
      threadSignal,
    );
  const probe = start(0, 1, signal);
  let facts: ParquetFacts;
  try {
    facts = await probe.facts;
    if (facts.groups.some((group) => group.packedBytes > maxGroupBytes))
      throw new ParquetTrap('a row group is too large');
    if (facts.rows > 0) await probe.next();
  } finally {
    await probe.close();
  }
  const schema = arrow.tableFromIPC(facts.schema).schema;
  let bytesRead = 0;
  return {
    label: file.label,
    schema,
    rowCount: facts.rows,
    sizeBytes: end.fileSize,
    bytesRead: () => bytesRead,
    async *batches(batchSignal) {
      let done = 0;
      let batchRows = planBatchRows(facts);
      let thread = start(done, batchRows, batchSignal);
      try {
        for (;;) {
          try {
            const batch = await thread.next();
            if (!batch) return;
            done += batch.numRows;
            bytesRead = facts.rows === 0 ? 0 : Math.round((end.fileSize * done) / facts.rows);
            yield batch;
          } catch (error) {
            if (!(error instanceof ParquetTrap) || batchRows === 1) throw translate(file.label, error, done);
            await thread.close();
            batchRows = Math.max(1, Math.floor(batchRows / 16));
            thread = start(done, batchRows, batchSignal);
          }
        }
      } finally {
        await thread.close();
      }
    },
    close: async () => undefined,
  };
}
