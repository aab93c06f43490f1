import { AppError } from '#shared/api/problem.ts';
import { placeOfByte } from '#shared/sql/duck-error.ts';
import { type TreeNode, walkTree } from './statement-tree.ts';

/** They run a text as a statement, which nobody has looked at. */
const textRunners: ReadonlySet<string> = new Set(['query', 'query_table', 'json_execute_serialized_sql']);

/**
 * They work on the engine that other statements run in, show what it knows of them or of the machine, or take
 * addresses of its memory. Some are also views. A test compares them with what DuckDB has.
 */
const engineFunctions: ReadonlySet<string> = new Set([
  'arrow_scan',
  'arrow_scan_dumb',
  'check_peg_parser',
  'checkpoint',
  'current_setting',
  'disable_logging',
  'disable_peg_parser',
  'disable_profiling',
  'duckdb_approx_database_count',
  'duckdb_connection_count',
  'duckdb_databases',
  'duckdb_external_file_cache',
  'duckdb_log_contexts',
  'duckdb_logs',
  'duckdb_logs_parsed',
  'duckdb_prepared_statements',
  'duckdb_profiling_settings',
  'duckdb_secrets',
  'duckdb_settings',
  'duckdb_temporary_files',
  'duckdb_variables',
  'enable_logging',
  'enable_peg_parser',
  'enable_profiling',
  'force_checkpoint',
  'pragma_platform',
  'seq_scan',
  'truncate_duckdb_logs',
  'which_secret',
  'write_log',
]);

/** Whether statements may not use the function, or the view of that name. */
export const isEngineFunction = (name: string): boolean => engineFunctions.has(name) || textRunners.has(name);

const nameOf = ({ type, function_name: called, table_name: read }: TreeNode): string => {
  const name = type === 'BASE_TABLE' ? read : called;
  return typeof name === 'string' ? name.toLowerCase() : '';
};

/** Throws FORBIDDEN where a statement's tree uses such a function. `sql` is what was sent, `offset` the bytes before the tree's text. */
export function assertNoEngineFunction(tree: unknown, sql: string, offset: number): void {
  for (const node of walkTree(tree)) {
    const name = nameOf(node);
    if (!isEngineFunction(name)) continue;
    const { query_location: location } = node;
    throw new AppError({
      code: 'FORBIDDEN',
      message: textRunners.has(name)
        ? `${name} runs a text as a statement, which statements here cannot do.`
        : `${name} works on the engine itself, not on tables.`,
      hint: textRunners.has(name)
        ? 'Write the statement itself.'
        : 'Statements read Curio’s tables; the settings of the engine are fixed.',
      at: typeof location === 'number' ? placeOfByte(sql, offset + location) : undefined,
    });
  }
}
