import type { AsyncDuckDB } from '@duckdb/duckdb-wasm';
import { AppError, abortedError } from '#shared/api/problem.ts';
import { type Connection, type Database, lockedSettings } from './database.ts';

export type BootProgress = (part: { loadedBytes: number; totalBytes: number | null }) => void;

/** Loads DuckDB's WebAssembly into a worker and locks its settings. */
export async function openWorkerDatabase(onProgress: BootProgress): Promise<Database> {
  const [{ AsyncDuckDB, VoidLogger }, { default: wasmUrl }, { default: workerUrl }] = await Promise.all([
    import('@duckdb/duckdb-wasm'),
    import('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url'),
    import('@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js?url'),
  ]);
  const worker = new Worker(workerUrl);
  const database = new WorkerDatabase(new AsyncDuckDB(new VoidLogger(), worker), worker);
  try {
    await database.boot(new URL(wasmUrl, location.href).href, onProgress);
    return database;
  } catch (error) {
    database.terminate(error instanceof Error ? error : new Error(String(error)));
    throw new AppError({
      code: 'UPSTREAM',
      message: 'DuckDB could not be started in the browser.',
      hint: 'Statements run on the server meanwhile; reload the page to try again.',
      cause: error,
    });
  }
}

const encodeStop = new Error('DuckDB in the browser was stopped.');

class WorkerDatabase implements Database {
  #duckdb: AsyncDuckDB;
  #worker: Worker;
  #inFlight = new Set<(why: Error) => void>();
  #stopped: Error | null = null;

  constructor(duckdb: AsyncDuckDB, worker: Worker) {
    this.#duckdb = duckdb;
    this.#worker = worker;
    worker.addEventListener('error', () => this.terminate(encodeStop));
  }

  async boot(wasmUrl: string, onProgress: BootProgress): Promise<void> {
    await this.settle(
      this.#duckdb.instantiate(wasmUrl, null, ({ bytesLoaded, bytesTotal }) =>
        onProgress({ loadedBytes: bytesLoaded, totalBytes: bytesTotal > 0 ? bytesTotal : null }),
      ),
    );
    await this.settle(this.#duckdb.open({ query: { queryPollingInterval: 50 } }));
    const connection = await this.connect();
    for (const setting of lockedSettings(location.origin)) await connection.execute(setting);
    await connection.close();
  }

  async connect(): Promise<Connection> {
    return new WorkerConnection(this, this.#duckdb, await this.settle(this.#duckdb.connectInternal()));
  }

  terminate(why: Error): void {
    if (this.#stopped) return;
    this.#stopped = why;
    this.#worker.terminate();
    for (const reject of this.#inFlight) reject(why);
    this.#inFlight.clear();
  }

  /** A worker that is gone never settles its promises: they are rejected here. */
  settle<T>(work: Promise<T>): Promise<T> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    return new Promise<T>((resolve, reject) => {
      this.#inFlight.add(reject);
      work.then(resolve, reject).finally(() => this.#inFlight.delete(reject));
    });
  }
}

class WorkerConnection implements Connection {
  #database: WorkerDatabase;
  #duckdb: AsyncDuckDB;
  #id: number;

  constructor(database: WorkerDatabase, duckdb: AsyncDuckDB, id: number) {
    this.#database = database;
    this.#duckdb = duckdb;
    this.#id = id;
  }

  async execute(sql: string): Promise<void> {
    await this.#database.settle(this.#duckdb.runQuery(this.#id, sql));
  }

  async *stream(sql: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if (signal.aborted) throw abortedError();
    const cancel = () => void this.#duckdb.cancelPendingQuery(this.#id).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      let piece = await this.#database.settle(this.#duckdb.startPendingQuery(this.#id, sql, true));
      while (piece === null) {
        if (signal.aborted) throw abortedError();
        piece = await this.#database.settle(this.#duckdb.pollPendingQuery(this.#id));
      }
      for (;;) {
        yield piece;
        do {
          if (signal.aborted) throw abortedError();
          piece = await this.#database.settle(this.#duckdb.fetchQueryResults(this.#id));
        } while (piece === null);
        if (piece.byteLength === 0) return;
      }
    } catch (error) {
      throw signal.aborted ? abortedError() : error;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async insert(stream: Uint8Array, { table, isFirst }: { table: string; isFirst: boolean }): Promise<void> {
    await this.#database.settle(
      this.#duckdb.insertArrowFromIPCStream(this.#id, stream, { name: table, create: isFirst }),
    );
  }

  async close(): Promise<void> {
    await this.#database.settle(this.#duckdb.disconnect(this.#id));
  }
}
