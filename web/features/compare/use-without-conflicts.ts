import { useMemo } from 'react';
import type { Change } from './model/change.ts';
import type { ChangesState } from './queries.ts';

const settled = (changes: Change[]): Change[] =>
  changes.map((change) =>
    change.conflictKind === null ? change : { ...change, conflicts: [], conflictKind: null },
  );

/** Changes that were merged, or will not be: what was in conflict is a change like any other. */
export function useWithoutConflicts(state: ChangesState, isOver: boolean): ChangesState {
  const { changes, loaded, summary } = state;
  const shown = useMemo(() => (isOver ? settled(changes) : changes), [changes, isOver]);
  const all = useMemo(() => (isOver ? settled(loaded) : loaded), [loaded, isOver]);
  const told = useMemo(
    () => (isOver && summary ? { ...summary, conflicts: { rows: 0, cells: 0 } } : summary),
    [summary, isOver],
  );
  return isOver ? { ...state, changes: shown, loaded: all, summary: told } : state;
}
