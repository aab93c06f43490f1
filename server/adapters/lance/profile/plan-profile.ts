import { type ColumnType, parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { quoteLanceIdent } from '#shared/sql/ident.ts';

/** What is counted of a column: figures of numbers or times, of texts (or elements of lists), or only its nulls. */
export type ProfileKind = 'number' | 'whole' | 'time' | 'text' | 'bool' | 'nulls';

export interface ProfiledColumn {
  name: string;
  kind: ProfileKind;
  /** What Lance is asked for. */
  expression: string;
}

/** Elements of lists that are counted by value. */
const isLabel = (type: ColumnType): boolean =>
  type.kind === 'utf8' || type.kind === 'large_utf8' || /^u?int\d+$/.test(type.kind);

function kindOf(type: ColumnType): ProfileKind {
  switch (type.kind) {
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'uint64':
      return 'whole';
    case 'float16':
    case 'float32':
    case 'float64':
    case 'decimal128':
    case 'decimal256':
      return 'number';
    case 'timestamp':
    case 'date32':
    case 'date64':
    case 'time32':
    case 'time64':
    case 'duration':
      return 'time';
    case 'bool':
      return 'bool';
    case 'utf8':
    case 'large_utf8':
      return 'text';
    case 'dictionary':
      return kindOf(type.value) === 'text' ? 'text' : 'nulls';
    case 'list':
    case 'large_list':
      return isLabel(type.item) ? 'text' : 'nulls';
    default:
      return 'nulls';
  }
}

/** How each of the columns is profiled. Media, vectors and structs are not read: only their nulls are counted. */
export function planProfile(columns: readonly Pick<ColumnInfo, 'name' | 'type'>[]): ProfiledColumn[] {
  return columns.map(({ name, type }) => {
    const kind = kindOf(parseColumnType(type));
    const quoted = quoteLanceIdent(name);
    return { name, kind, expression: kind === 'nulls' ? `${quoted} is null` : quoted };
  });
}
