import { type SqlToken, tokenizeSql } from '#shared/sql/split-statements.ts';
import { nameOfToken } from './relations-in-text.ts';

/** A value that is being written and compared with a column: what it can be is known from the column. */
export interface ValuePlace {
  /** The names before it: `label`, or `c`, `label`. */
  path: string[];
  /** Where it begins, its quote included. */
  start: number;
  /** Its end; with the closing quote where there is one. */
  end: number;
  /** In quotes already: nothing but a text can stand there. */
  isQuoted: boolean;
}

/** Looks at a statement up to the caret: `label = '|`, `c.label IN ('cat', '|`, `label = |`. `null` elsewhere. */
export function valuePlaceOf(sql: string, caret: number): ValuePlace | null {
  const tokens = [...tokenizeSql(sql)];
  return quotedPlace(sql, tokens, caret) ?? barePlace(sql, tokens, caret);
}

function quotedPlace(sql: string, tokens: readonly SqlToken[], caret: number): ValuePlace | null {
  const at = tokens.findIndex(({ kind, start, end }) => kind === 'text' && start < caret && caret <= end);
  const text = tokens[at];
  if (!text || sql[text.start] !== "'") return null;
  if (caret === text.end && text.end - text.start > 1 && sql[text.end - 1] === "'") return null;
  const path = pathBefore(sql, tokens, at);
  if (!path) return null;
  const line = sql.indexOf('\n', text.start);
  const isClosed =
    sql[text.end - 1] === "'" && text.end - text.start > 1 && (line === -1 || text.end <= line);
  return { path, start: text.start, end: isClosed ? text.end : caret, isQuoted: true };
}

/** Nothing is written yet, or the beginning of a word. */
function barePlace(sql: string, tokens: readonly SqlToken[], caret: number): ValuePlace | null {
  const next = tokens.findIndex(({ end }) => end >= caret);
  const at = next === -1 ? tokens.length : next;
  const word = tokens[at];
  const start = word && word.start < caret ? word.start : caret;
  if (start < caret && word?.kind !== 'word') return markEndsAt(sql, tokens, at, caret);
  const path = pathBefore(sql, tokens, at);
  return path && { path, start, end: caret, isQuoted: false };
}

/** Right behind the sign: `label =|`. */
function markEndsAt(sql: string, tokens: readonly SqlToken[], at: number, caret: number): ValuePlace | null {
  const mark = tokens[at];
  if (mark?.kind !== 'mark' || mark.end !== caret) return null;
  const path = pathBefore(sql, tokens, at + 1);
  return path && { path, start: caret, end: caret, isQuoted: false };
}

/** The column that the value at an index is compared with. */
function pathBefore(sql: string, tokens: readonly SqlToken[], at: number): string[] | null {
  const owner = ownerOf(sql, tokens, at);
  if (owner < 0) return null;
  const path: string[] = [];
  for (let index = owner; index >= 0; index -= 2) {
    const token = tokens[index] as SqlToken;
    if (token.kind !== 'word' && token.kind !== 'name') return null;
    path.unshift(nameOfToken(sql, token));
    if (markAt(sql, tokens, index - 1) !== '.') break;
  }
  return path;
}

const listTests = new Set(['LIST_CONTAINS', 'LIST_HAS', 'ARRAY_CONTAINS', 'ARRAY_HAS', 'CONTAINS']);

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
  if (markAt(sql, tokens, before) === ',') {
    let first = before - 1;
    while (markAt(sql, tokens, first - 1) === '.') first -= 2;
    if (markAt(sql, tokens, first - 1) === '(' && listTests.has(wordAt(sql, tokens, first - 2)))
      return before - 1;
  }
  while (markAt(sql, tokens, before) === ',' && tokens[before - 1]?.kind === 'text') before -= 2;
  if (markAt(sql, tokens, before) !== '(' || wordAt(sql, tokens, before - 1) !== 'IN') return -1;
  return wordAt(sql, tokens, before - 2) === 'NOT' ? before - 3 : before - 2;
}
