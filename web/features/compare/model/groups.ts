import type { DiffSummary } from '#shared/api/edits.ts';
import { diffNumbers } from '#shared/domain/number-delta.ts';
import { formatValue } from '../../grid/index.ts';
import { type Change, sidesOf } from './change.ts';
import { diffLists } from './list-diff.ts';
import type { DiffColumn } from './value-diff.ts';
import { valueToken } from './value-token.ts';

/** Rows in which one column changed alike. */
export interface ChangeGroup {
  id: string;
  column: string;
  /** Of lists: the items that went. */
  before: unknown;
  /** Of lists: the items that came. */
  after: unknown;
  /** Where many numbers changed by the same amount, that amount; then `before` and `after` are those of the first row. */
  delta: string | null;
  changeIds: string[];
}

export interface GroupOptions {
  mode: DiffSummary['mode'];
  columns: readonly DiffColumn[];
  maxGroups?: number;
}

const maxTokenLength = 400;
const grouped: ReadonlySet<string> = new Set(['text', 'url', 'number', 'bool', 'time', 'list']);

/** The equal changes among the given ones, largest group first; single changes are no group. */
export function groupChanges(
  changes: readonly Change[],
  { mode, columns, maxGroups = 12 }: GroupOptions,
): ChangeGroup[] {
  const comparable = new Map(
    columns.filter(({ kind }) => grouped.has(kind)).map((column) => [column.name, column]),
  );
  const byValue = new Map<string, ChangeGroup>();
  for (const change of changes) {
    if (change.kind !== 'modified') continue;
    const sides = sidesOf(change, mode);
    for (const name of change.columns) {
      const column = comparable.get(name);
      if (!column) continue;
      const [before, after] = changeOf(column, sides.before?.[name] ?? null, sides.after?.[name] ?? null);
      const id = valueToken([name, before, after]);
      if (id.length > maxTokenLength) continue;
      const group = byValue.get(id);
      if (group) group.changeIds.push(change.id);
      else byValue.set(id, { id, column: name, before, after, delta: null, changeIds: [change.id] });
    }
  }
  return joinByDelta([...byValue.values()], comparable)
    .filter(({ changeIds }) => changeIds.length > 1)
    .sort((a, b) => b.changeIds.length - a.changeIds.length || (a.id < b.id ? -1 : 1))
    .slice(0, maxGroups);
}

/** What is compared to find equal changes: old and new, of lists only the items that went and came. */
function changeOf({ kind }: DiffColumn, before: unknown, after: unknown): [unknown, unknown] {
  if (kind !== 'list' || before === null || after === null) return [before, after];
  const { items } = diffLists(
    Array.from(before as ArrayLike<unknown>),
    Array.from(after as ArrayLike<unknown>),
  );
  const those = (state: 'added' | 'removed') =>
    items.filter((item) => item.state === state).map(({ value }) => value);
  return [those('removed'), those('added')];
}

/** Numbers that changed by the same amount from several values are one group. */
function joinByDelta(
  groups: readonly ChangeGroup[],
  columns: ReadonlyMap<string, DiffColumn>,
): ChangeGroup[] {
  const joined = new Map<string, ChangeGroup[]>();
  for (const group of groups) {
    const column = columns.get(group.column);
    const delta = column?.kind === 'number' ? deltaOf(column, group) : null;
    const key = delta === null ? group.id : valueToken([group.column, 'delta', delta]);
    joined.set(key, [...(joined.get(key) ?? []), group]);
  }
  return [...joined].map(([id, [first, ...others]]) => {
    if (others.length === 0) return first!;
    const delta = deltaOf(columns.get(first!.column)!, first!);
    return { ...first!, id, delta, changeIds: [first!, ...others].flatMap(({ changeIds }) => changeIds) };
  });
}

const deltaOf = ({ parsed }: DiffColumn, { before, after }: ChangeGroup): string | null =>
  before === null || after === null
    ? null
    : diffNumbers(formatValue(before, parsed), formatValue(after, parsed)).delta;
