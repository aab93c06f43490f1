import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { announce } from '../../ui/index.ts';
import { describeRef, readRef } from '../branches/index.ts';
import { type ChoiceStore, createChoiceStore } from './choice-store.ts';
import type { Change } from './model/change.ts';
import { type ConflictItem, countOpen, listConflicts } from './model/choices.ts';
import { type CompareFilter, noFilter } from './model/compare-filter.ts';
import { type ChangeGroup, groupChanges } from './model/groups.ts';
import {
  type ChangesState,
  type Comparison,
  comparisonKey,
  useChanges,
  useColumnConflicts,
  useConflictChanges,
} from './queries.ts';
import { createSeenStore, type SeenStore } from './seen-store.ts';
import { type ChangeSlots, noSlots, type Scene, useBook } from './ui/scene.ts';
import { usePrunedChoices } from './ui/use-pruned-choices.ts';
import { useWalk, type Walk } from './use-walk.ts';

export interface ComparisonView {
  comparison: Comparison;
  state: ChangesState;
  filter: CompareFilter;
  setFilter: (filter: CompareFilter) => void;
  /** What is listed: passes the filter, and belongs to the group where one is open. */
  changes: readonly Change[];
  groups: readonly ChangeGroup[];
  group: ChangeGroup | null;
  setGroup: (id: string | null) => void;
  choices: ChoiceStore;
  seen: SeenStore;
  conflicts: readonly ConflictItem[];
  columnConflicts: readonly ConflictItem[];
  conflictTotal: number;
  /** Conflicts that are left to settle. */
  open: number;
  walk: Walk;
  /** Missing until the changes are there. */
  scene: Scene | null;
  hasMoved: boolean;
  /** A head moved: reads the changes anew. */
  onMoved: () => void;
}

export interface ComparisonInput {
  comparison: Comparison;
  filter: CompareFilter;
  onFilter: (filter: CompareFilter) => void;
  slots?: ChangeSlots;
}

/** All that is known of one comparison, with its choices, its filter and the place of the reader in it. */
export function useComparison({
  comparison,
  filter,
  onFilter,
  slots = noSlots,
}: ComparisonInput): ComparisonView {
  const client = useQueryClient();
  const [groupId, setGroup] = useState<string | null>(null);
  const [hasMoved, setMoved] = useState(false);
  const [choices] = useState(() => createChoiceStore(comparison, localStorage));
  const [seen] = useState(() => createSeenStore(comparison, localStorage));
  const book = useBook(choices);
  const state = useChanges(comparison, filter);
  const { summary, columns } = state;
  const conflictRows = useConflictChanges(comparison, state);
  const columnConflicts = useColumnConflicts(comparison, summary, conflictRows);
  const conflicts = useMemo(
    () => [...columnConflicts, ...listConflicts(conflictRows.changes)],
    [columnConflicts, conflictRows.changes],
  );
  const conflictTotal = conflictRows.isComplete ? conflicts.length : (summary?.conflicts.cells ?? 0);
  usePrunedChoices(choices, { conflicts, isComplete: conflictRows.isComplete, isKnown: summary !== null });
  const groups = useMemo(
    () => (summary ? groupChanges(state.loaded, { mode: summary.mode, columns }) : []),
    [summary, state.loaded, columns],
  );
  const group = groups.find(({ id }) => id === groupId) ?? null;
  const changes = useMemo(() => {
    if (!group) return state.changes;
    const ids = new Set(group.changeIds);
    return state.loaded.filter(({ id }) => ids.has(id));
  }, [state.changes, state.loaded, group]);
  const { from, into } = comparison;
  const names = useMemo(
    () => ({ from: describeRef(readRef(from)), into: describeRef(readRef(into)) }),
    [from, into],
  );
  const walk = useWalk({
    columnConflicts,
    comparison,
    summary,
    changes,
    choices,
    seen,
    conflicts,
    names,
    more: state.more,
  });
  const onMoved = useCallback(() => {
    setMoved(true);
    announce('A branch moved meanwhile; the changes are read anew.');
    void client.invalidateQueries({ queryKey: comparisonKey(comparison) });
    void client.invalidateQueries({ queryKey: ['session'] });
  }, [client, comparison]);
  const { conflictId, setConflict } = walk;
  const scene: Scene | null = useMemo(
    () =>
      summary && {
        comparison,
        summary,
        columns,
        choices,
        seen,
        names,
        currentConflict: conflictId,
        onConflict: setConflict,
        slots,
      },
    [comparison, summary, columns, choices, seen, names, conflictId, setConflict, slots],
  );
  return {
    comparison,
    state,
    filter,
    setFilter: (next) => {
      setGroup(null);
      onFilter(next);
    },
    changes,
    groups,
    group,
    setGroup,
    choices,
    seen,
    conflicts,
    columnConflicts,
    conflictTotal,
    open: countOpen(book, conflicts, conflictTotal),
    walk,
    scene,
    hasMoved,
    onMoved,
  };
}

/** The filter off, the group closed. */
export function showAllChanges({ setFilter }: ComparisonView): void {
  setFilter(noFilter);
}
