import type { DuckDBConnection, DuckDBInstance, DuckDBResult } from '@duckdb/node-api';
import { abortedError } from '#shared/api/problem.ts';
import { fieldFacts, wire } from '#shared/api/wire.ts';
import { type ErrorContext, translateDuckError } from '#shared/sql/duck-error.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { distinctResultNames } from '#shared/sql/result-names.ts';
import type { Schema } from '../../arrow/arrow.ts';
import { encodeSchema, endMarker, withFacts } from '../../arrow/ipc.ts';
import { resolveDictionaries, withoutDictionaries } from '../../arrow/resolve-dictionaries.ts';
import { encodeBatchInPieces } from '../../arrow/stream-of-tables.ts';
import type { ByteStream, CallContext } from '../../ports/call.ts';
import { bindParams, type Params } from './bind-params.ts';
import { arrowSchemaOf, BatchBuilder } from './chunks-to-arrow.ts';
import type { RelationView } from './column-cache.ts';
import { isBlobCell } from './estimate-bytes.ts';

/** A result whose facts are not known beforehand is held back up to this size, so that they are when they are sent. */
const heldBytes = 32 * 1024 * 1024;
/** … and for so long after its first rows: then people want to see them. */
const heldMs = 200;
/** Rows of a slow result are not kept back until there are many. */
const flushMs = 250;
/** For counting the rows of a result beyond those that are wanted. */
const countingMs = 250;

export interface StatementRun {
  sql: string;
  params?: Params;
  views: readonly RelationView[];
  maxRows?: number;
  /** Rows of the whole result, where they are known. */
  total: number | null;
  /** `curio.ref` of the result. */
  refs: string | null;
  startedAt: number;
  errors: ErrorContext;
  /** Called once, when nothing of the run is needed any more. */
  onEnd(): Promise<void>;
}

/** Runs a statement over views in a transaction that cannot write, and streams its rows as Arrow. */
export async function runStatement(
  instance: DuckDBInstance,
  run: StatementRun,
  { signal }: CallContext,
): Promise<ByteStream> {
  const connection = await instance.connect();
  const interrupt = () => connection.interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    signal.removeEventListener('abort', interrupt);
    connection.closeSync();
    await run.onEnd();
  };
  try {
    const result = await start(connection, run);
    const chunks = new ResultChunks(result, run);
    await chunks.hold(signal);
    const facts = chunks.facts();
    const expectedBytes = chunks.expectedBytes();
    return { facts, expectedBytes, chunks: closing(chunks.stream(facts, signal), close, run, signal) };
  } catch (error) {
    await close();
    if (signal.aborted) throw abortedError();
    throw translateDuckError(error, run.errors);
  }
}

async function start(
  connection: DuckDBConnection,
  { sql, params, views }: StatementRun,
): Promise<DuckDBResult> {
  for (const { name, select } of views)
    await connection.run(`CREATE OR REPLACE TEMP VIEW ${quoteIdent(name)} AS ${select}`);
  await connection.run('BEGIN TRANSACTION READ ONLY');
  const prepared = await connection.prepare(sql);
  if (params !== undefined) {
    const { values, types } = bindParams(params);
    prepared.bind(values, types);
  }
  return prepared.stream();
}

