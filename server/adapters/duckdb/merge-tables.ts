import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdent } from '#shared/sql/ident.ts';
import type { Schema } from '../../arrow/arrow.ts';
import { duckColumnsOf } from './duckdb-type.ts';

export interface MergeParts {
  /** Tables whose rows are in the same order; source names to the names in each. */
  groups: readonly { table: string; columns: ReadonlyMap<string, string> }[];
  /** Arrow's fields of all their columns, in that order. */
  schema: Schema;
}

/** Makes one table of columns that lie in several; gives source names to the names in it. */
export async function mergeTables(
  connection: DuckDBConnection,
  table: string,
  { groups, schema }: MergeParts,
): Promise<Map<string, string>> {
  const parts = groups.flatMap((group) =>
    [...group.columns].map(([source, name]) => ({
      source,
      value: `${quoteIdent(group.table)}.${quoteIdent(name)}`,
    })),
  );
  const names = duckColumnsOf(schema).map(({ name }) => name);
  const values = parts.map(({ value }, index) => `${value} AS ${quoteIdent(names[index] as string)}`);
  const from = groups.map((group) => quoteIdent(group.table)).join(' POSITIONAL JOIN ');
  await connection.run(`CREATE TABLE ${quoteIdent(table)} AS SELECT ${values.join(', ')} FROM ${from}`);
  return new Map(parts.map(({ source }, index) => [source, names[index] as string]));
}
