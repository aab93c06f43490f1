import type { ColumnInfo } from '#shared/domain/columns.ts';

/** Which control changes a cell of a column. */
export type EditorKind =
  | 'text'
  | 'label'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'tags'
  | 'json';

export type Editability = { kind: EditorKind } | { kind: null; reason: string };

type Column = Pick<ColumnInfo, 'name' | 'type' | 'role'>;

const never = (reason: string): Editability => ({ kind: null, reason });

const mediaRoles = new Set(['image', 'video', 'audio', 'blob']);

const kinds: [pattern: RegExp, kind: EditorKind][] = [
  [/^json$/, 'json'],
  [/^bool/, 'boolean'],
  [/^u?int(8|16|32|64)$/, 'integer'],
  [/^(float(16|32|64)|decimal)/, 'number'],
  [/^timestamp/, 'timestamp'],
  [/^date/, 'date'],
  [/^(large_)?list<(item: ?)?(large_)?utf8\b/, 'tags'],
  [/^(struct|map|list|large_list)\b/, 'json'],
  [/^(large_)?utf8$|^dictionary<.*utf8>$/, 'text'],
];

/** The editor for a column's cells, or why a person cannot type them. `key` names the key columns of the table. */
export function editorOf({ name, type, role }: Column, key: readonly string[]): Editability {
  if (key.includes(name)) return never('The key says which row this is, so it stays.');
  const namesMedia = /^(large_)?utf8$/.test(type);
  if ((mediaRoles.has(role) && !namesMedia) || type === 'blob' || type.includes('binary')) {
    return never('A file is dropped, pasted or chosen in the row panel, not typed.');
  }
  if (role === 'vector' || type.startsWith('fixed_size_list')) {
    return never('Vectors come from a model, not from typing.');
  }
  if (role === 'json') return { kind: 'json' };
  const kind = kinds.find(([pattern]) => pattern.test(type))?.[1];
  if (!kind) return never(`Cells of type ${type} cannot be typed here.`);
  return { kind: kind === 'text' && role === 'label' ? 'label' : kind };
}

/** The zone of a timestamp column; `null` for one whose times have none. */
export const zoneOf = (type: string): string | null =>
  /^timestamp\[[a-z]+, *([^\]]+)\]/.exec(type)?.[1] ?? null;
