import type { DataType, Field } from '@uwdata/flechette';
import { type ColumnType, formatColumnType, parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo, ColumnRole } from '#shared/domain/columns.ts';
import type { ArrowRows } from '../../../api/arrow-rows.ts';
import { columnTypeOfArrow } from './column-type-of-arrow.ts';
import { rowIdColumn } from './row-source.ts';

/** A column as a grid shows it. */
export interface GridColumn {
  name: string;
  /** As `formatColumnType` writes it. */
  type: string;
  parsed: ColumnType;
  role: ColumnRole;
  kind: CellKind;
  description: string;
  isHidden: boolean;
  isKey: boolean;
}

/** How a cell looks: one way of showing for each. */
export type CellKind =
  | 'media'
  | 'text'
  | 'number'
  | 'bool'
  | 'time'
  | 'list'
  | 'vector'
  | 'struct'
  | 'json'
  | 'binary'
  | 'url';

const mediaRoles: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'blob', 'mask']);
/** Roles that a text has for naming media; a mask in text is written out. */
const linkRoles: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'blob']);
const numberKinds = /^(u?int(8|16|32|64)|float(16|32|64)|decimal(128|256))$/;
const timeKinds = /^(timestamp|date32|date64|time32|time64|duration|interval)$/;
const textKinds = /^(utf8|large_utf8)$/;

const isNumber = (type: ColumnType): boolean => numberKinds.test(type.kind);

/** Texts that name media elsewhere: shown as those, edited as text. */
export const isLinked = ({ kind, parsed }: Pick<GridColumn, 'kind' | 'parsed'>): boolean =>
  kind === 'media' && textKinds.test(parsed.kind === 'dictionary' ? parsed.value.kind : parsed.kind);

/** How cells of a column look, by type, with the role deciding where a type has two readings. */
export function kindOfColumn(type: ColumnType, role: ColumnRole): CellKind {
  const plain = type.kind === 'dictionary' ? type.value : type;
  if (plain.kind === 'blob') return 'media';
  if (mediaRoles.has(role) && (plain.kind === 'struct' || plain.kind.includes('binary'))) return 'media';
  if (numberKinds.test(plain.kind)) return 'number';
  if (timeKinds.test(plain.kind)) return 'time';
  if (textKinds.test(plain.kind) && linkRoles.has(role)) return 'media';
  if (textKinds.test(plain.kind)) return role === 'json' ? 'json' : role === 'url' ? 'url' : 'text';
  switch (plain.kind) {
    case 'bool':
      return 'bool';
    case 'json':
      return 'json';
    case 'list':
    case 'large_list':
      return role === 'vector' ? 'vector' : 'list';
    case 'fixed_size_list':
      return role === 'vector' || (isNumber(plain.item) && plain.size > 8) ? 'vector' : 'list';
    case 'struct':
    case 'map':
      return 'struct';
    default:
      return plain.kind.includes('binary') ? 'binary' : 'text';
  }
}

const safelyParsed = (type: string): ColumnType => {
  try {
    return parseColumnType(type);
  } catch {
    return { kind: 'utf8' };
  }
};

/** Columns of a table for its grid. */
export function gridColumnsOf(columns: readonly ColumnInfo[], key: readonly string[] = []): GridColumn[] {
  return columns.map((column) => {
    const parsed = safelyParsed(column.type);
    return {
      name: column.name,
      type: column.type,
      parsed,
      role: column.role,
      kind: kindOfColumn(parsed, column.role),
      description: column.description,
      isHidden: column.hidden ?? false,
      isKey: key.includes(column.name),
    };
  });
}

/** Columns of any Arrow rows, such as a result of SQL; roles come from the field's metadata or from its type. */
export const gridColumnsOfArrow = ({ table }: ArrowRows): GridColumn[] =>
  gridColumnsOfFields(table.schema.fields);

/** Columns of Arrow fields, such as those of a struct that holds a row. */
export function gridColumnsOfFields(fields: readonly Field[]): GridColumn[] {
  return fields
    .filter((field) => field.name !== rowIdColumn)
    .map((field) => {
      const parsed = columnTypeOfArrow(field.type as DataType, field.metadata);
      const role = roleOf(parsed, field.metadata?.get('curio:role'));
      return {
        name: field.name,
        type: formatColumnType(parsed),
        parsed,
        role,
        kind: kindOfColumn(parsed, role),
        description: field.metadata?.get('curio:description') ?? '',
        isHidden: false,
        isKey: false,
      };
    });
}

function roleOf(type: ColumnType, stated: string | undefined): ColumnRole {
  if (stated) return stated as ColumnRole;
  if (type.kind === 'blob') return 'blob';
  if (type.kind === 'json') return 'json';
  if (numberKinds.test(type.kind)) return 'number';
  if (timeKinds.test(type.kind)) return 'time';
  if (textKinds.test(type.kind)) return 'text';
  if (type.kind === 'fixed_size_list' && isNumber(type.item) && type.size > 8) return 'vector';
  return 'other';
}
