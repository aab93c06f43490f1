import type { TableDetail } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';

export interface TableSettings {
  description: string;
  key: readonly string[];
}

const keyTypes =
  /^(u?int(8|16|32|64)|(large_)?utf8|date(32|64)|time(32|64)|timestamp|decimal|(fixed_size_|large_)?binary)/;

/** Whether a column's values can say which row is which. */
export const canBeKey = ({ type, role, hidden }: Pick<ColumnInfo, 'type' | 'role' | 'hidden'>): boolean =>
  !hidden && keyTypes.test(type) && role !== 'vector' && role !== 'image' && role !== 'json';

/** What has to be saved; `null` where nothing was changed. */
export function planSettings(
  detail: Pick<TableDetail, 'description' | 'key'>,
  { description, key }: TableSettings,
): { description?: string; key?: string[] } | null {
  const patch = {
    ...(description === detail.description ? {} : { description }),
    ...(key.join('\n') === detail.key.join('\n') ? {} : { key: [...key] }),
  };
  return Object.keys(patch).length === 0 ? null : patch;
}
