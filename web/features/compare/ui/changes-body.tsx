import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { useTableSummary } from '../../../api/index.ts';
import { goTo, tablePath } from '../../../state/addresses.ts';
import { Button, ErrorNote, Note, Skeleton, Split } from '../../../ui/index.ts';
import { useLook } from '../look-store.ts';
import { listConflicts } from '../model/choices.ts';
import { isFiltering } from '../model/compare-filter.ts';
import { countChanges } from '../model/merge-words.ts';
import { type Compared, rowsOf } from '../use-compared.ts';
import { ChangeList } from './change-list.tsx';
import { ChangeTable } from './change-table.tsx';
import { ChangesTools } from './changes-tools.tsx';
import { ColumnConflicts } from './column-conflicts.tsx';
import styles from './compare-page.module.css';
import { CompareRail } from './compare-rail.tsx';
import { NothingToShow } from './nothing-to-show.tsx';
import { SceneProvider } from './scene.ts';
import { Waiting } from './waiting.tsx';

const SettingsDialog = lazy(() =>
  import('../../tables/index.ts').then((module) => ({ default: module.SettingsDialog })),
);

export interface ChangesBodyProps {
  compared: Compared;
  /** Below the changes: the merge. */
  foot?: ReactNode;
  /** Local storage remembers the size of the overview under this name. */
  splitName?: string;
}

/** The overview at the left, the changes as cards at the right: `region "Changes"`. */
export function ChangesBody({ compared, foot, splitName = 'compare' }: ChangesBodyProps) {
  const { comparison, state, scene, changes } = compared;
  const { table, from, into } = comparison;
  const { summary } = state;
  const known = useTableSummary(table);
  const isKeyless = known?.key.length === 0;
  const [isSettingsOpen, setSettingsOpen] = useState(false);
  const more = useCallback(() => state.more(), [state.more]);
  return (
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
        <Waiting comparison={comparison} />
      ) : (
        <SceneProvider value={scene}>
          <Split
            name={splitName}
            label="the overview"
            sized="start"
            initial={272}
            min={200}
            minRest={420}
            start={
              <CompareRail
                filter={compared.filter}
                onFilter={compared.setFilter}
                conflicts={compared.conflicts}
                conflictTotal={compared.conflictTotal}
                shown={isFiltering(compared.filter) ? listConflicts(changes) : []}
                overview={compared.overview}
              />
            }
            end={
              <>
                <ChangesTools compared={compared} />
                <Listed
                  compared={compared}
                  onEnd={more}
                  head={
                    <Notes
                      compared={compared}
                      onDeclareKey={isKeyless ? () => setSettingsOpen(true) : null}
                    />
                  }
                />
              </>
            }
          />
          {foot}
        </SceneProvider>
      )}
      {isSettingsOpen && (
        <Suspense fallback={null}>
          <SettingsDialog
            table={table}
            branches={[from, into].filter((ref) => known?.branches.some(({ name }) => name === ref))}
            onClose={() => setSettingsOpen(false)}
          />
        </Suspense>
      )}
    </section>
  );
}

/** The changes as this person likes to see them: as cards, or a line each. */
function Listed({ compared, onEnd, head }: { compared: Compared; onEnd: () => void; head: ReactNode }) {
  const { state, changes, walk, filter } = compared;
  const look = useLook();
  const shared = {
    changes,
    at: walk.at,
    takesFocus: walk.takesFocus,
    onCurrent: walk.setCurrent,
    onEnd,
    head,
    foot: state.isFetchingMore && (
      <div className={styles.more}>
        <Skeleton height={72} />
      </div>
    ),
  };
  return look === 'table' ? <ChangeTable {...shared} column={filter.column} /> : <ChangeList {...shared} />;
}

/** What stands above the first change: what one has to know, and conflicts of whole columns. */
function Notes({ compared, onDeclareKey }: { compared: Compared; onDeclareKey: (() => void) | null }) {
  const { comparison, state, scene, changes } = compared;
  const { summary } = state;
  if (!scene || !summary) return null;
  return (
    <div className={styles.notes}>
      {compared.hasMoved && (
        <Note tone="warn">
          A branch moved while you looked: these are the changes as they are now. Choices that still fit were
          kept.
        </Note>
      )}
      {summary.notices.map((notice) => (
        <Note
          key={notice}
          tone="warn"
          action={
            onDeclareKey && (
              <Button size="s" onClick={onDeclareKey}>
                Declare a key…
              </Button>
            )
          }
        >
          {notice}
        </Note>
      ))}
      <ErrorNote error={state.error} title="Not all changes could be read." onRetry={state.retry} />
      <ColumnConflicts items={compared.columnConflicts} />
      {changes.length === 0 && !state.isPending && (
        <NothingToShow
          isFiltered={rowsOf(summary.rows) > 0}
          hasSchemaChanges={countChanges(summary) > 0}
          comparison={comparison}
          names={scene.names}
          onShowAll={compared.showAll}
        />
      )}
    </div>
  );
}

const OpenTable = ({ table }: { table: string }) => (
  <Button size="s" onClick={() => goTo(tablePath(table))}>
    Open {table}
  </Button>
);
