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
const shapes: Record<CheckedType, string> = {
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

type CheckedType = Exclude<TextColumnType, 'VARCHAR'>;

const bitOf = (type: CheckedType): number => 1 << textColumnTypes.indexOf(type);

/** Whether every value of a column that has the type among its candidates fits it. */
const fits = (type: CheckedType): string => {
  const isFit = `regexp_full_match(v, '${shapes[type]}') AND try_cast(v AS ${type}) IS NOT NULL`;
  return `coalesce(bool_and(CASE WHEN m & ${bitOf(type)} <> 0 THEN ${isFit} END) FILTER (WHERE v IS NOT NULL), true)`;
};

/**
 * One row per column: its place, how many rows there are, how many values, and per type whether every value fits. The
 * columns are put below each other first: DuckDB keeps a compiled expression, of megabytes, for each place where one
 * stands, and a wide table would have thousands.
 */
export function buildFitQuery(
  names: readonly string[],
  candidates: readonly TextColumnType[][],
  relation: string,
): string {
  const masks = names.map((_, index) =>
    (candidates[index] ?? []).reduce((mask, type) => (type === 'VARCHAR' ? mask : mask | bitOf(type)), 0),
  );
  const below = [
    `unnest(range(${names.length})) AS i`,
    `unnest([${masks.join(', ')}]::SMALLINT[]) AS m`,
    `unnest([${names.map(quoteIdent).join(', ')}]) AS v`,
  ];
  const checks = textColumnTypes.filter((type) => candidates.some((types) => types.includes(type))).map(fits);
  const all = ['i', 'count(*)', 'count(v)', ...checks].join(', ');
  return `SELECT ${all} FROM (SELECT ${below.join(', ')} FROM ${relation}) GROUP BY i`;
}

export interface FitResult {
  rows: number;
  /** Per column, the candidates that every value fits. */
  fitting: TextColumnType[][];
  /** Per column, whether it has any value. */
  hasValues: boolean[];
}

/** Reads the rows of {@link buildFitQuery}; of a file without rows there are none. */
export function parseFitRows(
  rows: readonly (readonly unknown[])[],
  candidates: readonly TextColumnType[][],
): FitResult {
  const checked = textColumnTypes.filter((type) => candidates.some((types) => types.includes(type)));
  const byColumn = new Map(rows.map(([column, ...facts]) => [Number(column), facts]));
  return {
    rows: Number(byColumn.get(0)?.[0] ?? 0),
    hasValues: candidates.map((_, index) => Number(byColumn.get(index)?.[1] ?? 0) > 0),
    fitting: candidates.map((types, index) => {
      const answers = byColumn.get(index)?.slice(2);
      return types.filter(
        (type) => type !== 'VARCHAR' && (answers?.[checked.indexOf(type)] ?? true) === true,
      );
    }),
  };
}

/** The type that holds the values of several files, each of which fits the types given (none: no values at all). */
export function uniteTypes(fitting: readonly (readonly TextColumnType[] | null)[]): TextColumnType {
  const present = fitting.filter((types) => types !== null);
  if (present.length === 0) return 'VARCHAR';
  return textColumnTypes.find((type) => present.every((types) => types.includes(type))) ?? 'VARCHAR';
}

const looksLike = (value: string, type: CheckedType): boolean =>
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
