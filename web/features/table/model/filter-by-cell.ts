import type { ColumnInfo } from '#shared/domain/columns.ts';
import { type ColumnChip, filterToSql } from '#shared/domain/filter.ts';
import { opsFor } from '#shared/domain/filter-ops.ts';
import type { Condition } from '../../../state/table-view.ts';
import { formatTime, type GridColumn } from '../../grid/index.ts';

type Filterable = Pick<ColumnInfo, 'name' | 'type' | 'role'>;

/** The condition that a cell's value makes, or its opposite; null where its kind has none. */
export function conditionOfCell(
  column: GridColumn & Filterable,
  value: unknown,
  isNegated: boolean,
): Condition | null {
  const chip = chipOfCell(column, value);
  const sql = chip && filterToSql([isNegated ? { ...chip, isNegated } : chip]);
  return sql ? { sql } : null;
}

function chipOfCell(column: GridColumn, value: unknown): ColumnChip | null {
  if (value === null || value === undefined) return { column: column.name, op: 'isNull', values: [] };
  if (typeof value === 'number' && Number.isNaN(value))
    return { column: column.name, op: 'isNaN', values: [] };
  if (typeof value === 'boolean')
    return { column: column.name, op: value ? 'isTrue' : 'isFalse', values: [] };
  if (!opsFor(column).some(({ op }) => op === 'eq')) return null;
  if (column.kind === 'time')
    return { column: column.name, op: 'eq', values: [formatTime(value, column.parsed).replace('T', ' ')] };
  if (column.parsed.kind.startsWith('decimal')) return null;
  if (typeof value === 'bigint')
    return { column: column.name, op: 'eq', values: [{ number: String(value) }] };
  return typeof value === 'string' || typeof value === 'number'
    ? { column: column.name, op: 'eq', values: [value] }
    : null;
}
