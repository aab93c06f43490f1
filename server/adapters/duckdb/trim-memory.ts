import type { DuckDBConnection } from '@duckdb/node-api';

const limit = "SET memory_limit = '64MB'";
let opened: Promise<DuckDBConnection> | null = null;

async function open(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  return (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
}

/**
 * Gives freed memory of this process back to the system: all native code of it, not only DuckDB's. The C library keeps
 * what was freed, Node has no way to its `malloc_trim`, and DuckDB calls that whenever its limit is set.
 */
export async function trimMemory(): Promise<void> {
  opened ??= open();
  await (await opened).run(limit);
}
