import type { ColumnInfo } from '../domain/columns.ts';
import type { RowKey } from '../domain/selection.ts';
import { formatFilterName } from './filter.ts';
import { quoteText } from './literal.ts';

type KeyColumn = Pick<ColumnInfo, 'name' | 'type'>;

const isNumber = /^(u?int(8|16|32|64)|float(16|32|64)|decimal\d+\(.*\))$/;
const numberText = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** A key value as a literal of the filter language; what is no value of the type stays a text, which then says so. */
function formatKeyPart({ type }: KeyColumn, value: unknown): string {
  const text = String(value);
  if (typeof value === 'boolean') return text;
  if (isNumber.test(type)) return numberText.test(text) ? text : quoteText(text);
  if (type.startsWith('timestamp')) return `timestamp ${quoteText(text)}`;
  if (type.startsWith('date')) return `date ${quoteText(text)}`;
  return quoteText(text);
}

const equals = (column: KeyColumn, value: unknown): string =>
  value === null
    ? `${formatFilterName(column.name)} is null`
    : `${formatFilterName(column.name)} = ${formatKeyPart(column, value)}`;

const partsOf = (key: RowKey): unknown[] => (Array.isArray(key) ? key : [key]);

/** A filter for the rows with these keys, in Curio's filter language; `null` where there are none. */
export function formatKeyFilter(columns: readonly KeyColumn[], keys: readonly RowKey[]): string | null {
  const [first] = columns;
  if (!first || keys.length === 0) return null;
  if (columns.length === 1 && keys.every((key) => partsOf(key)[0] !== null)) {
    const values = keys.map((key) => formatKeyPart(first, partsOf(key)[0]));
    return values.length === 1
      ? `${formatFilterName(first.name)} = ${values[0]}`
      : `${formatFilterName(first.name)} in (${values.join(', ')})`;
  }
  const rows = keys.map((key) => columns.map((column, at) => equals(column, partsOf(key)[at] ?? null)));
  return rows
    .map((parts) => (rows.length === 1 ? parts.join(' and ') : `(${parts.join(' and ')})`))
    .join(' or ');
}
