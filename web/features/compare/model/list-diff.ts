import { diffArrays } from 'diff';
import { valueToken } from './value-token.ts';

export interface ListItem {
  state: 'same' | 'added' | 'removed';
  value: unknown;
  /** Place in the old list; `null` for what was added. */
  before: number | null;
  /** Place in the new list; `null` for what was removed. */
  after: number | null;
}

export interface ListDiff {
  items: ListItem[];
  added: number;
  removed: number;
  /** The same elements in another order. */
  isReordered: boolean;
}

const maxEdits = 2_000;

/** Compares two lists by element. Leaving out `added` gives the old list, leaving out `removed` the new one. */
export function diffLists(before: readonly unknown[], after: readonly unknown[]): ListDiff {
  const oldTokens = before.map(valueToken);
  const newTokens = after.map(valueToken);
  const changes = diffArrays(oldTokens, newTokens, { maxEditLength: maxEdits }) ?? [
    { removed: true, added: false, count: before.length },
    { removed: false, added: true, count: after.length },
  ];
  const items: ListItem[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const { added, removed, count } of changes) {
    for (let step = 0; step < count; step += 1) {
      if (removed) items.push({ state: 'removed', value: before[oldAt], before: oldAt++, after: null });
      else if (added) items.push({ state: 'added', value: after[newAt], before: null, after: newAt++ });
      else items.push({ state: 'same', value: after[newAt], before: oldAt++, after: newAt++ });
    }
  }
  const added = items.filter(({ state }) => state === 'added').length;
  const removed = items.filter(({ state }) => state === 'removed').length;
  const isReordered =
    added > 0 && added === removed && [...oldTokens].sort().join('\n') === [...newTokens].sort().join('\n');
  return { items, added, removed, isReordered };
}
