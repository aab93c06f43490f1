import { diffWordsWithSpace } from 'diff';
import type { CellStep, RowEvent, RowHistory } from '#shared/api/history.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { formatCount, formatOf } from '../../ui/format-quantity.ts';

export interface TextPart {
  state: 'same' | 'added' | 'removed';
  text: string;
}

const maxDiffed = 8_000;
const maxEdits = 600;
const leastShared = 0.35;

/** Two texts by word, where enough of them is the same for that to be read; else `null`. */
export function diffWords(before: unknown, after: unknown): TextPart[] | null {
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  const isShort = Math.max(before.length, after.length) < 24;
  if (isShort || before.length + after.length > maxDiffed) return null;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: maxEdits })?.map(
    ({ value, added, removed }): TextPart => ({
      state: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    }),
  );
  const shared =
    parts?.reduce((sum, { state, text }) => (state === 'same' ? sum + text.length : sum), 0) ?? 0;
  return parts && shared >= leastShared * Math.min(before.length, after.length) ? parts : null;
}

/** A value of JSON in a line or a few. */
export function showValue({ type, isCut }: Pick<CellStep, 'type' | 'isCut'>, value: unknown): string {
  if (typeof value === 'string') return isCut ? `${value}…` : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && /^fixed_size_list<(float|half|u?int)/.test(type))
    return showVector(type, value);
  return JSON.stringify(value) ?? '';
}

function showVector(type: string, value: readonly unknown[]): string {
  const size = /\[(\d+)\]$/.exec(type)?.[1] ?? String(value.length);
  const first = value.slice(0, 4).map((one) => (typeof one === 'number' ? Number(one.toPrecision(3)) : one));
  return `[${first.join(', ')}${Number(size) > first.length ? ', …' : ''}] · ${formatOf(Number(size), 'number')}`;
}

const did: Record<string, string> = {
  create: 'Table created',
  import: 'Imported',
  edit: 'Edited',
  undo: 'Undone',
  merge: 'Merged',
  rebase: 'Brought up to date',
  revert: 'Reverted',
  'cherry-pick': 'Picked',
  restore: 'Restored',
  schema: 'Columns changed',
};

/** What the version was, in a line: its message, else what can be told of it. */
export function describeEvent({ kind, message, mergedFrom, author }: RowEvent): string {
  if (message) return message;
  const words = did[kind] ?? 'Changed';
  if (mergedFrom) return `${words} ${kind === 'rebase' ? 'with ' : ''}${mergedFrom.branch}`;
  return author === null && kind === 'edit' ? 'Changed by another program' : words;
}

/** Whether a merge shows the very change of a cell that an event on its branch made. */
export function isShownBy(merge: RowEvent, event: RowEvent, cell: CellStep): boolean {
  if (event.change !== 'modified') return false;
  const same = merge.cells.find(({ column }) => column === cell.column);
  const print = ({ before, after, isCut }: CellStep) => JSON.stringify([before, after, isCut]);
  return same !== undefined && print(same) === print(cell);
}

/** How far the answer speaks, in a sentence. */
export function describeScope({
  end,
  lookedBackTo,
  events,
}: Pick<RowHistory, 'end' | 'lookedBackTo' | 'events'>): string {
  const count = `${formatCount(events.length)} ${events.length === 1 ? 'change' : 'changes'}`;
  switch (end) {
    case 'begin':
      return `${count} · all of its history`;
    case 'cleaned-up':
      return `${count} · versions before ${formatRef(lookedBackTo)} were cleaned up`;
    case 'more':
      return `${count} · looked back to ${formatRef(lookedBackTo)}`;
  }
}

/** Whether the old value is one that the cell can be set back to. */
export const canSetBack = (
  { change }: Pick<RowEvent, 'change'>,
  { hadColumn }: Pick<CellStep, 'hadColumn'>,
): boolean => change === 'modified' && hadColumn;
