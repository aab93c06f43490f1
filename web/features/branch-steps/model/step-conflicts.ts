import type { Conflict, MergeChoice, Side } from '#shared/api/edits.ts';

export type StepPick = { take: Side } | { value: unknown };

/** A conflict of a step, told apart by its row and column. */
export interface StepConflict extends Conflict {
  id: string;
}

export interface StepBook {
  picks: Readonly<Record<string, StepPick>>;
  rest: 'from' | 'into' | null;
}

export const emptyStepBook: StepBook = { picks: {}, rest: null };

export const conflictIdOf = ({ key, column }: Pick<Conflict, 'key' | 'column'>): string =>
  JSON.stringify([key, column]);

/** All conflicts that any plan named so far, in the order in which they came. */
export function joinConflicts(
  known: readonly StepConflict[],
  found: readonly Conflict[],
): readonly StepConflict[] {
  const ids = new Set(known.map(({ id }) => id));
  const added = found.map((one) => ({ ...one, id: conflictIdOf(one) })).filter(({ id }) => !ids.has(id));
  return added.length === 0 ? known : [...known, ...added];
}

/** The picks as the step takes them; a conflict of a row as a whole has no column. */
export function choicesOf(
  conflicts: readonly StepConflict[],
  { picks, rest }: StepBook,
): { choices: MergeChoice[]; take?: 'from' | 'into' } {
  const choices = conflicts.flatMap(({ id, key, column }): MergeChoice[] => {
    const pick = picks[id];
    return pick ? [{ key: key as MergeChoice['key'], ...(column === null ? {} : { column }), ...pick }] : [];
  });
  return { choices, ...(rest ? { take: rest } : {}) };
}

export const openOf = (conflicts: readonly StepConflict[], { picks, rest }: StepBook): number =>
  rest === null ? conflicts.filter(({ id }) => !picks[id]).length : 0;

const shownChars = 240;

/** A side of a conflict as text; a row that a side removed is `null`. */
export function conflictText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value === '') return 'empty';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > shownChars ? `${text.slice(0, shownChars)}…` : text;
}
