import { type SqlToken, tokenizeSql } from '#shared/sql/split-statements.ts';
import { nameOfToken } from './relations-in-text.ts';

/** A text that is being written and compared with a column: what it can be is known from the column. */
export interface ValuePlace {
  /** The names before it: `label`, or `c`, `label`. */
  path: string[];
  /** Where the text begins, its quote included. */
  start: number;
  /** Its end; with the closing quote where there is one. */
  end: number;
}

/** Looks at a statement up to the caret: `label = '|`, `c.label IN ('cat', '|`. `null` elsewhere. */
export function valuePlaceOf(sql: string, caret: number): ValuePlace | null {
  const tokens = [...tokenizeSql(sql)];
  const at = tokens.findIndex(({ kind, start, end }) => kind === 'text' && start < caret && caret <= end);
  const text = tokens[at];
  if (!text || sql[text.start] !== "'") return null;
  if (caret === text.end && text.end - text.start > 1 && sql[text.end - 1] === "'") return null;
  const owner = ownerOf(sql, tokens, at);
  if (owner === -1) return null;
  const path: string[] = [];
  for (let index = owner; index >= 0; index -= 2) {
    const token = tokens[index] as SqlToken;
    if (token.kind !== 'word' && token.kind !== 'name') return null;
    path.unshift(nameOfToken(sql, token));
    if (markAt(sql, tokens, index - 1) !== '.') break;
  }
  const line = sql.indexOf('\n', text.start);
  const isClosed =
    sql[text.end - 1] === "'" && text.end - text.start > 1 && (line === -1 || text.end <= line);
  return { path, start: text.start, end: isClosed ? text.end : caret };
}

const markAt = (sql: string, tokens: readonly SqlToken[], index: number): string =>
  tokens[index]?.kind === 'mark' ? (sql[tokens[index]?.start ?? 0] ?? '') : '';

const wordAt = (sql: string, tokens: readonly SqlToken[], index: number): string => {
  const token = tokens[index];
  return token?.kind === 'word' ? sql.slice(token.start, token.end).toUpperCase() : '';
};

/** The last name of the column that the text at an index is compared with; -1 where it is not. */
function ownerOf(sql: string, tokens: readonly SqlToken[], at: number): number {
  let before = at - 1;
  if (markAt(sql, tokens, before) === '=') {
    const sign = markAt(sql, tokens, before - 1);
    return sign === '!' || sign === '<' || sign === '>' || sign === '=' ? before - 2 : before - 1;
  }
  if (markAt(sql, tokens, before) === '>' && markAt(sql, tokens, before - 1) === '<') return before - 2;
  while (markAt(sql, tokens, before) === ',' && tokens[before - 1]?.kind === 'text') before -= 2;
  if (markAt(sql, tokens, before) !== '(' || wordAt(sql, tokens, before - 1) !== 'IN') return -1;
  return wordAt(sql, tokens, before - 2) === 'NOT' ? before - 3 : before - 2;
}
