import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DuckDBBindings } from '@duckdb/duckdb-wasm/blocking';
import { abortedError } from '#shared/api/problem.ts';
import { type Connection, type Database, lockedSettings } from '../database.ts';

const require = createRequire(import.meta.url);

/** The same WebAssembly as in the browser, in this process: for tests. */
export async function openBlockingDatabase(): Promise<Database> {
  const { createDuckDB, NODE_RUNTIME, VoidLogger } =
    require('@duckdb/duckdb-wasm/blocking') as typeof import('@duckdb/duckdb-wasm/blocking');
  const folder = dirname(require.resolve('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'));
  const bundle = (name: string) => ({ mainModule: join(folder, `duckdb-${name}.wasm`), mainWorker: '' });
  const duckdb = await createDuckDB({ mvp: bundle('mvp'), eh: bundle('eh') }, new VoidLogger(), NODE_RUNTIME);
  await duckdb.instantiate(() => {});
  duckdb.open({});
  const database = new BlockingDatabase(duckdb);
  const connection = await database.connect();
  for (const setting of lockedSettings('http://127.0.0.1:9')) await connection.execute(setting);
  await connection.close();
  return database;
}

class BlockingDatabase implements Database {
  #duckdb: DuckDBBindings;

  constructor(duckdb: DuckDBBindings) {
    this.#duckdb = duckdb;
  }

  async connect(): Promise<Connection> {
    return connectionOf(this.#duckdb);
  }

  terminate(): void {
    this.#duckdb.reset();
  }
}

function connectionOf(duckdb: DuckDBBindings): Connection {
  const connection = duckdb.connect() as unknown as { _conn: number; close(): void };
  const id = connection._conn;
  return {
    async execute(sql) {
      duckdb.runQuery(id, sql);
    },
    async *stream(sql, signal) {
      let piece = duckdb.startPendingQuery(id, sql, true);
      while (piece === null) piece = duckdb.pollPendingQuery(id);
      for (;;) {
        yield piece;
        do {
          if (signal.aborted) throw abortedError();
          piece = duckdb.fetchQueryResults(id);
        } while (piece === null);
        if (piece.byteLength === 0) return;
      }
    },
    async insert(stream, { table, isFirst }) {
      duckdb.insertArrowFromIPCStream(id, stream, { name: table, create: isFirst });
    },
    async close() {
      connection.close();
    },
  };
}
