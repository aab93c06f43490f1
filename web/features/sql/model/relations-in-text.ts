import { type SqlToken, tokenizeSql } from '#shared/sql/split-statements.ts';

/** A relation that a half-written statement names, for suggestions only: what runs is decided by DuckDB's parser. */
export interface NamedRelation {
  name: string;
  alias: string | null;
}

const listStarts = new Set(['FROM', 'JOIN', 'DESCRIBE', 'SUMMARIZE', 'PIVOT', 'UNPIVOT', 'TABLE']);
const noAliases = new Set([
  'WHERE',
  'JOIN',
  'ON',
  'USING',
  'LEFT',
  'RIGHT',
  'FULL',
  'INNER',
  'CROSS',
  'ASOF',
  'SEMI',
  'ANTI',
  'NATURAL',
  'POSITIONAL',
  'GROUP',
  'ORDER',
  'LIMIT',
  'HAVING',
  'QUALIFY',
  'WINDOW',
  'UNION',
  'EXCEPT',
  'INTERSECT',
  'SELECT',
  'TABLESAMPLE',
  'OFFSET',
  'LATERAL',
  'IN',
  'FROM',
  'SET',
]);

export const nameOfToken = (sql: string, { kind, start, end }: SqlToken): string =>
  kind === 'name' ? sql.slice(start + 1, end - 1).replaceAll('""', '"') : sql.slice(start, end);

/** Relations after FROM and JOIN, with their aliases. */
export function relationsInText(sql: string): NamedRelation[] {
  const tokens = [...tokenizeSql(sql)];
  const found: NamedRelation[] = [];
  const wordAt = (at: number) => {
    const token = tokens[at];
    return token?.kind === 'word' ? sql.slice(token.start, token.end).toUpperCase() : '';
  };
  const isName = (at: number) => {
    const token = tokens[at];
    return (
      token !== undefined &&
      (token.kind === 'name' ||
        (token.kind === 'word' && !noAliases.has(wordAt(at)) && !listStarts.has(wordAt(at))))
    );
  };
  const markAt = (at: number) => (tokens[at]?.kind === 'mark' ? sql[tokens[at]?.start ?? 0] : '');
  for (let at = 0; at < tokens.length; at += 1) {
    if (!listStarts.has(wordAt(at))) continue;
    let next = at + 1;
    while (isName(next)) {
      while (markAt(next + 1) === '.' && isName(next + 2)) next += 2;
      const name = nameOfToken(sql, tokens[next] as SqlToken);
      next += 1;
      if (markAt(next) === '(') break;
      if (wordAt(next) === 'AS') next += 1;
      const alias = isName(next) ? nameOfToken(sql, tokens[next] as SqlToken) : null;
      if (alias !== null) next += 1;
      found.push({ name, alias });
      if (markAt(next) !== ',') break;
      next += 1;
    }
  }
  return found;
}

/** What stands before the caret: what it asks suggestions for. */
export interface CaretPlace {
  /** `table`: after FROM or JOIN; `column`: anywhere else; `member`: after a dot. */
  kind: 'table' | 'column' | 'member' | 'none';
  /** For `member`: names before the dots. */
  path: string[];
  /** Where the word under the caret begins, its quote included. */
  start: number;
  isQuoted: boolean;
}

const tableWords = new Set([
  'FROM',
  'JOIN',
  'DESCRIBE',
  'SUMMARIZE',
  'PIVOT',
  'UNPIVOT',
  'TABLE',
  'INTO',
  'UPDATE',
]);

/** Looks at a statement up to the caret. Inside texts, numbers and comments nothing is suggested. */
export function placeOfCaret(sql: string, caret: number): CaretPlace {
  const tokens = [...tokenizeSql(sql)].filter(({ start }) => start < caret);
  const last = tokens.at(-1);
  const isInside = last !== undefined && caret <= last.end && (last.kind === 'word' || last.kind === 'name');
  const nothing: CaretPlace = { kind: 'none', path: [], start: caret, isQuoted: false };
  if (last && last.kind === 'text' && caret < last.end) return nothing;
  if (last && last.kind === 'number' && caret === last.end) return nothing;
  if (isInComment(sql, last?.end ?? 0, caret)) return nothing;
  const before = isInside ? tokens.slice(0, -1) : tokens;
  const start = isInside && last ? last.start : caret;
  const isQuoted = isInside && last?.kind === 'name';
  const path: string[] = [];
  const owner = ownerOfRef(sql, before, start);
  if (owner !== null) return { kind: 'table', path, start: owner, isQuoted: false };
  let at = before.length - 1;
  while (at >= 1 && sql.slice(before[at]?.start, before[at]?.end) === '.') {
    const owner = before[at - 1] as SqlToken;
    if (owner.kind !== 'word' && owner.kind !== 'name') break;
    path.unshift(nameOfToken(sql, owner));
    at -= 2;
  }
  if (path.length > 0) return { kind: 'member', path, start, isQuoted };
  return { kind: isTablePlace(sql, before) ? 'table' : 'column', path, start, isQuoted };
}

/** `FROM clips@|`: where the table's name begins, since with its ref it stands in quotes. */
function ownerOfRef(sql: string, before: readonly SqlToken[], start: number): number | null {
  const [owner, at] = before.slice(-2);
  if (owner?.kind !== 'word' || at === undefined || sql.slice(at.start, at.end) !== '@') return null;
  const isJoined = owner.end === at.start && at.end === start;
  return isJoined && isTablePlace(sql, before.slice(0, -2)) ? owner.start : null;
}

/** After FROM or JOIN, or after a comma in their list. */
function isTablePlace(sql: string, before: readonly SqlToken[]): boolean {
  const last = before.at(-1);
  if (!last) return false;
  const text = sql.slice(last.start, last.end).toUpperCase();
  if (last.kind === 'word') return tableWords.has(text);
  if (text !== ',') return false;
  for (const token of [...before].reverse()) {
    const word = sql.slice(token.start, token.end).toUpperCase();
    if (token.kind === 'mark' && (word === '(' || word === ')')) return false;
    if (token.kind !== 'word') continue;
    if (word === 'FROM') return true;
    if (noAliases.has(word)) return false;
  }
  return false;
}

function isInComment(sql: string, from: number, caret: number): boolean {
  const between = sql.slice(from, caret);
  const line = between.lastIndexOf('--');
  if (line !== -1 && !between.slice(line).includes('\n')) return true;
  return between.lastIndexOf('/*') > between.lastIndexOf('*/');
}
