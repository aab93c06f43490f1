import type { Query, TakeQuery, VectorQuery } from '@lancedb/lancedb';
import { abortedError } from '#shared/api/problem.ts';
import { rowsIn } from '../../../arrow/ipc.ts';
import { type LanceErrorPlace, translateLanceError } from '../lance-errors.ts';

interface NativeIterator {
  next(): Promise<Uint8Array | null>;
}

interface NativeQuery {
  execute(maxBatchLength?: number, timeoutMs?: number): Promise<NativeIterator>;
  outputSchema(): Promise<Uint8Array>;
}

/**
 * The native query behind LanceDB's wrapper, which alone gives Arrow IPC bytes without decoding them. Not public API:
 * the version of LanceDB is pinned exactly.
 */
const nativeOf = async (query: Query | TakeQuery | VectorQuery): Promise<NativeQuery> =>
  await (query as unknown as { getInner(): Promise<NativeQuery> }).getInner();

export interface ScanOptions {
  place: LanceErrorPlace;
  signal: AbortSignal;
  /** Rows of a batch at most. */
  batchRows?: number;
  /** How many rows there are in all, where that is known: the end is then not asked for. */
  rowCount?: number;
}

/** Bytes of a batch to aim at: Lance's scan is quickest around it, with the allocator settings of the engines. */
const batchBytes = 2.5 * 1024 * 1024;
const minBatchRows = 256;
const maxBatchRows = 32_768;

/** How many rows a batch of a scan should have, by the bytes of a row. */
export function batchRowsFor(rowBytes: number): number {
  const rows = 2 ** Math.floor(Math.log2(batchBytes / Math.max(1, rowBytes)));
  return Math.min(maxBatchRows, Math.max(minBatchRows, rows));
}

/** The result of a query as Arrow IPC files of one batch each; the next one is made while one is used. */
export async function* filesOfQuery(
  query: Query | TakeQuery | VectorQuery,
  { place, signal, batchRows = maxBatchRows, rowCount = Number.POSITIVE_INFINITY }: ScanOptions,
): AsyncGenerator<Uint8Array> {
  try {
    const native = await nativeOf(query);
    const batches = await native.execute(batchRows);
    let left = rowCount;
    let next = batches.next();
    for (;;) {
      if (signal.aborted) throw abortedError();
      const file = await next;
      if (!file) return;
      if (Number.isFinite(left)) left -= rowsIn(file);
      if (left > 0) {
        next = batches.next();
        next.catch(() => undefined);
      }
      yield file;
      if (left <= 0) return;
    }
  } catch (error) {
    throw translateLanceError(error, place);
  }
}

/**
 * Gives the memory of a file back at once. Garbage collection would do it later, at the price of marking the whole heap
 * for every 64 MB that pass. Nothing may look at the file, or at a part of it, any more.
 */
export function freeFile(file: Uint8Array): void {
  const { buffer } = file;
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

/** The schema of a query's result, as an IPC file without batches. */
export async function outputSchemaOf(
  query: Query | TakeQuery | VectorQuery,
  place: LanceErrorPlace,
): Promise<Uint8Array> {
  try {
    return await (await nativeOf(query)).outputSchema();
  } catch (error) {
    throw translateLanceError(error, place);
  }
}
