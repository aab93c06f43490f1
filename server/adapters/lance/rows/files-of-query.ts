import type { Query, TakeQuery, VectorQuery } from '@lancedb/lancedb';
import { abortedError } from '#shared/api/problem.ts';
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
}

/** Rows of a batch: the size at which Lance's scan is quickest (larger ones cost page faults). */
export const scanBatchRows = 8192;

/** The result of a query as Arrow IPC files of one batch each. */
export async function* filesOfQuery(
  query: Query | TakeQuery | VectorQuery,
  { place, signal, batchRows = scanBatchRows }: ScanOptions,
): AsyncGenerator<Uint8Array> {
  try {
    const native = await nativeOf(query);
    const batches = await native.execute(batchRows);
    for (;;) {
      if (signal.aborted) throw abortedError();
      const file = await batches.next();
      if (!file) return;
      yield file;
    }
  } catch (error) {
    throw translateLanceError(error, place);
  }
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
