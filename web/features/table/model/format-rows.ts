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

/** Rows as a condition on their key. */
export function formatSqlIn(rows: readonly Read[], key: GridColumn | null): string {
  const name = key ? `"${key.name.replaceAll('"', '""')}"` : '_rowid';
  const value = (row: Read) => {
    const one = row(key?.name ?? '_rowid');
    return typeof one === 'bigint' || typeof one === 'number' ? String(one) : quoteText(String(one));
  };
  return `${name} in (${rows.map(value).join(', ')})`;
}
