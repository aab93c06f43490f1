import { quoteIdent } from '#shared/sql/ident.ts';

/** Types that columns of text files can have, the narrowest first; what fits none is VARCHAR. */
export const textColumnTypes = [
  'BOOLEAN',
  'BIGINT',
  'UBIGINT',
  'DOUBLE',
  'DATE',
  'TIMESTAMP',
  'TIMESTAMP_NS',
  'TIMESTAMPTZ',
  'TIME',
] as const;
export type TextColumnType = (typeof textColumnTypes)[number] | 'VARCHAR';

const date = '\\d{4}-\\d{2}-\\d{2}';
const clock = '\\d{2}:\\d{2}(:\\d{2}';
const zone = '(Z|[+-]\\d{2}(:?\\d{2})?)';

/**
 * What each value must look like. Stricter than a cast: `00123` is no number, whole numbers that a double would round
 * stay text, and a date has one order only.
 */
const shapes: Record<Exclude<TextColumnType, 'VARCHAR'>, string> = {
  BOOLEAN: 'true|false|True|False|TRUE|FALSE',
  BIGINT: '[+-]?(0|[1-9]\\d{0,18})',
  UBIGINT: '0|[1-9]\\d{0,19}',
  DOUBLE:
    '[+-]?((0|[1-9]\\d{0,14})(\\.\\d*)?|(0|[1-9]\\d{15,})\\.\\d+|\\.\\d+)([eE][+-]?\\d+)?|[+-]?(nan|NaN|inf|Inf|Infinity|infinity)',
  DATE: date,
  TIMESTAMP: `${date}([T ]${clock}(\\.\\d{1,6})?)?)?`,
  TIMESTAMP_NS: `${date}([T ]${clock}(\\.\\d{1,9})?)?)?`,
  TIMESTAMPTZ: `${date}[T ]${clock}(\\.\\d{1,6})?)?${zone}`,
  TIME: `${clock}(\\.\\d{1,6})?)`,
};

const fits = (column: string, type: Exclude<TextColumnType, 'VARCHAR'>): string => {
  const isFit = `regexp_full_match(${column}, '${shapes[type]}') AND try_cast(${column} AS ${type}) IS NOT NULL`;
  return `coalesce(bool_and(${isFit}) FILTER (WHERE ${column} IS NOT NULL), true)`;
};

/** One row: how many rows there are, and per column and candidate whether every value fits. */
export function buildFitQuery(
  names: readonly string[],
  candidates: readonly TextColumnType[][],
  relation: string,
): string {
  const parts = names.flatMap((name, index) => {
    const column = quoteIdent(name);
    const checks = (candidates[index] ?? []).flatMap((type) =>
      type === 'VARCHAR' ? [] : [fits(column, type)],
    );
    return [`count(${column})`, ...checks];
  });
  return `SELECT count(*), ${parts.join(', ')} FROM ${relation}`;
}

export interface FitResult {
  rows: number;
  /** Per column, the candidates that every value fits. */
  fitting: TextColumnType[][];
  /** Per column, whether it has any value. */
  hasValues: boolean[];
}

/** Reads the row of {@link buildFitQuery}. */
export function parseFitRow(row: readonly unknown[], candidates: readonly TextColumnType[][]): FitResult {
  let at = 1;
  const hasValues: boolean[] = [];
  const fitting = candidates.map((types) => {
    hasValues.push(Number(row[at++]) > 0);
    return types.filter((type) => type !== 'VARCHAR' && row[at++] === true);
  });
  return { rows: Number(row[0]), fitting, hasValues };
}

/** The type that holds the values of several files, each of which fits the types given (none: no values at all). */
export function uniteTypes(fitting: readonly (readonly TextColumnType[] | null)[]): TextColumnType {
  const present = fitting.filter((types) => types !== null);
  if (present.length === 0) return 'VARCHAR';
  return textColumnTypes.find((type) => present.every((types) => types.includes(type))) ?? 'VARCHAR';
}

const looksLike = (value: string, type: Exclude<TextColumnType, 'VARCHAR'>): boolean =>
  new RegExp(`^(?:${shapes[type]})$`).test(value);

/**
 * Whether the first line names the columns: its values are not of the types that the other lines have. Where all are
 * texts, the names must be there and differ.
 */
export function hasHeaderLine(
  first: readonly string[],
  fitting: readonly (readonly TextColumnType[])[],
  hasRows: boolean,
): boolean {
  const names = first.map((value) => value.trim());
  const areNames =
    names.every((name) => name !== '' && Number.isNaN(Number(name))) && new Set(names).size === names.length;
  if (!hasRows) return areNames;
  const isTyped = fitting.some((types) => types.length > 0);
  if (!isTyped) return areNames;
  return names.some((name, index) => {
    const types = fitting[index] ?? [];
    return (
      name !== '' && types.length > 0 && !types.some((type) => type !== 'VARCHAR' && looksLike(name, type))
    );
  });
}
