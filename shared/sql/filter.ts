import type { ColumnInfo } from '../domain/columns.ts';
import { bindExpression, bindFilter } from './filter/bind.ts';
import { parseFilterText } from './filter/parse.ts';
import { printDuckdb } from './filter/print-duckdb.ts';
import { printLance } from './filter/print-lance.ts';
import { withPlace } from './filter/source.ts';
import type { FilterExpr } from './filter/syntax.ts';

export { formatFilterName, formatFilterText as formatFilter } from './filter/format.ts';
export type { FilterExpr } from './filter/syntax.ts';

export interface CompiledFilter {
  ast: FilterExpr;
  /** For Lance’s `where`. */
  lance: string;
  /** For a WHERE clause of DuckDB over columns of the same names. */
  duckdb: string;
  /** The top-level columns that it reads, sorted; `_rowid` and its kin among them. */
  columns: string[];
}

/** Reads a filter without looking at any table. Throws AppError SQL_SYNTAX or BAD_REQUEST with the place. */
export const parseFilter = (text: string): FilterExpr => withPlace(text, () => parseFilterText(text));

/**
 * Reads, checks and prints what a person typed as a filter, so that nothing else ever reaches an engine.
 * Throws AppError SQL_SYNTAX, SQL_BIND or BAD_REQUEST, with `at` and mostly a hint.
 */
export function compileFilter({
  text,
  columns,
}: {
  text: string;
  columns: readonly Pick<ColumnInfo, 'name' | 'type'>[];
}): CompiledFilter {
  return withPlace(text, () => {
    const ast = parseFilterText(text);
    const bound = bindFilter(ast, columns);
    return { ast, lance: printLance(bound.expr), duckdb: printDuckdb(bound.expr), columns: bound.columns };
  });
}

export interface CompiledExpression {
  /** For Lance’s `select` and for the values of a column. */
  lance: string;
  /** The top-level columns that it reads, sorted. */
  columns: string[];
}

/** As {@link compileFilter}, for an expression over a row that gives any value. */
export function compileExpression({
  text,
  columns,
}: {
  text: string;
  columns: readonly Pick<ColumnInfo, 'name' | 'type'>[];
}): CompiledExpression {
  return withPlace(text, () => {
    const bound = bindExpression(parseFilterText(text), columns);
    return { lance: printLance(bound.expr), columns: bound.columns };
  });
}
