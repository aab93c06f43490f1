/** One statement of a text, without the semicolon that ends it and without space and comments around it. */
export interface StatementSpan {
  text: string;
  /** Offsets into the whole text. */
  start: number;
  end: number;
}

/** A word, quoted name, text, number or mark of SQL; `kind` says how it is written. */
export interface SqlToken {
  kind: 'word' | 'name' | 'text' | 'number' | 'mark';
  start: number;
  end: number;
}

const isSpace = (char: string): boolean => /\s/.test(char);
const isWordStart = (char: string): boolean => /[\p{L}_]/u.test(char);
const isWordPart = (char: string): boolean => /[\p{L}\p{N}_$]/u.test(char);

/** The end of a quoted text; quotes are doubled inside, with a backslash before them in `E'…'`. */
function quotedEnd(sql: string, start: number, quote: string, hasEscapes: boolean): number {
  for (let at = start + 1; at < sql.length; at += 1) {
    if (hasEscapes && sql[at] === '\\') at += 1;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  return sql.length;
}

/** The end of a comment that begins at `start`, or `start` where none does. Block comments nest. */
function commentEnd(sql: string, start: number): number {
  if (sql.startsWith('--', start)) {
    const end = sql.indexOf('\n', start);
    return end === -1 ? sql.length : end;
  }
  if (!sql.startsWith('/*', start)) return start;
  let depth = 1;
  let at = start + 2;
  while (at < sql.length && depth > 0) {
    if (sql.startsWith('/*', at)) depth += 1;
    else if (sql.startsWith('*/', at)) depth -= 1;
    else {
      at += 1;
      continue;
    }
    at += 2;
  }
  return at;
}

function dollarEnd(sql: string, start: number): number | null {
  const tag = /^\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/u.exec(sql.slice(start, start + 70))?.[0];
  if (tag === undefined) return null;
  const end = sql.indexOf(tag, start + tag.length);
  return end === -1 ? sql.length : end + tag.length;
}

function runEnd(sql: string, start: number, isPart: (char: string) => boolean): number {
  let at = start;
  while (at < sql.length && isPart(sql[at] as string)) at += 1;
  return at;
}

function tokenAt(sql: string, start: number): SqlToken {
  const char = sql[start] as string;
  const token = (kind: SqlToken['kind'], end: number): SqlToken => ({ kind, start, end });
  if ((char === 'e' || char === 'E') && sql[start + 1] === "'")
    return token('text', quotedEnd(sql, start + 1, "'", true));
  if (char === "'") return token('text', quotedEnd(sql, start, "'", false));
  if (char === '"') return token('name', quotedEnd(sql, start, '"', false));
  if (char === '$') {
    const end = dollarEnd(sql, start);
    return end === null ? token('mark', start + 1) : token('text', end);
  }
  if (isWordStart(char)) return token('word', runEnd(sql, start, isWordPart));
  if (/\d/.test(char))
    return token(
      'number',
      runEnd(sql, start, (part) => /[\p{L}\p{N}_.]/u.test(part)),
    );
  return token('mark', start + 1);
}

/** Tokens of DuckDB's SQL, as far as one must know to tell statements, names and texts apart; comments are left out. */
export function* tokenizeSql(sql: string): Generator<SqlToken> {
  let at = 0;
  while (at < sql.length) {
    const afterComment = commentEnd(sql, at);
    if (afterComment > at) {
      at = afterComment;
    } else if (isSpace(sql[at] as string)) {
      at += 1;
    } else {
      const token = tokenAt(sql, at);
      yield token;
      at = token.end;
    }
  }
}

/** Cuts a text at its semicolons; statements of nothing but space and comments are left out. */
export function splitStatements(sql: string): StatementSpan[] {
  const spans: StatementSpan[] = [];
  let start = -1;
  let end = -1;
  const close = () => {
    if (start !== -1) spans.push({ text: sql.slice(start, end), start, end });
    start = -1;
  };
  for (const token of tokenizeSql(sql)) {
    if (token.kind === 'mark' && sql[token.start] === ';') {
      close();
      continue;
    }
    if (start === -1) start = token.start;
    end = token.end;
  }
  close();
  return spans;
}

/** The statement that an offset stands in, else the last one before it, else the first. */
export function statementAt(sql: string, offset: number): StatementSpan | null {
  const spans = splitStatements(sql);
  return spans.filter(({ start }) => start <= offset).at(-1) ?? spans[0] ?? null;
}
