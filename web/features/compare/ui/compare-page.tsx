import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import type { MergeResult } from '#shared/api/edits.ts';
import { useTableSummary } from '../../../api/index.ts';
import { goTo, tablePath } from '../../../state/addresses.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { announce, Button, ErrorNote, Note, Page, Skeleton, Split, TruthLine } from '../../../ui/index.ts';
import { describeRef, readRef } from '../../branches/index.ts';
import { createChoiceStore } from '../choice-store.ts';
import { countOpen, listConflicts } from '../model/choices.ts';
import { isFiltering, noFilter } from '../model/compare-filter.ts';
import { groupChanges } from '../model/groups.ts';
import { countChanges, whyNotMerged } from '../model/merge-words.ts';
import { isSeen } from '../model/seen.ts';
import {
  type Comparison,
  comparisonKey,
  useChanges,
  useColumnConflicts,
  useConflictChanges,
} from '../queries.ts';
import { createSeenStore } from '../seen-store.ts';
import { useCompareFilter } from '../use-compare-filter.ts';
import { useWalk } from '../use-walk.ts';
import { ChangeList } from './change-list.tsx';
import { ColumnConflicts } from './column-conflicts.tsx';
import { CompareBar } from './compare-bar.tsx';
import styles from './compare-page.module.css';
import { CompareRail } from './compare-rail.tsx';
import { GroupHead } from './group-head.tsx';
import { MergeBar } from './merge-bar.tsx';
import { MergedBar } from './merged-bar.tsx';
import { NothingToShow } from './nothing-to-show.tsx';
import { type Scene, SceneProvider, useBook, useSeenMarks } from './scene.ts';
import { usePrunedChoices } from './use-pruned-choices.ts';

const SettingsDialog = lazy(() =>
  import('../../tables/index.ts').then((module) => ({ default: module.SettingsDialog })),
);

export type ComparePageProps = Comparison;

