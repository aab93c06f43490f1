/** A connection to DuckDB in the browser, cut down to what is used; tests put another DuckDB behind it. */
export interface Connection {
  execute(sql: string): Promise<void>;
  /** A result as pieces of one Arrow stream: the schema, then batches; without the end marker. */
  stream(sql: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Adds the rows of one complete Arrow stream to a table. The bytes are gone afterwards. */
  insert(stream: Uint8Array, options: { table: string; isFirst: boolean }): Promise<void>;
  close(): Promise<void>;
}

export interface Database {
  connect(): Promise<Connection>;
  /** Ends it at once; whatever runs in it is rejected. */
  terminate(why: Error): void;
}

/** What a browser's tab may give to DuckDB: beyond it there is a clear error instead of a dead tab. */
export const memoryLimitBytes = 1_600_000_000;

/**
 * Set before anything else runs: no file, no network, no extension (the address given for them answers 404), and
 * errors as JSON.
 */
export const lockedSettings = (origin: string): string[] => [
  `SET custom_extension_repository = '${origin}/no-extensions'`,
  'SET autoload_known_extensions = false',
  'SET autoinstall_known_extensions = false',
  `SET memory_limit = '${Math.floor(memoryLimitBytes / 1e6)}MB'`,
  'SET GLOBAL errors_as_json = true',
  'SET enable_external_access = false',
  'SET lock_configuration = true',
];

/** WebAssembly that died: nothing it answers afterwards can be trusted. */
export const isFatal = (error: unknown): boolean =>
  /memory access out of bounds|unreachable|function signature mismatch|table index is out of bounds|offset is out of bounds|null function or function signature|Aborted\(/.test(
    error instanceof Error ? error.message : String(error),
  );
