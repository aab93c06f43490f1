import { DuckDBInstance } from '@duckdb/node-api';

export interface DuckDBOptions {
  memoryLimitBytes: number;
  /** Where DuckDB spills to; relative, so that no statement can read a path of the server. `null`: nowhere. */
  spillFolder: string | null;
}

/** How deep expressions and subqueries may be nested. DuckDB binds in cubic time: 250 take it a second, 1,000 a minute. */
const maxNesting = 250;

/**
 * An empty database in memory that can reach neither files nor the network nor other extensions, and whose settings
 * are locked. Its errors are JSON (see `translate-error.ts`).
 */
export async function openDuckDB({ memoryLimitBytes, spillFolder }: DuckDBOptions): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  for (const setting of [
    `memory_limit = '${Math.floor(memoryLimitBytes / 1e6)}MB'`,
    `temp_directory = '${(spillFolder ?? '').replaceAll("'", "''")}'`,
    `GLOBAL max_expression_depth = ${maxNesting}`,
    "secret_directory = ''",
    'allow_persistent_secrets = false',
    'autoload_known_extensions = false',
    'autoinstall_known_extensions = false',
    'enable_external_access = false',
    'GLOBAL errors_as_json = true',
    'lock_configuration = true',
  ]) {
    await connection.run(`SET ${setting}`);
  }
  connection.closeSync();
  return instance;
}