/** What FROM changes in INTO: every change to be seen, every conflict to be settled, and the merge. */
export function ComparePage({ table, from, into }: ComparePageProps) {
  const comparison = useMemo(() => ({ table, from, into }), [table, from, into]);
  const client = useQueryClient();
  const known = useTableSummary(table);
  const branches = known?.branches;
  const isKeyless = known?.key.length === 0;
  const [isSettingsOpen, setSettingsOpen] = useState(false);
  const [filter, setFilter] = useCompareFilter();
  const [group, setGroup] = useState<string | null>(null);
  const [merged, setMerged] = useState<MergeResult | null>(null);
  const [hasMoved, setMoved] = useState(false);
  const [choices] = useState(() => createChoiceStore(comparison, localStorage));
  const [seen] = useState(() => createSeenStore(comparison, localStorage));
  const marks = useSeenMarks(seen);
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
  const shownGroup = groups.find(({ id }) => id === group);
  const changes = useMemo(() => {
    if (!shownGroup) return state.changes;
    const ids = new Set(shownGroup.changeIds);
    return state.loaded.filter(({ id }) => ids.has(id));
  }, [state.changes, state.loaded, shownGroup]);
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
  const seenCount = changes.filter((change) => isSeen(marks, change)).length;
  const open = countOpen(book, conflicts, conflictTotal);
  const whyNot = whyNotMerged({ summary, into: readRef(into), branches, open });
  const more = useCallback(() => state.more(), [state.more]);
  const showAll = () => {
    setGroup(null);
    setFilter(noFilter);
  };
  const onMerged = (result: MergeResult) => {
    setMerged(result);
    choices.discardDraft();
  };
  const onMoved = () => {
    setMoved(true);
    announce('A branch moved meanwhile; the changes are read anew.');
    void client.invalidateQueries({ queryKey: comparisonKey(comparison) });
    void client.invalidateQueries({ queryKey: ['session'] });
  };
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
      },
    [comparison, summary, columns, choices, seen, names, conflictId, setConflict],
  );
  return (
    <Page
      bar={<CompareBar comparison={comparison} branches={branches ?? []} base={summary?.base ?? null} />}
      truth={
        <TruthLine
          parts={
            summary
              ? [
                  isFiltering(filter) || shownGroup
                    ? `${formatCount(shownGroup ? changes.length : state.total)} of ${formatOf(rowsOf(summary.rows), 'changed row')}`
                    : formatOf(rowsOf(summary.rows), 'changed row'),
                  summary.mode === 'three-way' ? 'three-way, exact' : 'two-way, exact',
                  walk.at >= 0 && `at ${walk.at + 1}`,
                  seenCount > 0 && `${formatCount(seenCount)} seen`,
                  'on the server',
                  state.elapsedMs !== null && `${Math.round(state.elapsedMs)} ms`,
                ]
              : []
          }
        />
      }
    >
      <section aria-label="Changes" className={styles.changes}>
        {state.error && !summary ? (
          <ErrorNote
            isWhole
            error={state.error}
            title="These cannot be compared."
            onRetry={state.retry}
            actions={<OpenTable table={table} />}
          />
        ) : !scene || !summary ? (
          <Waiting />
        ) : (
          <SceneProvider value={scene}>
            <Split
              name="compare"
              label="the overview"
              sized="start"
              initial={272}
              min={200}
              minRest={420}
              start={
                <CompareRail
                  filter={filter}
                  onFilter={(next) => {
                    setGroup(null);
                    setFilter(next);
                  }}
                  conflicts={conflicts}
                  conflictTotal={conflictTotal}
                  groups={groups}
                  loaded={state.loaded}
                  groupScope={
                    state.isComplete ? 'all changes' : `the first ${formatCount(state.loaded.length)} changes`
                  }
                  group={group}
                  onGroup={setGroup}
                />
              }
              end={
                <ChangeList
                  changes={changes}
                  at={walk.at}
                  takesFocus={walk.takesFocus}
                  onCurrent={walk.setCurrent}
                  onEnd={more}
                  head={
                    <div className={styles.notes}>
                      {shownGroup && (
                        <GroupHead
                          group={shownGroup}
                          columns={columns}
                          onSeen={() => seen.mark(changes, true)}
                          onClose={() => setGroup(null)}
                        />
                      )}
                      {hasMoved && (
                        <Note tone="warn">
                          A branch moved while you looked: these are the changes as they are now. Choices that
                          still fit were kept.
                        </Note>
                      )}
                      {summary.notices.map((notice) => (
                        <Note
                          key={notice}
                          tone="warn"
                          action={
                            isKeyless && (
                              <Button size="s" onClick={() => setSettingsOpen(true)}>
                                Declare a key…
                              </Button>
                            )
                          }
                        >
                          {notice}
                        </Note>
                      ))}
                      <ErrorNote
                        error={state.error}
                        title="Not all changes could be read."
                        onRetry={state.retry}
                      />
                      <ColumnConflicts items={columnConflicts} />
                      {changes.length === 0 && !state.isPending && (
                        <NothingToShow
                          isFiltered={rowsOf(summary.rows) > 0}
                          hasSchemaChanges={countChanges(summary) > 0}
                          comparison={comparison}
                          names={names}
                          onShowAll={showAll}
                        />
                      )}
                    </div>
                  }
                  foot={
                    state.isFetchingMore && (
                      <div className={styles.more}>
                        <Skeleton height={72} />
                      </div>
                    )
                  }
                />
              }
            />
            {merged ? (
              <MergedBar comparison={comparison} result={merged} />
            ) : (
              <MergeBar
                whyNot={whyNot}
                onNextConflict={open > 0 ? walk.nextOpen : undefined}
                onMerged={onMerged}
                onMoved={onMoved}
              />
            )}
          </SceneProvider>
        )}
      </section>
      {isSettingsOpen && (
        <Suspense fallback={null}>
          <SettingsDialog
            table={table}
            branches={[from, into].filter((ref) => branches?.some(({ name }) => name === ref))}
            onClose={() => setSettingsOpen(false)}
          />
        </Suspense>
      )}
    </Page>
  );
}

const rowsOf = ({ added, removed, modified }: { added: number; removed: number; modified: number }): number =>
  added + removed + modified;

const OpenTable = ({ table }: { table: string }) => (
  <Button size="s" onClick={() => goTo(tablePath(table))}>
    Open {table}
  </Button>
);

function Waiting() {
  return (
    <div className={styles.waiting} aria-hidden>
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} height={112} />
      ))}
    </div>
  );
}
