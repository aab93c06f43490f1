import type { ColumnType } from '../column-type.ts';
import type { ColumnRole } from '../columns.ts';
import type { AnnotationFact } from './layout.ts';

export interface AnnotatedColumn {
  name: string;
  type: ColumnType;
  role: ColumnRole;
  /** What the column's metadata says; it stands above every guess. */
  annotations?: AnnotationFact;
}

/** A field of a record; `type` is absent where JSON says it. */
export interface FieldType {
  name: string;
  type?: ColumnType;
}

export const anySize = { width: 1, height: 1 };
export const mostSampled = 200;

export const isWholeType = (type: ColumnType | undefined): boolean => /^u?int/.test(type?.kind ?? '');
export const isNumeric = (type: ColumnType | undefined): boolean =>
  /^(u?int|float|decimal)/.test(type?.kind ?? '');
export const itemOf = (type: ColumnType | undefined): ColumnType | undefined =>
  type && 'item' in type ? type.item : undefined;
export const isListOfNumbers = (type: ColumnType | undefined): boolean => isNumeric(itemOf(type));

/** The numbers inside a type, however deep. */
export const leafOf = (type: ColumnType | undefined): ColumnType | undefined => {
  let at = type;
  while (itemOf(at)) at = itemOf(at);
  return at;
};
