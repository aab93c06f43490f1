import type { ColumnType } from '#shared/domain/column-type.ts';
import { diffNumbers, type NumberDiff } from '#shared/domain/number-delta.ts';
import { formatValue, type GridColumn, toJson } from '../../grid/index.ts';
import { diffLists, type ListDiff } from './list-diff.ts';
import { diffFields, type FieldChange } from './struct-diff.ts';
import { diffText, type TextDiff } from './text-diff.ts';
import { describeShift } from './time-diff.ts';
import { diffVectors, type VectorDiff } from './vector-diff.ts';

export type DiffColumn = Pick<GridColumn, 'name' | 'kind' | 'type' | 'parsed'>;

/** What a cell change looks like; `filled` and `emptied` are changes from and to null. */
export type ValueDiff =
  | { kind: 'filled'; after: unknown }
  | { kind: 'emptied'; before: unknown }
  | { kind: 'text'; before: string; after: string; diff: TextDiff }
  | { kind: 'number'; before: unknown; after: unknown; diff: NumberDiff }
  | { kind: 'time'; before: unknown; after: unknown; shift: string | null }
  | { kind: 'list'; diff: ListDiff; item: ColumnType }
  | { kind: 'fields'; fields: FieldChange[] }
  | { kind: 'vector'; before: ArrayLike<number>; after: ArrayLike<number>; diff: VectorDiff }
  | { kind: 'media'; before: unknown; after: unknown }
  | { kind: 'plain'; before: unknown; after: unknown };

const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

const isIndexed = (value: unknown): value is ArrayLike<number> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

const itemOf = (type: ColumnType): ColumnType => ('item' in type ? type.item : { kind: 'utf8' });

/** Chooses the differ for a column and runs it. Old and new are known to differ. */
export function planValueDiff(column: DiffColumn, before: unknown, after: unknown): ValueDiff {
  if (isMissing(before)) return { kind: 'filled', after };
  if (isMissing(after)) return { kind: 'emptied', before };
  const { kind, type, parsed } = column;
  switch (kind) {
    case 'text':
    case 'url': {
      const old = formatValue(before, parsed);
      const next = formatValue(after, parsed);
      return { kind: 'text', before: old, after: next, diff: diffText(old, next) };
    }
    case 'number':
      return {
        kind,
        before,
        after,
        diff: diffNumbers(formatValue(before, parsed), formatValue(after, parsed)),
      };
    case 'time':
      return { kind, before, after, shift: describeShift(before, after, type) };
    case 'list':
      if (/struct|map/.test(itemOf(parsed).kind))
        return { kind: 'fields', fields: diffFields(toJson(before, parsed), toJson(after, parsed)) };
      return { kind, item: itemOf(parsed), diff: diffLists(toList(before), toList(after)) };
    case 'struct':
      return { kind: 'fields', fields: diffFields(toJson(before, parsed), toJson(after, parsed)) };
    case 'json':
      return {
        kind: 'fields',
        fields: diffFields(toJson(before, { kind: 'json' }), toJson(after, { kind: 'json' })),
      };
    case 'vector':
      if (isIndexed(before) && isIndexed(after))
        return { kind, before, after, diff: diffVectors(before, after) };
      return { kind: 'plain', before, after };
    case 'media':
      return { kind, before, after };
    case 'bool':
    case 'binary':
      return { kind: 'plain', before, after };
  }
}

const toList = (value: unknown): unknown[] =>
  isIndexed(value) ? Array.from(value as ArrayLike<unknown>) : [value];
