import type { ColumnInfo } from '#shared/domain/columns.ts';
import { type DifferKind, kindOfColumn } from './column-kind.ts';
import { diffLists, type ListDiff } from './list-diff.ts';
import { diffNumbers, type NumberDiff } from './number-diff.ts';
import { diffFields, type FieldChange } from './struct-diff.ts';
import { diffText, type TextDiff } from './text-diff.ts';
import { describeShift } from './time-diff.ts';
import { diffVectors, type VectorDiff } from './vector-diff.ts';

/** What a cell change looks like; `filled` and `emptied` are changes from and to null. */
export type ValueDiff =
  | { kind: 'filled'; of: DifferKind; after: unknown }
  | { kind: 'emptied'; of: DifferKind; before: unknown }
  | { kind: 'text'; before: string; after: string; diff: TextDiff }
  | { kind: 'number'; before: unknown; after: unknown; diff: NumberDiff }
  | { kind: 'boolean'; before: unknown; after: unknown }
  | { kind: 'time'; before: unknown; after: unknown; shift: string | null }
  | { kind: 'list'; before: unknown[]; after: unknown[]; diff: ListDiff }
  | { kind: 'struct'; before: unknown; after: unknown; fields: FieldChange[] }
  | { kind: 'vector'; before: ArrayLike<number>; after: ArrayLike<number>; diff: VectorDiff }
  | { kind: 'media'; before: unknown; after: unknown }
  | { kind: 'binary'; before: unknown; after: unknown };

const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

const isIndexed = (value: unknown): value is ArrayLike<number> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

const toList = (value: unknown): unknown[] => (isIndexed(value) ? Array.from(value) : [value]);

function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Chooses the differ for a column and runs it. Old and new are known to differ. */
export function planValueDiff(
  column: Pick<ColumnInfo, 'type' | 'role'>,
  before: unknown,
  after: unknown,
): ValueDiff {
  const kind = kindOfColumn(column);
  if (isMissing(before)) return { kind: 'filled', of: kind, after };
  if (isMissing(after)) return { kind: 'emptied', of: kind, before };
  switch (kind) {
    case 'text':
      return {
        kind,
        before: String(before),
        after: String(after),
        diff: diffText(String(before), String(after)),
      };
    case 'number':
      return { kind, before, after, diff: diffNumbers(before, after) };
    case 'time':
      return { kind, before, after, shift: describeShift(before, after, column.type) };
    case 'list': {
      const old = toList(before);
      const next = toList(after);
      return { kind, before: old, after: next, diff: diffLists(old, next) };
    }
    case 'struct':
      return { kind, before, after, fields: diffFields(parsedJson(before), parsedJson(after)) };
    case 'vector':
      if (isIndexed(before) && isIndexed(after))
        return { kind, before, after, diff: diffVectors(before, after) };
      return { kind: 'struct', before, after, fields: diffFields(before, after) };
    case 'boolean':
    case 'media':
    case 'binary':
      return { kind, before, after };
  }
}
