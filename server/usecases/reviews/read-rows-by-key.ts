import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import { formatKeyFilter } from '#shared/sql/key-filter.ts';
import { readRowsAsJson } from '../../arrow/rows-as-json.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Pinned, TableFacts } from '../../ports/table-reader.ts';
import type { ReviewPorts } from './review-ports.ts';

export type JsonRow = Record<string, unknown>;

const keysAtOnce = 500;

/** The same text for a key however its numbers were written. */
export const keyText = (key: RowKey): string =>
  JSON.stringify((Array.isArray(key) ? key : [key]).map((part) => (part === null ? null : String(part))));

export const keyColumnsOf = ({ key, columns }: Pick<TableFacts, 'key' | 'columns'>): ColumnInfo[] =>
  key.flatMap((name) => columns.filter((column) => column.name === name));

/** The key of a row as JSON: one value, or an array where the key has several columns. */
export function keyOfRow(key: readonly string[], row: JsonRow): RowKey {
  const parts = key.map((name) => row[name] as string | number | boolean | null);
  return parts.length === 1 ? (parts[0] ?? null) : parts;
}

/** Rows by the text of their key; keys that are not there are left out. BAD_REQUEST or SQL_BIND for what can be no key. */
export async function readRowsByKey(
  { reader }: Pick<ReviewPorts, 'reader'>,
  {
    pinned,
    facts,
    keys,
    columns,
  }: { pinned: Pinned; facts: TableFacts; keys: readonly RowKey[]; columns: readonly string[] },
  context: CallContext,
): Promise<Map<string, JsonRow>> {
  const found = new Map<string, JsonRow>();
  const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()];
  for (let at = 0; at < distinct.length; at += keysAtOnce) {
    const text = formatKeyFilter(keyColumnsOf(facts), distinct.slice(at, at + keysAtOnce));
    if (text === null) break;
    const where = compileFilter({ text, columns: facts.columns }).lance;
    const wanted = [...new Set([...facts.key, ...columns])];
    const stream = await reader.rows({ ...pinned, columns: wanted, where, limit: keysAtOnce }, context);
    for (const { _rowid: _, ...row } of (await readRowsAsJson(stream.chunks, context.signal)).rows)
      found.set(keyText(keyOfRow(facts.key, row)), row);
  }
  return found;
}
