import { quoteText } from '#shared/sql/literal.ts';
import { formatValue, type GridColumn, toJson } from '../../grid/index.ts';

export type CopyFormat = 'tsv' | 'json' | 'sql';

type Read = (column: string) => unknown;

/** Rows as a table for spreadsheets: tabs and line breaks inside values become spaces, null is empty. */
export function formatTsv(rows: readonly Read[], columns: readonly GridColumn[]): string {
  const cell = (value: unknown, column: GridColumn) =>
    value === null || value === undefined ? '' : formatValue(value, column.parsed).replace(/[\t\r\n]+/g, ' ');
  return [
    columns.map((column) => column.name).join('\t'),
    ...rows.map((row) => columns.map((column) => cell(row(column.name), column)).join('\t')),
  ].join('\n');
}

/** Rows as a JSON array of objects. */
export const formatJson = (rows: readonly Read[], columns: readonly GridColumn[]): string =>
  JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(columns.map((column) => [column.name, toJson(row(column.name), column.parsed)])),
    ),
    null,
    2,
  );

/**
 * Rows as a condition on their key. Keys of several columns are grouped by all but the last, which DuckDB, Lance and other
 * databases read alike: `("a" = 1 and "b" in (2, 3)) or ("a" = 4 and "b" in (5))`. Without a key, the row ids.
 */
export function formatSqlIn(rows: readonly Read[], key: readonly GridColumn[]): string {
  const names = key.length > 0 ? key.map(({ name }) => name) : ['_rowid'];
  const last = names.at(-1) ?? '';
  const groups = new Map<string, Set<string>>();
  for (const row of rows) {
    const outer = names.slice(0, -1).map((name) => {
      const value = literalOf(row(name));
      return `${identOf(name)} ${value === 'NULL' ? 'is' : '='} ${value}`;
    });
    const group = outer.join(' and ');
    const values = groups.get(group) ?? new Set();
    groups.set(group, values.add(literalOf(row(last))));
  }
  const parts = [...groups].map(([group, values]) => {
    const found = `${identOf(last)} in (${[...values].join(', ')})`;
    return group === '' ? found : `(${group} and ${found})`;
  });
  return parts.join(' or ');
}

const identOf = (name: string): string => (name === '_rowid' ? name : `"${name.replaceAll('"', '""')}"`);

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : quoteText(String(value));
}
