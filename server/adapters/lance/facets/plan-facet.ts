import { type ColumnType, numberKindOf, parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';

/** How the cells of a column are read: texts may turn out to be counted by value or by length. */
export type FacetSource = 'number' | 'whole' | 'timestamp' | 'date' | 'text' | 'bool' | 'element';

export interface PlannedFacet {
  column: string;
  source: FacetSource;
  isFloat32: boolean;
}

const isText = (type: ColumnType): boolean =>
  type.kind === 'utf8' || type.kind === 'large_utf8' || (type.kind === 'dictionary' && isText(type.value));

/** How a column is binned, or why it is not. */
export function planFacet({ name, type: text }: Pick<ColumnInfo, 'name' | 'type'>): PlannedFacet | string {
  const type = parseColumnType(text);
  const source = sourceOf(type);
  if (typeof source === 'object') return source.why;
  return { column: name, source, isFloat32: type.kind === 'float32' || type.kind === 'float16' };
}

function sourceOf(type: ColumnType): FacetSource | { why: string } {
  if (isText(type)) return 'text';
  const numbers = numberKindOf(type);
  if (numbers) return numbers === 'whole' ? 'whole' : 'number';
  switch (type.kind) {
    case 'timestamp':
      return 'timestamp';
    case 'date32':
    case 'date64':
      return 'date';
    case 'bool':
      return 'bool';
    case 'list':
    case 'large_list':
      return isText(type.item) ? 'element' : { why: 'Only lists of texts have bins of their elements.' };
    case 'fixed_size_list':
      return { why: 'Vectors have no bins to choose rows by.' };
    case 'blob':
    case 'binary':
    case 'large_binary':
    case 'fixed_size_binary':
      return { why: 'Media and bytes have no bins to choose rows by.' };
    default:
      return { why: 'Values of this type have no bins to choose rows by.' };
  }
}
