import { AppError, type TextPlace } from '#shared/api/problem.ts';
import { formatParamLiteral, type QueryParam } from '#shared/domain/query-param.ts';
import type { Cell } from '#shared/sql/cells.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { type SqlToken, splitStatements, tokenizeSql } from '#shared/sql/split-statements.ts';

/** A part of the statement that is sent: from the text, at an offset of it, or written by us. */
interface Piece {
  text: string;
  at: number | null;
  cell: number;
}

/** A statement that is whole by itself: values in place of parameters, earlier cells as a WITH. */
export interface ComposedStatement {
  sql: string;
  /** Names of the cells that it reads. */
  reads: string[];
  /** Parameters that are NULL in it. */
  nulls: string[];
  /** Where a place of `sql` comes from: the cell, and the offset in the whole text. */
  sourceOf(place: TextPlace): { cell: number; offset: number };
}

export interface ComposeInput {
  cells: readonly Cell[];
  /** The cell that the statement stands in. */
  cell: number;
  /** Its place in the whole text. */
  start: number;
  text: string;
  params: readonly QueryParam[];
}

const wordOf = (sql: string, token: SqlToken | undefined): string =>
  token?.kind === 'word' ? sql.slice(token.start, token.end).toUpperCase() : '';

/** `$name` and `$1` in a statement, where they are no part of a text. */
export function paramsIn(sql: string): { name: string; start: number; end: number }[] {
  const tokens = [...tokenizeSql(sql)];
  return tokens.flatMap((token, index) => {
    const next = tokens[index + 1];
    if (token.kind !== 'mark' || sql[token.start] !== '$' || next?.start !== token.end) return [];
    if (next.kind !== 'word') return [];
    return [{ name: sql.slice(next.start, next.end), start: token.start, end: next.end }];
  });
}

/** Values in the place of parameters; those without a value stay, and DuckDB says so. */
function withValues(text: string, at: number, cell: number, params: readonly QueryParam[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { name, start, end } of paramsIn(text)) {
    const param = params.find((one) => one.name === name);
    if (!param) continue;
    pieces.push({ text: text.slice(done, start), at: at + done, cell });
    pieces.push({ text: formatParamLiteral(param), at: at + start, cell });
    done = end;
  }
  pieces.push({ text: text.slice(done), at: at + done, cell });
  return pieces;
}

const isDescription = (word: string): boolean => ['SUMMARIZE', 'DESCRIBE', 'DESC'].includes(word);

/** Words and names of a statement, in lower case. */
const namesIn = (sql: string): Set<string> =>
  new Set(
    [...tokenizeSql(sql)].flatMap(({ kind, start, end }) =>
      kind === 'word'
        ? [sql.slice(start, end).toLowerCase()]
        : kind === 'name'
          ? [
              sql
                .slice(start + 1, end - 1)
                .replaceAll('""', '"')
                .toLowerCase(),
            ]
          : [],
    ),
  );

/** What a cell is to later ones: its last statement. */
const resultOf = ({ body, start }: Cell): { text: string; start: number } | null => {
  const last = splitStatements(body).at(-1);
  return last ? { text: last.text, start: start + last.start } : null;
};

/** Earlier cells that the statement needs, in order; nearer ones may need farther ones. */
function cellsRead({ cells, cell, text }: ComposeInput): number[] {
  const found = new Set<number>();
  const look = (sql: string, before: number) => {
    const names = namesIn(sql);
    for (let index = before - 1; index >= 0; index -= 1) {
      const other = cells[index];
      if (!other || found.has(index) || !names.has(other.name.toLowerCase())) continue;
      const result = resultOf(other);
      if (!result || wordOf(result.text, [...tokenizeSql(result.text)][0]) === 'EXPLAIN') continue;
      found.add(index);
      look(result.text, index);
    }
  };
  look(text, cell);
  return [...found].sort((a, b) => a - b);
}

