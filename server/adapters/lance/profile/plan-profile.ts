import { type ColumnType, numberKindOf, parseColumnType } from '#shared/domain/column-type.ts';
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
  type.kind === 'utf8' || type.kind === 'large_utf8' || numberKindOf(type) === 'whole';

function kindOf(type: ColumnType): ProfileKind {
  const numbers = numberKindOf(type);
  if (numbers) return numbers === 'whole' ? 'whole' : 'number';
  switch (type.kind) {
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
