import { quoteIdent } from '#shared/sql/ident.ts';
import { type SqlToken, tokenizeSql } from '#shared/sql/split-statements.ts';
import { nameOfToken } from './relations-in-text.ts';

/** A name that a statement gives in its WITH. */
export interface WithName {
  name: string;
  /** A statement that has its columns. */
  sql: string;
}

/** Names of a WITH at the beginning of a statement, those whose bracket is closed; the rest may be half written. */
export function withNamesIn(sql: string): WithName[] {
  const tokens = [...tokenizeSql(sql)];
  const textAt = (at: number) => {
    const token = tokens[at];
    return token ? sql.slice(token.start, token.end).toUpperCase() : '';
  };
  /** The index after the bracket that opens at an index; -1 where it is not closed. */
  const afterBracket = (at: number): number => {
    let depth = 0;
    for (let index = at; index < tokens.length; index += 1) {
      if (tokens[index]?.kind !== 'mark') continue;
      if (textAt(index) === '(') depth += 1;
      if (textAt(index) === ')') depth -= 1;
      if (depth === 0) return index + 1;
    }
    return -1;
  };
  if (textAt(0) !== 'WITH') return [];
  const found: WithName[] = [];
  let at = textAt(1) === 'RECURSIVE' ? 2 : 1;
  for (;;) {
    const token = tokens[at] as SqlToken | undefined;
    if (token?.kind !== 'word' && token?.kind !== 'name') return found;
    const name = nameOfToken(sql, token);
    at += 1;
    if (textAt(at) === '(') at = afterBracket(at);
    if (textAt(at) !== 'AS') return found;
    while (['AS', 'NOT', 'MATERIALIZED'].includes(textAt(at))) at += 1;
    if (textAt(at) !== '(') return found;
    at = afterBracket(at);
    if (at === -1) return found;
    const end = tokens[at - 1]?.end ?? 0;
    found.push({ name, sql: `${sql.slice(0, end)} SELECT * FROM ${quoteIdent(name)}` });
    if (textAt(at) !== ',') return found;
    at += 1;
  }
}
