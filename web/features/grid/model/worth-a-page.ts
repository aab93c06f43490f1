import type { GridColumn } from './grid-column.ts';
import type { GridRow } from './row-source.ts';

const longText = 200;

/** Whether a value is better read on a page of its own than in a cell: long texts and structures. */
export function isWorthAPage(row: GridRow, { name, kind }: Pick<GridColumn, 'name' | 'kind'>): boolean {
  const value = row.value(name);
  if (value === null || value === undefined) return false;
  return (
    kind === 'json' ||
    kind === 'struct' ||
    kind === 'list' ||
    (kind === 'text' && String(value).length > longText)
  );
}
