import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { DiffSummary, MergeChoice } from '#shared/api/edits.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import { toMergeInput } from '../model/choices.ts';
import { noFilter } from '../model/compare-filter.ts';
import { useComparison } from '../use-comparison.ts';
import { ChangesView } from './changes-view.tsx';
import styles from './compare-page.module.css';
import { type ChangeSlots, useBook } from './scene.ts';

/** What a page around the changes needs to know of them. */
export interface LiveChangesState {
  /** Missing until the changes are there. */
  summary: DiffSummary | null;
  /** Conflicts in all, and those that nobody settled yet. */
  conflicts: number;
  open: number;
  /** The choices made here, as the merge takes them. */
  choices: MergeChoice[];
  take?: 'from' | 'into';
}

export interface LiveChangesProps {
  table: string;
  /** Refs as text: `exp`, `exp:12`, `tag:golden`. */
  from: string;
  into: string;
  /** What stands in each card and cell; keep it the same object while it shows the same. */
  slots?: ChangeSlots;
  /** The change to bring into sight, by its row key; a new object goes there again. */
  target?: { key: RowKey; column?: string } | null;
  onState?: (state: LiveChangesState) => void;
  /** Stands below overview and list. */
  foot?: ReactNode;
}

/**
 * The live changes of FROM in INTO for other screens: overview, filters, cards with their differs, conflicts to settle,
 * the keys of the compare page. It fills the height it is given. Choices are those of the compare page of the same refs.
 */
export function LiveChanges({ table, from, into, slots, target, onState, foot }: LiveChangesProps) {
  const comparison = useMemo(() => ({ table, from, into }), [table, from, into]);
  const [filter, setFilter] = useState(noFilter);
  const view = useComparison({ comparison, filter, onFilter: setFilter, ...(slots ? { slots } : {}) });
  const book = useBook(view.choices);
  const { summary } = view.state;
  const conflicts = Math.max(view.conflictTotal, view.conflicts.length);
  const { open, walk } = view;
  useEffect(() => {
    onState?.({ summary, conflicts, open, ...toMergeInput(book) });
  }, [onState, summary, conflicts, open, book]);
  const { goToKey } = walk;
  const isThere = summary !== null;
  useEffect(() => {
    if (target && isThere) goToKey(target.key);
  }, [target, isThere, goToKey]);
  return (
    <section aria-label="Changes" className={styles.changes}>
      <ChangesView view={view} foot={foot} />
    </section>
  );
}
