import type { DiffSummary } from '#shared/api/edits.ts';
import { type Change, sidesOf } from './change.ts';
import { diffLists } from './list-diff.ts';
import type { DiffColumn } from './value-diff.ts';
import { valueToken } from './value-token.ts';

/** Rows in which one column changed from the same value to the same value; of lists, by the same items that went and came. */
export interface ChangeGroup {
  id: string;
  column: string;
  before: unknown;
  after: unknown;
  changeIds: string[];
}

const maxTokenLength = 400;
const grouped: ReadonlySet<string> = new Set(['text', 'url', 'number', 'bool', 'time', 'list']);

export interface GroupOptions {
  mode: DiffSummary['mode'];
  columns: readonly DiffColumn[];
  maxGroups?: number;
}

/** The equal changes among the given ones, largest group first; single changes are no group. */
export function groupChanges(
  changes: readonly Change[],
  { mode, columns, maxGroups = 12 }: GroupOptions,
): ChangeGroup[] {
  const comparable = new Map(
    columns.filter(({ kind }) => grouped.has(kind)).map((column) => [column.name, column]),
  );
  const groups = new Map<string, ChangeGroup>();
  for (const change of changes) {
    if (change.kind !== 'modified') continue;
    const sides = sidesOf(change, mode);
    for (const column of change.columns) {
      if (!comparable.has(column)) continue;
      const [before, after] = changeOf(
        comparable.get(column)!,
        sides.before?.[column] ?? null,
        sides.after?.[column] ?? null,
      );
      const token = valueToken([column, before, after]);
      if (token.length > maxTokenLength) continue;
      const group = groups.get(token);
      if (group) group.changeIds.push(change.id);
      else groups.set(token, { id: token, column, before, after, changeIds: [change.id] });
    }
  }
  return [...groups.values()]
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
