import { AppError } from '#shared/api/problem.ts';
import { tokenizeSql } from '#shared/sql/split-statements.ts';

/** Tokens without space and comments, words in one case: what a statement means. */
const meaningOf = (sql: string): string =>
  [...tokenizeSql(sql)]
    .map(({ kind, start, end }) =>
      kind === 'word' ? sql.slice(start, end).toUpperCase() : sql.slice(start, end),
    )
    .join(' ')
    .replace(/( ;)+$/, '');

const commentsIn = (sql: string): number => (sql.match(/--|\/\*/g) ?? []).length;

/**
 * SQL with one clause a line and keywords in capitals. The formatter is fetched when it is first used. UNSUPPORTED
 * where it does not read the text, or where what it wrote would mean something else.
 */
export async function formatText(sql: string): Promise<string> {
  const { duckdb, formatDialect } = await import('sql-formatter');
  let formatted: string;
  try {
    formatted = formatDialect(sql, {
      dialect: duckdb,
      keywordCase: 'upper',
      paramTypes: { named: ['$'], positional: true },
      expressionWidth: 80,
      linesBetweenQueries: 1,
    });
  } catch (error) {
    throw unreadable(error);
  }
  if (meaningOf(formatted) !== meaningOf(sql) || commentsIn(formatted) !== commentsIn(sql))
    throw unreadable();
  return formatted;
}

const unreadable = (cause?: unknown): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: 'The formatter does not understand this text, so it was left as it is.',
    hint: 'Mend what is underlined first; some of DuckDB’s newest syntax is not known to it.',
    cause,
  });