/** Iterates once; closes at the end, on an error, and when it is left or never begun. */
function closing(
  chunks: AsyncGenerator<Uint8Array>,
  close: () => Promise<void>,
  run: StatementRun,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const next = await chunks.next();
        if (next.done) await close();
        return next;
      } catch (error) {
        await close();
        throw signal.aborted ? abortedError() : translateDuckError(error, run.errors);
      }
    },
    async return() {
      await close();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** Says of each column whether its cells are blob cells, wherever in the statement they came from. */
const cellFactsOf = ({ fields }: Schema): Map<string, Record<string, string>> =>
  new Map(
    fields.filter(({ type }) => isBlobCell(type)).map(({ name }) => [name, { [fieldFacts.cell]: 'blob' }]),
  );

/** The chunks of a result as Arrow, cut after the rows that were asked for. */
class ResultChunks {
  #result: DuckDBResult;
  #run: StatementRun;
  #builder: BatchBuilder;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #rows = 0;
  #leftOver = 0;
  #total: number | null = null;
  #state: 'open' | 'ended' | 'cut' = 'open';

  constructor(result: DuckDBResult, run: StatementRun) {
    this.#result = result;
    this.#run = run;
    const types = result.columnTypes();
    this.#builder = new BatchBuilder(arrowSchemaOf(distinctResultNames(result.columnNames()), types), types);
  }

  /** Computes rows until all is known that the head says: the result ends, too many would be held, or for too long. */
  async hold(signal: AbortSignal): Promise<void> {
    let deadline = Number.POSITIVE_INFINITY;
    const isEnough = () =>
      this.#heldBytes >= (this.#run.total === null ? heldBytes : 1) || performance.now() >= deadline;
    while (this.#state === 'open' && !isEnough()) {
      const pieces = await this.#next(signal);
      if (pieces.length === 0) continue;
      deadline = Math.min(deadline, performance.now() + heldMs);
      this.#held.push(...pieces);
      this.#heldBytes += pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
    }
    this.#total = await this.#count();
  }

  facts(): Record<string, string> {
    const { maxRows, refs, startedAt, total } = this.#run;
    const isKnown = total !== null && maxRows !== undefined;
    const isCut = this.#state === 'cut' || (isKnown && total > maxRows);
    const isOpenEnded = this.#state === 'open' && maxRows !== undefined && !isKnown;
    const scope = isCut ? `first ${maxRows}` : isOpenEnded ? `at most the first ${maxRows}` : 'all';
    return {
      ...(refs === null ? {} : { [wire.ref]: refs }),
      ...(this.#total === null ? {} : { [wire.total]: String(this.#total) }),
      [wire.scope]: scope,
      [wire.engine]: 'duckdb',
      [wire.elapsedMs]: (performance.now() - startedAt).toFixed(1),
    };
  }

  /** As large as what is there, or as all its rows where they are known. */
  expectedBytes(): number {
    const { total, maxRows = Number.POSITIVE_INFINITY } = this.#run;
    if (this.#state !== 'open' || total === null || this.#rows === 0) return this.#heldBytes;
    return (this.#heldBytes / this.#rows) * Math.min(total, maxRows);
  }

  /** Rows of the whole result: counted where that is quick. */
  async #count(): Promise<number | null> {
    if (this.#state === 'ended') return this.#rows;
    if (this.#state === 'open' || this.#run.total !== null) return this.#run.total;
    const deadline = performance.now() + countingMs;
    let total = this.#rows + this.#leftOver;
    while (performance.now() < deadline) {
      const more = (await this.#result.fetchChunk())?.rowCount ?? 0;
      if (more === 0) return total;
      total += more;
    }
    return null;
  }

  async *stream(facts: Record<string, string>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const schema = withoutDictionaries(this.#builder.schema);
    yield encodeSchema(withFacts(schema, facts, cellFactsOf(schema)));
    for (let bytes = this.#held.shift(); bytes; bytes = this.#held.shift()) yield bytes;
    while (this.#state === 'open') {
      yield* await this.#next(signal);
    }
    yield endMarker;
  }

  /** The next batch, a full one where rows come quickly; nothing where the result ends without one. */
  async #next(signal: AbortSignal): Promise<Uint8Array[]> {
    const { maxRows = Number.POSITIVE_INFINITY } = this.#run;
    const flushAt = performance.now() + flushMs;
    const isDue = () => this.#builder.isFull || (this.#builder.rowCount > 0 && performance.now() >= flushAt);
    while (this.#state === 'open' && !isDue()) {
      signal.throwIfAborted();
      const chunk = await this.#result.fetchChunk();
      const more = chunk?.rowCount ?? 0;
      if (!chunk || more === 0) this.#state = 'ended';
      else {
        const taken = Math.min(more, maxRows - this.#rows);
        if (taken > 0) this.#builder.append(chunk, taken);
        this.#rows += taken;
        if (taken < more) {
          this.#state = 'cut';
          this.#leftOver = more - taken;
        }
      }
    }
    return this.#builder.rowCount === 0 ? [] : encodeBatchInPieces(resolveDictionaries(this.#builder.take()));
  }
}
