import { useCallback, useState } from 'react';
import type { DiffSummary, Side } from '#shared/api/edits.ts';
import { goTo } from '../../state/addresses.ts';
import { useCommands } from '../../state/commands.ts';
import { redoStep, undoStep } from '../../state/undo.ts';
import { formatOf } from '../../ui/format-quantity.ts';
import { announce } from '../../ui/index.ts';
import { bringPicked } from './bring-picked.ts';
import type { ChoiceStore } from './choice-store.ts';
import type { Change } from './model/change.ts';
import { type ConflictItem, countOpen, listConflicts, pickOf } from './model/choices.ts';
import { isSeen } from './model/seen.ts';
import { planWalk } from './model/walk.ts';
import { pathOfRow } from './path-of-row.ts';
import type { PickStore } from './pick-store.ts';
import type { Comparison } from './queries.ts';
import type { SeenStore } from './seen-store.ts';

export interface WalkInput {
  comparison: Comparison;
  summary: DiffSummary | null;
  changes: readonly Change[];
  choices: ChoiceStore;
  seen: SeenStore;
  picks: PickStore;
  /** Conflicts of columns as a whole, which stand above the changes. */
  columnConflicts: readonly ConflictItem[];
  /** All conflicts, also those that the filter hides. */
  conflicts: readonly ConflictItem[];
  names: { from: string; into: string };
  more: () => void;
  /** The changes are not in sight: their keys do nothing. */
  isOutOfSight?: boolean;
}

export interface Walk {
  /** Place of the current change among those shown; -1 for none. */
  at: number;
  takesFocus: boolean;
  conflictId: string | null;
  setCurrent: (change: Change) => void;
  setConflict: (item: ConflictItem) => void;
  /** Goes to the next conflict that is left to settle, among those shown. */
  nextOpen: () => void;
  /** Goes to a change by its id, as the keys do; false where it is not among those shown. */
  goToId: (id: string) => boolean;
}

