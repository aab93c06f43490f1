import type { Change } from './change.ts';
import { valueToken } from './value-token.ts';

/** The changes that a person has looked at: a mark per change, which only counts while the change says the same. */
export type SeenMarks = Readonly<Record<string, string>>;

const maxMarks = 20_000;

/** A short text that tells one change of a row from another: FNV-1a over the changed values, twice with different seeds. */
export function markOf(change: Change): string {
  const { kind, columns, from, base, conflicts } = change;
  const cells =
    kind === 'modified' ? columns.map((name) => [name, base?.[name] ?? null, from?.[name] ?? null]) : [];
  const token = valueToken([kind, cells, conflicts]);
  return fnv(token, 0x811c9dc5) + fnv(token, 0x01000193);
}

function fnv(text: string, seed: number): string {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash.toString(36);
}

export const isSeen = (marks: SeenMarks, change: Change): boolean =>
  marks[change.id] !== undefined && marks[change.id] === markOf(change);

export function planSeen(marks: SeenMarks, changes: readonly Change[], isSeenNow: boolean): SeenMarks {
  if (isSeenNow) {
    const added = Object.entries({
      ...marks,
      ...Object.fromEntries(changes.map((change) => [change.id, markOf(change)])),
    });
    return Object.fromEntries(added.slice(-maxMarks));
  }
  const gone = new Set(changes.map(({ id }) => id));
  return Object.fromEntries(Object.entries(marks).filter(([id]) => !gone.has(id)));
}
