import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { RowKey } from '#shared/domain/selection.ts';
import { useTableSummary } from '../../api/index.ts';
import { formatCount, formatElapsed, formatOf } from '../../ui/format-quantity.ts';
import { announce } from '../../ui/index.ts';
import { describeRef, readRef } from '../branches/index.ts';
import { type ChoiceStore, createChoiceStore } from './choice-store.ts';
import { layoutsByColumn } from './model/annotation-change.ts';
import type { Change } from './model/change.ts';
import { type ConflictItem, countOpen, headsOf, listConflicts } from './model/choices.ts';
import { type CompareFilter, isFiltering, noFilter } from './model/compare-filter.ts';
import { whyNotMerged } from './model/merge-words.ts';
import { isSeen } from './model/seen.ts';
import { valueToken } from './model/value-token.ts';
import { createPickStore } from './pick-store.ts';
import {
  type ChangesState,
  type Comparison,
  comparisonKey,
  type OverviewState,
  useChanges,
  useColumnConflicts,
  useConflictChanges,
  useOverview,
} from './queries.ts';
import { createSeenStore } from './seen-store.ts';
import { type ChangeSlots, type Scene, useBook, useSeenMarks } from './ui/scene.ts';
import { usePrunedChoices } from './ui/use-pruned-choices.ts';
import { useCompareFilter } from './use-compare-filter.ts';
import { useWalk, type Walk } from './use-walk.ts';
import { useWithoutConflicts } from './use-without-conflicts.ts';

export interface ComparedOptions {
  /** What another page adds to every card. */
  slots?: ChangeSlots;
  /** The changes are not in sight, so the keys that walk them do nothing. */
  isOutOfSight?: boolean;
  /** It was merged, or will not be: nothing is left to settle. */
  isOver?: boolean;
}

/** Everything that is known of one comparison, and what a person has chosen in it. */
export interface Compared {
  comparison: Comparison;
  state: ChangesState;
  scene: Scene | null;
  choices: ChoiceStore;
  /** What is shown: what passes the filter. */
  changes: readonly Change[];
  filter: CompareFilter;
  setFilter: (filter: CompareFilter) => void;
  showAll: () => void;
  /** How columns moved and which changes are equal. */
  overview: OverviewState;
  conflicts: readonly ConflictItem[];
  columnConflicts: readonly ConflictItem[];
  conflictTotal: number;
  /** Conflicts that are left to settle. */
  open: number;
  /** Why it cannot be merged as it is; `null` when it can. */
  whyNot: string | null;
  walk: Walk;
  /** Brings the change of a row into sight; alone, where it is not among those shown. */
  goToKey: (key: RowKey) => void;
  /** A head moved since the changes were read; they are read anew. */
  hasMoved: boolean;
  onMoved: () => void;
  /** For the line of truth at the foot of the page. */
  truth: (string | false)[];
}

const noChanges: readonly Change[] = [];

