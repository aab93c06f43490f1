import type { Conflict, MergeChoice, Side } from '#shared/api/edits.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import type { Change, Row } from './change.ts';
import { valueToken } from './value-token.ts';

/** One thing to settle: a cell, or a row as a whole (`column` is null). */
export interface ConflictItem {
  id: string;
  changeId: string;
  key: RowKey;
  column: string | null;
  kind: Conflict['kind'];
  base: unknown;
  from: unknown;
  into: unknown;
  /** Of the three values; a choice made for other values does not apply. */
  token: string;
}

export type Pick = { take: Side } | { value: unknown };

export interface Choice {
  key: RowKey;
  column: string | null;
  pick: Pick;
  token: string;
}

/** Choices by conflict id. `rest` settles whatever has no choice of its own. */
export interface ChoiceBook {
  entries: Record<string, Choice>;
  rest: 'from' | 'into' | null;
  /** The heads for which `rest` was chosen, as text: conflicts that came later are not settled by it. */
  restHeads?: string;
}

export const emptyBook: ChoiceBook = { entries: {}, rest: null };

const cellOf = (row: Row | null, column: string): unknown => row?.[column] ?? null;

export const conflictId = (changeId: string, column: string | null): string =>
  column === null ? changeId : `${changeId}/${column}`;

/** What has to be settled in the given changes. */
export function listConflicts(changes: readonly Change[]): ConflictItem[] {
  return changes.flatMap((change) => {
    const { conflictKind: kind, id: changeId, key } = change;
    if (kind === null) return [];
    const columns: (string | null)[] = kind === 'cell' || kind === 'added-added' ? change.conflicts : [null];
    return columns.map((column): ConflictItem => {
      const [base, from, into] = [change.base, change.from, change.into].map((row) =>
        column === null ? row : cellOf(row, column),
      );
      return {
        id: conflictId(changeId, column),
        changeId,
        key,
        column,
        kind,
        base,
        from,
        into,
        token: valueToken([base, from, into]),
      };
    });
  });
}

/** The columns as a whole that are in conflict: their key is null, their values are `name type`, null where dropped. */
export const listColumnConflicts = (conflicts: readonly Conflict[]): ConflictItem[] =>
  conflicts
    .filter(({ key, column }) => key === null && column !== null)
    .map(({ column, kind, base, from, into }) => {
      const id = `column/${column}`;
      return {
        id,
        changeId: id,
        key: null,
        column,
        kind,
        base,
        from,
        into,
        token: valueToken([base, from, into]),
      };
    });

/** Settles the items by one pick. */
export function planChoose(book: ChoiceBook, items: readonly ConflictItem[], pick: Pick): ChoiceBook {
  const made = items.map(({ id, key, column, token }): [string, Choice] => [
    id,
    { key, column, pick, token },
  ]);
  return { ...book, entries: { ...book.entries, ...Object.fromEntries(made) } };
}

/** Takes the choices of the items back. */
export function planForget(book: ChoiceBook, items: readonly ConflictItem[]): ChoiceBook {
  const gone = new Set(items.map(({ id }) => id));
  return {
    ...book,
    entries: Object.fromEntries(Object.entries(book.entries).filter(([id]) => !gone.has(id))),
  };
}

/** Drops choices whose conflict is gone or has other values by now. Choices for conflicts that were not loaded stay when `isComplete` is false. */
export function pruneChoices(
  book: ChoiceBook,
  items: readonly ConflictItem[],
  isComplete: boolean,
): { book: ChoiceBook; dropped: Choice[] } {
  const tokens = new Map(items.map(({ id, token }) => [id, token]));
  const isKept = (id: string, { token }: Choice): boolean =>
    tokens.has(id) ? tokens.get(id) === token : !isComplete;
  const entries = Object.entries(book.entries);
  const kept = entries.filter(([id, choice]) => isKept(id, choice));
  if (kept.length === entries.length) return { book, dropped: [] };
  return {
    book: { ...book, entries: Object.fromEntries(kept) },
    dropped: entries.filter(([id, choice]) => !isKept(id, choice)).map(([, choice]) => choice),
  };
}

/** The heads of a comparison as text. */
export const headsOf = ({ from, into }: { from: PinnedRef; into: PinnedRef }): string =>
  `${formatRef(from)}...${formatRef(into)}`;

/** Whether the choice for the rest was made when other conflicts were there than now. */
export const isRestStale = (
  { rest, restHeads, entries }: ChoiceBook,
  items: readonly ConflictItem[],
  heads: string,
): boolean => rest !== null && restHeads !== heads && items.some(({ id }) => !entries[id]);

/** Conflicts in which base and both sides are the same, of two and more, largest first. */
export function equalConflicts(items: readonly ConflictItem[]): ConflictItem[][] {
  const groups = new Map<string, ConflictItem[]>();
  for (const item of items) {
    if (item.column === null) continue;
    const key = `${item.column}\0${item.token}`;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()].filter(({ length }) => length > 1).sort((a, b) => b.length - a.length);
}

/** The pick that settles an item, its own or the one for the rest. */
export function pickOf(book: ChoiceBook, item: ConflictItem): Pick | null {
  const own = book.entries[item.id];
  if (own) return own.pick;
  return book.rest === null ? null : { take: book.rest };
}

/** How many of the conflicts are left to settle. `total` counts also those that were not loaded. */
export function countOpen(book: ChoiceBook, items: readonly ConflictItem[], total: number): number {
  if (book.rest !== null) return 0;
  const settled = items.filter((item) => book.entries[item.id]).length;
  return Math.max(total, items.length) - settled;
}

/** The choices as the merge takes them. */
export function toMergeInput(book: ChoiceBook): { choices: MergeChoice[]; take?: 'from' | 'into' } {
  const choices = Object.values(book.entries).map(
    ({ key, column, pick }): MergeChoice => ({
      key,
      ...(column === null ? {} : { column }),
      ...('take' in pick ? { take: pick.take } : { value: pick.value }),
    }),
  );
  return { choices, ...(book.rest === null ? {} : { take: book.rest }) };
}
