import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError, abortedError, isAppError } from '#shared/api/problem.ts';
import type { SqlPlan } from '#shared/api/sql.ts';
import { translateDuckError } from '#shared/sql/duck-error.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { type Connection, type Database, isFatal, memoryLimitBytes } from './database.ts';
import { countRows } from './ipc-message.ts';
import { completeStream } from './reframe.ts';
import { type FetchColumns, type PlannedTable, ResidentColumns } from './resident-columns.ts';
import type { BootProgress } from './worker-database.ts';

export interface EngineState {
  phase: 'off' | 'starting' | 'ready' | 'failed';
  /** While starting: the WebAssembly that arrived, and all of it. */
  loadedBytes: number;
  totalBytes: number | null;
}

export interface StatementInput {
  sql: string;
  plan: Pick<SqlPlan, 'tables' | 'bytes'>;
  maxRows: number;
  signal: AbortSignal;
  /** A result beyond that is cut, so that no statement can take the page with it. */
  maxBytes?: number;
  /** What there is so far, as complete Arrow streams, while a long statement goes on. */
  onRows?: (bytes: Uint8Array) => void;
  onProgress?: (progress: EngineProgress) => void;
}

export type EngineProgress =
  | { phase: 'waiting'; ahead: number }
  | { phase: 'starting' }
  | { phase: 'fetching'; doneBytes: number; totalBytes: number }
  | { phase: 'running' };

export interface StatementResult {
  /** One complete Arrow stream. */
  bytes: Uint8Array;
  rows: number;
  /** There are more rows than these. */
  isCut: boolean;
  elapsedMs: number;
}

/** A long result is shown as it grows, so often at most. */
const partMs = 250;

/** Only for columns: the rest of the memory is for the work on them. */
const columnBudgetBytes = memoryLimitBytes / 2;

export interface BrowserEngineOptions {
  open(onProgress: BootProgress): Promise<Database>;
  fetchColumns: FetchColumns;
}

/**
 * DuckDB in the browser: started when it is first needed, holding columns of pinned refs for as long as they fit.
 * Statements run one after the other; when the WebAssembly dies it is started again and the columns are fetched anew.
 */
export class BrowserEngine {
  readonly state: StoreApi<EngineState> = createStore(() => ({
    phase: 'off',
    loadedBytes: 0,
    totalBytes: null,
  }));
  #options: BrowserEngineOptions;
  #database: Promise<Database> | null = null;
  #columns = new ResidentColumns(columnBudgetBytes);
  #last: Promise<unknown> = Promise.resolve();
  /** Statements that run or wait. */
  #queued = 0;

  constructor(options: BrowserEngineOptions) {
    this.#options = options;
  }

  /** Starts it ahead of the first statement. */
  warm(): void {
    void this.#open().catch(() => undefined);
  }

  residentBytesOf(tables: readonly PlannedTable[]): number {
    return this.#columns.residentBytesOf(tables);
  }

  /** Runs a statement over the relations of its plan. Errors are AppErrors; UNSUPPORTED where only the server can. */
  run(input: StatementInput): Promise<StatementResult> {
    if (this.#queued > 0) input.onProgress?.({ phase: 'waiting', ahead: this.#queued });
    this.#queued += 1;
    const turn = this.#last.then(() => this.#run(input));
    this.#last = turn
      .catch(() => undefined)
      .finally(() => {
        this.#queued -= 1;
      });
    return orAbort(turn, input.signal);
  }

  async #run(input: StatementInput): Promise<StatementResult> {
    const { sql, signal, onProgress } = input;
    if (signal.aborted) throw abortedError();
    onProgress?.({ phase: 'starting' });
    let database: Database | null = null;
    try {
      database = await orAbort(this.#open(), signal);
      return await this.#runIn(database, input);
    } catch (error) {
      if (database && isFatal(error)) {
        this.#forget(database, error);
        throw new AppError({
          code: 'ENGINE_CRASHED',
          message: 'DuckDB in the browser stopped while it worked on this statement; it starts again.',
          hint: 'Run it on the server.',
          cause: error,
        });
      }
      if (signal.aborted) throw abortedError();
      throw translateDuckError(error, { sql });
    }
  }

  async #runIn(database: Database, input: StatementInput): Promise<StatementResult> {
    const { plan, signal, onProgress } = input;
    let doneBytes = 0;
    const onBytes = (bytes: number) => {
      doneBytes += bytes;
      onProgress?.({ phase: 'fetching', doneBytes, totalBytes: Math.max(plan.bytes, doneBytes) });
    };
    const connect = () => database.connect();
    const { fetchColumns } = this.#options;
    const { views, transient } = await this.#columns.open(plan.tables, connect, {
      fetchColumns,
      signal,
      onBytes,
    });
    onProgress?.({ phase: 'running' });
    const startedAt = performance.now();
    const connection = await connect();
    try {
      for (const { name, select } of views)
        await connection.execute(`CREATE OR REPLACE TEMP VIEW ${quoteIdent(name)} AS ${select}`);
      const result = await this.#collect(connection, input);
      return { ...result, elapsedMs: performance.now() - startedAt };
    } finally {
      for (const { name } of views)
        await connection.execute(`DROP VIEW IF EXISTS ${quoteIdent(name)}`).catch(() => undefined);
      for (const table of transient)
        await connection.execute(`DROP TABLE IF EXISTS ${quoteIdent(table)}`).catch(() => undefined);
      await connection.close().catch(() => undefined);
    }
  }

  /** Pieces until there are as many rows as wanted; pieces are whole, so there may be some more. */
  async #collect(
    connection: Connection,
    { sql, maxRows, maxBytes = Number.POSITIVE_INFINITY, signal, onRows }: StatementInput,
  ) {
    const pieces: Uint8Array[] = [];
    let rows = 0;
    let bytes = 0;
    let isCut = false;
    let shownAt = performance.now();
    let shownRows = 0;
    for await (const piece of connection.stream(sql, signal)) {
      if (pieces.length > 0) {
        if (rows >= maxRows || bytes >= maxBytes) {
          isCut = true;
          break;
        }
        rows += countRows(piece);
      }
      pieces.push(piece);
      bytes += piece.byteLength;
      if (onRows && rows > shownRows * 1.5 && performance.now() - shownAt > partMs) {
        onRows(completeStream(pieces));
        shownAt = performance.now();
        shownRows = rows;
      }
    }
    return { bytes: completeStream(pieces), rows, isCut };
  }

  #open(): Promise<Database> {
    this.#database ??= this.#start();
    return this.#database;
  }

  async #start(): Promise<Database> {
    this.state.setState({ phase: 'starting', loadedBytes: 0, totalBytes: null });
    try {
      const database = await this.#options.open((progress) => this.state.setState(progress));
      this.state.setState({ phase: 'ready' });
      return database;
    } catch (error) {
      this.#database = null;
      this.state.setState({ phase: 'failed' });
      throw error;
    }
  }

  #forget(database: Database, error: unknown): void {
    database.terminate(error instanceof Error ? error : new Error(String(error)));
    this.#database = null;
    this.#columns.clear();
    this.state.setState({ phase: 'off', loadedBytes: 0, totalBytes: null });
  }
}

/** Whether a statement failed only because the browser's DuckDB lacks a part that the server's has. */
export const isOnlyForServer = (error: unknown): boolean =>
  isAppError(error) &&
  (error.code === 'UNSUPPORTED' ||
    error.code === 'ENGINE_CRASHED' ||
    error.code === 'UPSTREAM' ||
    error.code === 'MEMORY');

function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(abortedError());
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
