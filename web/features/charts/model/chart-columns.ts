import { parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { ChartColumn } from './chart-choice.ts';

const isWhole = (type: string): boolean => /^u?(int|bigint|integer|smallint|tinyint|hugeint)/i.test(type);

type Described = Pick<ColumnInfo, 'name' | 'type' | 'hidden'> & Partial<Pick<ColumnInfo, 'role'>>;

/** The columns of a table that charts can be drawn of. */
export function chartColumnsOf(columns: readonly Described[]): ChartColumn[] {
  return columns.flatMap(({ name, type, hidden, role }): ChartColumn[] => {
    if (hidden) return [];
    const parsed = parseColumnType(type);
    const kind = kindOfType(parsed.kind === 'dictionary' ? parsed.value.kind : parsed.kind);
    const isUnlikely = role === 'key' || role === 'text' || role === 'url';
    return kind ? [{ name, kind, isWhole: isWhole(type), ...(isUnlikely ? { isUnlikely } : {}) }] : [];
  });
}

function kindOfType(kind: string): ChartColumn['kind'] | null {
  if (/^(u?int|float|decimal)/.test(kind)) return 'number';
  if (kind === 'timestamp' || kind.startsWith('date')) return 'time';
  return /utf8$/.test(kind) || kind === 'bool' ? 'category' : null;
}

/** The columns of a result of SQL, by DuckDB's names of types. */
export function chartColumnsOfResult(columns: readonly { name: string; type: string }[]): ChartColumn[] {
  return columns.flatMap(({ name, type }): ChartColumn[] => {
    const upper = type.toUpperCase();
    if (/\[|STRUCT|MAP|UNION/.test(upper)) return [];
    const kind =
      /INT|FLOAT|DOUBLE|REAL|DECIMAL|NUMERIC/.test(upper) && !/INTERVAL/.test(upper)
        ? 'number'
        : /^(TIMESTAMP|DATE)/.test(upper)
          ? 'time'
          : /VARCHAR|CHAR|TEXT|STRING|BOOL|ENUM|UUID/.test(upper)
            ? 'category'
            : null;
    return kind ? [{ name, kind, isWhole: isWhole(type) }] : [];
  });
}
