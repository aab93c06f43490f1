import * as z from 'zod';
import { AppError } from '../api/problem.ts';
import { quoteText } from '../sql/literal.ts';

/** How the value of a parameter is typed; it decides how `$name` is read in SQL. */
export const paramTypes = ['text', 'number', 'boolean', 'date', 'timestamp', 'list'] as const;
export type ParamType = (typeof paramTypes)[number];

/** A parameter of a statement: `$name` stands for its value. */
export const QueryParam = z.strictObject({
  name: z.string().regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, 'a name of letters, digits and “_”'),
  type: z.enum(paramTypes),
  /** As it was typed; `null` is NULL. A list has one text a line. */
  value: z.string().max(1_000_000).nullable(),
});
export type QueryParam = z.infer<typeof QueryParam>;

const patterns: Partial<Record<ParamType, [RegExp, string]>> = {
  number: [/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i, 'a number such as 12 or 0.5'],
  boolean: [/^(true|false)$/i, 'true or false'],
  date: [/^\d{4}-\d{2}-\d{2}$/, 'a date such as 2026-03-01'],
  timestamp: [
    /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?$/,
    'a time such as 2026-03-01 12:30:00',
  ],
};

/** What is wrong with a typed value, in words that end “… is not …”; `null` when it can be used. */
export function whyNotParam({ type, value }: Pick<QueryParam, 'type' | 'value'>): string | null {
  const rule = patterns[type];
  if (value === null || !rule) return null;
  const text = value.trim();
  if (!rule[0].test(text)) return `${text === '' ? 'Nothing' : `“${text.slice(0, 40)}”`} is not ${rule[1]}`;
  if (type !== 'date' && type !== 'timestamp') return null;
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? null
    : `“${text.slice(0, 10)}” is no day of the calendar`;
}

const linesOf = (value: string): string[] =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The value as a literal of DuckDB's SQL. BAD_REQUEST where the text is not of the type. */
export function formatParamLiteral({ name, type, value }: QueryParam): string {
  const why = whyNotParam({ type, value });
  if (why !== null)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The parameter $${name}: ${why}.`,
      hint: 'Change the value or the type of the parameter.',
    });
  if (value === null) return 'NULL';
  const text = value.trim();
  switch (type) {
    case 'text':
      return quoteText(value);
    case 'number':
      return `(${text})`;
    case 'boolean':
      return text.toLowerCase();
    case 'date':
      return `DATE ${quoteText(text)}`;
    case 'timestamp':
      return `TIMESTAMP ${quoteText(text)}`;
    case 'list':
      return `[${linesOf(value).map(quoteText).join(', ')}]::VARCHAR[]`;
  }
}

/** The type that a name suggests, for a parameter that nobody has typed yet. */
export function guessParamType(name: string): ParamType {
  if (/(^|_)(is|has)_|^(is|has)[A-Z]/.test(name)) return 'boolean';
  if (/(^|_)(at|time|timestamp)$/i.test(name)) return 'timestamp';
  if (/(^|_)(date|day|since|until|from_day|to_day)$/i.test(name)) return 'date';
  if (/(^|_)(n|k|min|max|limit|count|score|threshold|size|width|height)(_|$)/i.test(name)) return 'number';
  if (/(^|_)(list|names|labels|ids|values)$/i.test(name)) return 'list';
  return 'text';
}