/** Where the WITH goes: after EXPLAIN and its options; after a WITH that is there. */
function placeOfWith(sql: string): { at: number; hasWith: boolean; isDescription: boolean } {
  const tokens = [...tokenizeSql(sql)];
  let next = 0;
  if (wordOf(sql, tokens[0]) === 'EXPLAIN') {
    next = wordOf(sql, tokens[1]) === 'ANALYZE' ? 2 : 1;
    const inside = wordOf(sql, tokens[next + 1]);
    if (sql[tokens[next]?.start ?? 0] === '(' && ['FORMAT', 'ANALYZE'].includes(inside)) {
      while (next < tokens.length && sql[tokens[next]?.start ?? 0] !== ')') next += 1;
      next += 1;
    }
  }
  const word = wordOf(sql, tokens[next]);
  if (word !== 'WITH')
    return { at: tokens[next]?.start ?? 0, hasWith: false, isDescription: isDescription(word) };
  const isRecursive = wordOf(sql, tokens[next + 1]) === 'RECURSIVE';
  return { at: tokens[next + (isRecursive ? 1 : 0)]?.end ?? 0, hasWith: true, isDescription: false };
}

/** Writes earlier results and values into a statement. BAD_REQUEST where a value is not of its type. */
export function composeStatement(input: ComposeInput): ComposedStatement {
  const { cells, cell, start, text, params } = input;
  const read = cellsRead(input);
  const pieces: Piece[] = [];
  const own = (part: string) => pieces.push({ text: part, at: null, cell });
  if (read.length === 0) pieces.push(...withValues(text, start, cell, params));
  else {
    const place = placeOfWith(text);
    pieces.push(...withValues(text.slice(0, place.at), start, cell, params));
    own(place.hasWith ? ' ' : 'WITH ');
    for (const [nth, index] of read.entries()) {
      const earlier = cells[index] as Cell;
      const result = resultOf(earlier) as { text: string; start: number };
      const wraps = isDescription(wordOf(result.text, [...tokenizeSql(result.text)][0]));
      own(`${nth === 0 ? '' : ', '}${quoteIdent(earlier.name)} AS (${wraps ? 'FROM (' : ''}`);
      pieces.push(...withValues(result.text, result.start, index, params));
      own(`\n${wraps ? ')' : ''})`);
    }
    own(place.hasWith ? ',' : place.isDescription ? ' FROM (' : ' ');
    pieces.push(...withValues(text.slice(place.at), start + place.at, cell, params));
    if (place.isDescription) own('\n)');
  }
  const sql = pieces.map((piece) => piece.text).join('');
  return {
    sql,
    nulls: nullsIn([text, ...read.map((index) => resultOf(cells[index] as Cell)?.text ?? '')], params),
    reads: read.map((index) => cells[index]?.name ?? ''),
    sourceOf: (at) => sourceOf(pieces, offsetOf(sql, at), { cell, offset: start }),
  };
}

const nullsIn = (texts: readonly string[], params: readonly QueryParam[]): string[] => {
  const named = new Set(texts.flatMap((text) => paramsIn(text).map(({ name }) => name)));
  return params.filter(({ name, value }) => value === null && named.has(name)).map(({ name }) => name);
};

/** The offset of a line and column, which count from 1. */
export function offsetOf(text: string, { line, column }: TextPlace): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) break;
    start = end + 1;
  }
  return start + column - 1;
}

/** Inverse of {@link offsetOf}. */
export function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

function sourceOf(
  pieces: readonly Piece[],
  offset: number,
  fallback: { cell: number; offset: number },
): { cell: number; offset: number } {
  let done = 0;
  let source = fallback;
  for (const { text, at, cell } of pieces) {
    if (at !== null) source = { cell, offset: at + Math.min(text.length, Math.max(0, offset - done)) };
    done += text.length;
    if (offset < done) return source;
  }
  return source;
}

/** An error of a composed statement, with its place in the cell's own text; one of an earlier cell says which. */
export function errorInSource(
  error: AppError,
  composed: ComposedStatement,
  cells: readonly Cell[],
): { error: AppError; cell: number | null } {
  if (!error.at) return { error, cell: null };
  const { cell, offset } = composed.sourceOf(error.at);
  const source = cells[cell];
  if (!source) return { error, cell: null };
  const { code, message, hint, issues } = error;
  const at = placeOf(source.body, Math.max(0, offset - source.start));
  return { error: new AppError({ code, message, hint, issues, at, cause: error }), cell };
}
