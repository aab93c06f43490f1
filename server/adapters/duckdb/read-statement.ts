import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '#shared/api/problem.ts';
import { nestedTooDeep, placeOfByte, readOnlyHint, translateDuckError } from '#shared/sql/duck-error.ts';
import { splitStatements, tokenizeSql } from '#shared/sql/split-statements.ts';
import { assertNoEngineFunction } from './engine-functions.ts';
import { asksForTables } from './statement-tree.ts';

/** One read-only statement, as DuckDB's own parser sees it. */
export interface Statement {
  /** The statement alone. */
  text: string;
  /** Bytes before it in the text that was sent, where positions of errors are counted. */
  offset: number;
  kind: 'select' | 'explain';
  /** What EXPLAIN explains, else the statement itself. */
  query: string;
  queryOffset: number;
  /** Syntax tree of the query. */
  tree: unknown;
}

export const maxStatementLength = 1_000_000;

/** DuckDB parses signs in a row in cubic time, before it looks at how deep they are nested. */
const maxSigns = 200;

const bytesBefore = (text: string, end: number): number => Buffer.byteLength(text.slice(0, end));

/** Checks that a text is exactly one statement that only reads, and parses it. SQL_SYNTAX, FORBIDDEN or UNSUPPORTED. */
export async function readStatement(connection: DuckDBConnection, sql: string): Promise<Statement> {
  if (sql.length > maxStatementLength)
    throw new AppError({
      code: 'TOO_LARGE',
      message: 'The statement is longer than 1 MB.',
      hint: 'Send long lists of values as a parameter.',
    });
  if (sql.includes('\0'))
    throw new AppError({
      code: 'SQL_SYNTAX',
      message: 'The statement has a NUL character.',
      at: placeOfByte(sql, bytesBefore(sql, sql.indexOf('\0'))),
    });
  const spans = splitStatements(sql);
  const [first, second] = spans;
  if (!first)
    throw new AppError({
      code: 'SQL_SYNTAX',
      message: 'There is no statement.',
      hint: 'Write one, for example SELECT * FROM a table LIMIT 100.',
      at: { line: 1, column: 1 },
    });
  assertFewSigns(sql);
  const count = await countStatements(connection, sql);
  if (second)
    throw new AppError({
      code: 'SQL_SYNTAX',
      message: 'There is a second statement after the first.',
      hint: 'Run one statement at a time.',
      at: placeOfByte(sql, bytesBefore(sql, second.start)),
    });
  const { text } = first;
  const offset = bytesBefore(sql, first.start);
  const select = { text, offset, kind: 'select' as const, query: text, queryOffset: offset };
  if (count > 1) throw pivotError(sql, offset);
  const tree = await parseSelect(connection, text);
  if (tree !== null) return assertReadsTables({ ...select, tree }, sql);
  const explained = explainedStart(text);
  if (explained !== null) {
    const query = text.slice(explained);
    const queryTree = await parseSelect(connection, query);
    if (queryTree !== null)
      return assertReadsTables(
        {
          ...select,
          kind: 'explain',
          query,
          queryOffset: offset + bytesBefore(text, explained),
          tree: queryTree,
        },
        sql,
      );
  }
  throw refusal(text, placeOfByte(sql, offset + bytesBefore(text, explained ?? 0)));
}

function assertFewSigns(sql: string): void {
  let signs = 0;
  for (const { start, end } of tokenizeSql(sql)) {
    signs = end - start === 1 && sql[start] === '+' ? signs + 1 : 0;
    if (signs > maxSigns) throw nestedTooDeep(placeOfByte(sql, bytesBefore(sql, start)));
  }
}

async function countStatements(connection: DuckDBConnection, sql: string): Promise<number> {
  try {
    return (await connection.extractStatements(sql)).count;
  } catch (error) {
    throw translateDuckError(error, { sql });
  }
}

/** The syntax tree, or `null` when the text is another kind of statement than SELECT. */
async function parseSelect(connection: DuckDBConnection, text: string): Promise<unknown> {
  const result = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [text]);
  const answer = JSON.parse(String(result.getRows()[0]?.[0])) as { error: boolean; statements?: unknown[] };
  return answer.error || answer.statements?.length !== 1 ? null : answer.statements[0];
}

/** Where the explained statement begins: after `EXPLAIN [ANALYZE] [(options)]`. */
function explainedStart(text: string): number | null {
  const tokens = [...tokenizeSql(text)];
  const wordAt = (index: number) => {
    const token = tokens[index];
    return token?.kind === 'word' ? text.slice(token.start, token.end).toUpperCase() : '';
  };
  if (wordAt(0) !== 'EXPLAIN') return null;
  let next = 1;
  if (wordAt(next) === 'ANALYZE') next += 1;
  if (
    text[tokens[next]?.start ?? 0] === '(' &&
    !['SELECT', 'FROM', 'WITH', 'VALUES', 'TABLE'].includes(wordAt(next + 1))
  ) {
    let depth = 0;
    do {
      const mark = text[tokens[next]?.start ?? text.length];
      if (mark === '(') depth += 1;
      if (mark === ')') depth -= 1;
      next += 1;
    } while (depth > 0 && next < tokens.length);
  }
  return tokens[next]?.start ?? null;
}

function assertReadsTables(statement: Statement, sql: string): Statement {
  assertNoEngineFunction(statement.tree, sql, statement.queryOffset);
  if (!asksForTables(statement.tree)) return statement;
  throw new AppError({
    code: 'UNSUPPORTED',
    message: 'SHOW lists tables of DuckDB, not of Curio.',
    hint: 'The tables stand at the left of the workbench and at GET /api/v1/tables; DESCRIBE name shows the columns of one.',
  });
}

const pivotError = (sql: string, offset: number): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: 'A PIVOT without its values is several statements to DuckDB.',
    hint: "Name the values: PIVOT clips ON category IN ('cat', 'dog') USING count(*).",
    at: placeOfByte(sql, offset),
  });

const writingWords = new Set([
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE',
  'TRUNCATE',
  'ALTER',
  'CREATE',
  'DROP',
  'UPSERT',
]);

const hints: Record<string, string> = {
  COPY: 'Run the SELECT and export its result.',
  EXPORT: 'Run a SELECT and export its result.',
  ATTACH: 'Import the other database’s tables; statements read Curio’s tables only.',
  SET: 'Settings of the engine are fixed.',
  RESET: 'Settings of the engine are fixed.',
  PRAGMA: 'Settings of the engine are fixed. DESCRIBE and SUMMARIZE show a table.',
  INSTALL: 'Curio brings DuckDB’s core, json, icu and parquet; others cannot be loaded.',
  LOAD: 'Curio brings DuckDB’s core, json, icu and parquet; others cannot be loaded.',
  CALL: 'Use the function in a FROM.',
};

function refusal(text: string, at: AppError['at']): AppError {
  const words = [...tokenizeSql(text)]
    .filter(({ kind }) => kind === 'word')
    .map(({ start, end }) => text.slice(start, end).toUpperCase());
  const word =
    words[0] === 'EXPLAIN' ? (words.find((other) => writingWords.has(other)) ?? 'EXPLAIN') : (words[0] ?? '');
  return new AppError({
    code: 'FORBIDDEN',
    message: `Statements here only read; ${word} does something else.`,
    hint: writingWords.has(word)
      ? readOnlyHint
      : (hints[word] ?? 'Use SELECT, WITH, VALUES, DESCRIBE, SUMMARIZE or EXPLAIN.'),
    at,
  });
}