/** The current change and conflict, and the keys that move between them and settle. */
export function useWalk({
  comparison,
  summary,
  changes,
  choices,
  seen,
  picks,
  columnConflicts,
  conflicts,
  names,
  more,
  isOutOfSight = false,
}: WalkInput): Walk {
  const [currentId, setCurrentId] = useState<string | null>(null);
  const [conflictId, setConflictId] = useState<string | null>(null);
  const [takesFocus, setTakesFocus] = useState(false);
  const at = currentId === null ? -1 : changes.findIndex(({ id }) => id === currentId);
  const current = changes[at];
  const shownItems = [...columnConflicts, ...listConflicts(changes)];

  const goToChange = (index: number): void => {
    const change = changes[index];
    if (!change) return;
    setCurrentId(change.id);
    setTakesFocus(true);
    setConflictId(listConflicts([change])[0]?.id ?? null);
    if (index >= changes.length - 3) more();
  };
  const step = (by: 1 | -1) => goToChange(at < 0 ? 0 : planWalk(changes, at, { by }));

  const goToConflict = (item: ConflictItem | undefined): void => {
    if (!item) return;
    setCurrentId(item.changeId);
    setConflictId(item.id);
    setTakesFocus(true);
  };
  const stepConflict = (by: 1 | -1): void => {
    const place = shownItems.findIndex(({ id }) => id === conflictId);
    const next =
      place < 0
        ? by === 1
          ? 0
          : shownItems.length - 1
        : (place + by + shownItems.length) % shownItems.length;
    goToConflict(shownItems[next]);
  };

  const settle = (side: Side): void => {
    const item = shownItems.find(({ id }) => id === conflictId) ?? (current && listConflicts([current])[0]);
    if (!item) return;
    choices.choose([item], { take: side });
    const { book } = choices.getState();
    const left = countOpen(book, conflicts, conflicts.length);
    announce(
      `Took ${side === 'base' ? 'the value as it was' : names[side]} for ${item.column ?? 'the row'} of ${String(item.key)}. ${left === 0 ? 'Nothing is left to settle.' : `${formatOf(left, 'conflict')} left.`}`,
    );
    const place = shownItems.indexOf(item);
    const following = [...shownItems.slice(place + 1), ...shownItems.slice(0, place)];
    const next = following.find((one) => pickOf(book, one) === null);
    if (next) goToConflict(next);
  };

  const toggleSeen = (): void => {
    if (!current) return;
    const isSeenNow = !isSeen(seen.getState().marks, current);
    seen.mark([current], isSeenNow);
    announce(isSeenNow ? `${current.keyText} is seen` : `${current.keyText} is not seen`);
    if (!isSeenNow) return;
    const { marks } = seen.getState();
    const next = changes.findIndex((change, index) => index > at && !isSeen(marks, change));
    if (next >= 0) goToChange(next);
  };
  const nextOpen = (): void => {
    const { book } = choices.getState();
    const place = shownItems.findIndex(({ id }) => id === conflictId);
    const following = [...shownItems.slice(place + 1), ...shownItems.slice(0, place + 1)];
    goToConflict(following.find((item) => pickOf(book, item) === null));
  };

  const whyHidden = isOutOfSight ? 'The changes are not in sight' : null;
  const whyNoChange = whyHidden ?? (changes.length === 0 ? 'There is no change' : null);
  const whyNoConflict = whyHidden ?? (shownItems.length === 0 ? 'There is no conflict' : null);
  const whyNotSettled = whyNoConflict ?? (conflictId === null ? 'Go to a conflict first' : null);
  const group = 'Changes';
  useCommands([
    {
      id: 'compare.next',
      title: 'Next change',
      group,
      keys: ['j', 'ArrowDown'],
      whyNot: () => whyNoChange,
      run: () => step(1),
    },
    {
      id: 'compare.previous',
      title: 'Previous change',
      group,
      keys: ['k', 'ArrowUp'],
      whyNot: () => whyNoChange,
      run: () => step(-1),
    },
    {
      id: 'compare.nextConflict',
      title: 'Next conflict',
      group,
      keys: ['n'],
      whyNot: () => whyNoConflict,
      run: () => stepConflict(1),
    },
    {
      id: 'compare.previousConflict',
      title: 'Previous conflict',
      group,
      keys: ['p'],
      whyNot: () => whyNoConflict,
      run: () => stepConflict(-1),
    },
    {
      id: 'compare.takeFrom',
      title: `Take ${names.from}`,
      group,
      keys: ['1'],
      whyNot: () => whyNotSettled,
      run: () => settle('from'),
    },
    {
      id: 'compare.takeInto',
      title: `Take ${names.into}`,
      group,
      keys: ['2'],
      whyNot: () => whyNotSettled,
      run: () => settle('into'),
    },
    {
      id: 'compare.takeBase',
      title: 'Take the value as it was',
      group,
      keys: ['3'],
      whyNot: () => whyNotSettled,
      run: () => settle('base'),
    },
    {
      id: 'compare.seen',
      title: 'Mark the change as seen and go on',
      group,
      keys: ['v'],
      whyNot: () => whyHidden ?? (current ? null : 'Go to a change first'),
      run: toggleSeen,
    },
    {
      id: 'compare.pick',
      title: 'Pick the change, to bring it to another branch',
      group,
      keys: ['x'],
      whyNot: () => whyHidden ?? (current ? null : 'Go to a change first'),
      run: () => {
        if (!current) return;
        const isPicked = !picks.getState().picks.has(current.id);
        picks.toggle([current], isPicked);
        announce(`${current.keyText} is ${isPicked ? '' : 'not '}picked`);
      },
    },
    {
      id: 'compare.bring',
      title: 'Bring the picked changes to another branch',
      group,
      whyNot: () => whyHidden ?? (picks.getState().picks.size > 0 ? null : 'Pick changes with x first'),
      run: () => bringPicked(comparison, picks),
    },
    {
      id: 'compare.openRow',
      title: 'Open the row',
      group,
      keys: ['Enter'],
      whyNot: () => whyHidden ?? (current ? null : 'Go to a change first'),
      run: () => current && summary && goTo(pathOfRow({ comparison, summary }, current)),
    },
    {
      id: 'compare.undo',
      title: 'Undo the last choice',
      group,
      keys: ['Mod+Z'],
      run: () => (!isOutOfSight && choices.undo() ? announce('Took the last choice back') : undoStep()),
    },
    {
      id: 'compare.redo',
      title: 'Do the choice again',
      group,
      keys: ['Mod+Shift+Z'],
      run: () => (!isOutOfSight && choices.redo() ? announce('Made the choice again') : redoStep()),
    },
  ]);

  const setCurrent = useCallback((change: Change) => {
    setCurrentId(change.id);
    setTakesFocus(false);
    setConflictId((id) =>
      listConflicts([change]).some((item) => item.id === id) ? id : (listConflicts([change])[0]?.id ?? null),
    );
  }, []);
  const setConflict = useCallback((item: ConflictItem) => {
    setCurrentId(item.changeId);
    setConflictId(item.id);
    setTakesFocus(false);
  }, []);
  const goToId = (id: string): boolean => {
    const index = changes.findIndex((change) => change.id === id);
    goToChange(index);
    return index >= 0;
  };
  return { at, takesFocus, conflictId, setCurrent, setConflict, nextOpen, goToId };
}
