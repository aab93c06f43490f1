import type { ColumnInfo } from '#shared/domain/columns.ts';

/** How two values of a column are best shown against each other. */
export type DifferKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'time'
  | 'list'
  | 'struct'
  | 'vector'
  | 'media'
  | 'binary';

const mediaRoles = new Set(['image', 'video', 'audio']);
const numeric = /^(u?int(8|16|32|64)|float(16|32|64)|decimal)/;
const temporal = /^(timestamp|date|time|duration)/;

/** The differ for a column by its type, with the role deciding where a type has two readings. */
export function kindOfColumn({ type, role }: Pick<ColumnInfo, 'type' | 'role'>): DifferKind {
  if (type === 'blob' || mediaRoles.has(role)) return 'media';
  if (role === 'vector' || /^fixed_size_list<(u?int|float)/.test(type)) return 'vector';
  if (role === 'json' || type === 'json' || /^(struct|map)\b/.test(type)) return 'struct';
  if (/^(large_|fixed_size_)?list\b/.test(type)) return 'list';
  if (type.startsWith('bool')) return 'boolean';
  if (temporal.test(type)) return 'time';
  if (numeric.test(type)) return 'number';
  return type.includes('binary') ? 'binary' : 'text';
}
