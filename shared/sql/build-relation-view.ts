import { quoteIdent } from './ident.ts';

export interface ViewColumn {
  /** As statements name it. */
  name: string;
  /** DuckDB's type. */
  type: string;
  /** SQL for its value in the tables; `null` where no statement depends on it. */
  value: string | null;
}

/**
 * The SELECT that stands for a relation: its columns, side by side from tables whose rows are in the same order.
 * Columns whose values do not matter are there as nulls, so that names and `*` mean the same everywhere.
 */
export function buildRelationView(
  columns: readonly ViewColumn[],
  tables: readonly string[],
  rows: number,
): string {
  const values = columns.map(
    ({ name, type, value }) => `CAST(${value ?? 'NULL'} AS ${type}) AS ${quoteIdent(name)}`,
  );
  const from = tables.length === 0 ? `range(${rows})` : tables.map(quoteIdent).join(' POSITIONAL JOIN ');
  return `SELECT ${values.join(', ')} FROM ${from}`;
}
