import type { Comment } from '#shared/api/review-parts.ts';
import type { RowKey } from '#shared/domain/selection.ts';

/** What a comment is about: the review as a whole, a row, or a cell of it. */
export interface Anchor {
  rowKey: RowKey;
  column: string | null;
}

/** A text that is equal for equal keys, however their numbers travelled (64-bit integers come as number or text). */
export const keyToken = (key: RowKey): string =>
  JSON.stringify((Array.isArray(key) ? key : [key]).map((part) => (part === null ? null : String(part))));

/** `tools-17`, `2024 · 3`, for reading. */
export const formatRowKey = (key: RowKey): string =>
  (Array.isArray(key) ? key : [key]).map((part) => String(part ?? 'null')).join(' · ');

/** `row tools-17`, `gloss of tools-17`. */
export const describeAnchor = ({ rowKey, column }: Anchor): string =>
  column === null ? `row ${formatRowKey(rowKey)}` : `${column} of ${formatRowKey(rowKey)}`;

/** The threads by the row that they are about; those on the review as a whole are left out. */
export function threadsByRow(threads: readonly Comment[]): ReadonlyMap<string, readonly Comment[]> {
  const byRow = new Map<string, Comment[]>();
  for (const thread of threads) {
    if (thread.rowKey === null) continue;
    const token = keyToken(thread.rowKey);
    byRow.set(token, [...(byRow.get(token) ?? []), thread]);
  }
  return byRow;
}

const literal = (part: string | number | boolean | null): string =>
  typeof part === 'string' ? `'${part.replaceAll("'", "''")}'` : String(part);

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The condition that finds a row by its key; `null` where the key does not fit the key columns. */
export function whereOfKey(key: RowKey, keyColumns: readonly string[]): string | null {
  const parts = Array.isArray(key) ? key : [key];
  if (keyColumns.length === 0 || parts.length !== keyColumns.length) return null;
  return keyColumns
    .map((name, index) => {
      const part = parts[index] ?? null;
      return part === null ? `${quoted(name)} IS NULL` : `${quoted(name)} = ${literal(part)}`;
    })
    .join(' AND ');
}