/** One comparison with its filter, choices and keys: for the compare page, and for pages that show a comparison among other things. */
export function useCompared(
  comparison: Comparison,
  { slots, isOutOfSight, isOver = false }: ComparedOptions = {},
): Compared {
  const { table, from, into } = comparison;
  const client = useQueryClient();
  const branches = useTableSummary(table)?.branches;
  const [filter, setFilter] = useCompareFilter();
  const [hasMoved, setMoved] = useState(false);
  const [choices] = useState(() => createChoiceStore(comparison, localStorage));
  const [seen] = useState(() => createSeenStore(comparison, localStorage));
  const [picks] = useState(createPickStore);
  const marks = useSeenMarks(seen);
  const book = useBook(choices);
  const state = useWithoutConflicts(useChanges(comparison, filter), isOver);
  const { summary, columns } = state;
  const conflictRows = useConflictChanges(comparison, state);
  const columnConflicts = useColumnConflicts(comparison, summary, conflictRows);
  const conflicts = useMemo(
    () => [...columnConflicts, ...listConflicts(conflictRows.changes)],
    [columnConflicts, conflictRows.changes],
  );
  const conflictTotal = conflictRows.isComplete ? conflicts.length : (summary?.conflicts.cells ?? 0);
  usePrunedChoices(choices, {
    conflicts,
    isComplete: conflictRows.isComplete,
    isKnown: summary !== null,
    heads: summary ? headsOf(summary) : '',
  });
  const overview = useOverview(comparison, state);
  const { changes } = state;
  const showAlone = useCallback((key: RowKey) => setFilter({ ...noFilter, key }), [setFilter]);
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
    picks,
    conflicts,
    names,
    more: state.more,
    isOutOfSight: isOutOfSight ?? false,
  });
  const goToKey = useGoToKey({ changes, goToId: walk.goToId, onAlone: showAlone });
  const seenCount = changes.filter((change) => isSeen(marks, change)).length;
  const open = countOpen(book, conflicts, conflictTotal);
  const first = state.loaded.length > 0 ? state.loaded : noChanges;
  const layouts = useMemo(() => layoutsByColumn(columns, first), [columns, first]);
  const { conflictId, setConflict } = walk;
  const scene: Scene | null = useMemo(
    () =>
      summary && {
        comparison,
        summary,
        columns,
        choices,
        seen,
        picks,
        layouts,
        names,
        currentConflict: conflictId,
        onConflict: setConflict,
        ...(slots ? { slots } : {}),
      },
    [comparison, summary, columns, choices, seen, picks, layouts, names, conflictId, setConflict, slots],
  );
  const onMoved = useCallback(() => {
    setMoved(true);
    announce('A branch moved meanwhile; the changes are read anew.');
    void client.invalidateQueries({ queryKey: comparisonKey(comparison) });
    void client.invalidateQueries({ queryKey: ['session'] });
  }, [client, comparison]);
  const rows = summary ? rowsOf(summary.rows) : 0;
  return {
    comparison,
    state,
    scene,
    choices,
    changes,
    filter,
    setFilter,
    showAll: () => setFilter(noFilter),
    overview,
    conflicts,
    columnConflicts,
    conflictTotal,
    open,
    whyNot: whyNotMerged({ summary, into: readRef(into), branches, open }),
    walk,
    goToKey,
    hasMoved,
    onMoved,
    truth: summary
      ? [
          isFiltering(filter)
            ? `${formatCount(state.total)} of ${formatOf(rows, 'changed row')}`
            : formatOf(rows, 'changed row'),
          summary.mode === 'three-way' ? 'three-way, exact' : 'two-way, exact',
          walk.at >= 0 && `at ${walk.at + 1}`,
          seenCount > 0 && `${formatCount(seenCount)} seen`,
          'on the server',
          state.elapsedMs !== null && formatElapsed(state.elapsedMs),
        ]
      : [],
  };
}

/** Rows that changed in any way. */
export const rowsOf = ({
  added,
  removed,
  modified,
}: {
  added: number;
  removed: number;
  modified: number;
}): number => added + removed + modified;

interface GoToKeyInput {
  changes: readonly Change[];
  goToId: (id: string) => boolean;
  onAlone: (key: RowKey) => void;
}

/** Goes to the change of a row at once where it is listed, else as soon as it is there alone. */
function useGoToKey({ changes, goToId, onAlone }: GoToKeyInput): (key: RowKey) => void {
  const [wantedId, setWantedId] = useState<string | null>(null);
  const latest = useRef(goToId);
  latest.current = goToId;
  useEffect(() => {
    if (wantedId !== null && changes.some(({ id }) => id === wantedId) && latest.current(wantedId))
      setWantedId(null);
  }, [wantedId, changes]);
  return useCallback(
    (key: RowKey) => {
      const id = valueToken(key);
      if (latest.current(id)) return;
      setWantedId(id);
      onAlone(key);
    },
    [onAlone],
  );
}
