import { type ColumnType, numberKindOf, parseColumnType } from '../domain/column-type.ts';
import type { ColumnInfo } from '../domain/columns.ts';
import { quoteIdent } from './ident.ts';

/** Above this, quantiles and different values are told to within about one in a hundred, so that memory does not grow. */
export const maxExactFigures = 20_000_000;

export interface ColumnFiguresInput {
  column: Pick<ColumnInfo, 'name' | 'type'>;
  table: string;
  /** In DuckDB's dialect, over columns of the same names. */
  where: string | undefined;
  rows: number;
}

interface Parts {
  /** What is ordered: for least and most. */
  value: string;
  /** Milliseconds for times; null for what has no mean. */
  number: string | null;
  hasNans: boolean;
}

function partsOf(type: ColumnType, value: string): Parts | null {
  const numbers = numberKindOf(type);
  if (numbers) return { value, number: `CAST(${value} AS DOUBLE)`, hasNans: numbers === 'float' };
  switch (type.kind) {
    case 'timestamp':
    case 'date32':
    case 'date64':
      return { value, number: `CAST(epoch_ms(${value}) AS DOUBLE)`, hasNans: false };
    case 'utf8':
    case 'large_utf8':
      return { value, number: null, hasNans: false };
    case 'dictionary': {
      const inner = partsOf(type.value, `CAST(${value} AS VARCHAR)`);
      return inner?.number === null ? inner : null;
    }
    default:
      return null;
  }
}

/**
 * Figures of one column over all rows, in one row: `n`, `filled`, `nans`, `least`, `most`, `mean`, `quantiles` (5, 25,
 * 50, 75 and 95 per cent; times in milliseconds since 1970), `different`. Infinities count in neither mean nor quantiles.
 * `null` for types without such figures.
 */
export function buildColumnFigures({ column, table, where, rows }: ColumnFiguresInput): string | null {
  const parts = partsOf(parseColumnType(column.type), quoteIdent(column.name));
  if (!parts) return null;
  const { value, number, hasNans } = parts;
  const only = (test: string) => (hasNans ? ` FILTER (WHERE ${test}(${value}))` : '');
  const isExact = rows <= maxExactFigures;
  const shares = '[0.05, 0.25, 0.5, 0.75, 0.95]';
  const figures = [
    'count(*) AS n',
    `count(${value}) AS filled`,
    hasNans ? `count(*)${only('isnan')} AS nans` : '0 AS nans',
    `min(${value})${only('NOT isnan')} AS least`,
    `max(${value})${only('NOT isnan')} AS most`,
    ...(number === null
      ? ['NULL AS mean', 'NULL AS quantiles']
      : [
          `avg(${number})${only('isfinite')} AS mean`,
          `${isExact ? 'quantile_cont' : 'approx_quantile'}(${number}, ${shares})${only('isfinite')} AS quantiles`,
        ]),
    `${isExact ? `count(DISTINCT ${value})` : `approx_count_distinct(${value})`}${only('NOT isnan')} AS different`,
  ];
  return `SELECT ${figures.join(', ')} FROM ${quoteIdent(table)}${where === undefined ? '' : ` WHERE ${where}`}`;
}
