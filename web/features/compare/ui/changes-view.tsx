import { type ReactNode, useCallback } from 'react';
import { formatCount } from '../../../ui/format-quantity.ts';
import { ErrorNote, Note, Skeleton, Split } from '../../../ui/index.ts';
import { countChanges } from '../model/merge-words.ts';
import { type ComparisonView, showAllChanges } from '../use-comparison.ts';
import { ChangeList } from './change-list.tsx';
import { ColumnConflicts } from './column-conflicts.tsx';
import styles from './compare-page.module.css';
import { CompareRail } from './compare-rail.tsx';
import { GroupHead } from './group-head.tsx';
import { NothingToShow } from './nothing-to-show.tsx';
import { SceneProvider } from './scene.ts';

export interface ChangesViewProps {
  view: ComparisonView;
  /** Stands by each notice on what cannot be merged. */
  noticeAction?: ReactNode;
  /** Where nothing can be compared: what else to do. */
  errorActions?: ReactNode;
  /** Stands below overview and list, once the changes are there. */
  foot?: ReactNode;
}

/** The overview at the left, the changes at the right. */
export function ChangesView({ view, noticeAction, errorActions, foot }: ChangesViewProps) {
  const { state, scene } = view;
  if (state.error && !scene) {
    return (
      <ErrorNote
        isWhole
        error={state.error}
        title="These cannot be compared."
        onRetry={state.retry}
        actions={errorActions}
      />
    );
  }
  if (!scene) return <Waiting />;
  return (
    <SceneProvider value={scene}>
      <Split
        name="compare"
        label="the overview"
        sized="start"
        initial={272}
        min={200}
        minRest={420}
        start={<Overview view={view} />}
        end={<Changes view={view} noticeAction={noticeAction} />}
      />
      {foot}
    </SceneProvider>
  );
}

function Overview({ view }: { view: ComparisonView }) {
  const { state, filter, setFilter, conflicts, conflictTotal, groups, group, setGroup } = view;
  return (
    <CompareRail
      filter={filter}
      onFilter={setFilter}
      conflicts={conflicts}
      conflictTotal={conflictTotal}
      groups={groups}
      loaded={state.loaded}
      groupScope={state.isComplete ? 'all changes' : `the first ${formatCount(state.loaded.length)} changes`}
      group={group?.id ?? null}
      onGroup={setGroup}
    />
  );
}

function Changes({ view, noticeAction }: Pick<ChangesViewProps, 'view' | 'noticeAction'>) {
  const { state, scene, changes, group, setGroup, walk, seen, columnConflicts, hasMoved } = view;
  const more = useCallback(() => state.more(), [state.more]);
  if (!scene) return null;
  const { summary, columns, comparison, names } = scene;
  const { added, removed, modified } = summary.rows;
  return (
    <ChangeList
      changes={changes}
      at={walk.at}
      takesFocus={walk.takesFocus}
      onCurrent={walk.setCurrent}
      onEnd={more}
      head={
        <div className={styles.notes}>
          {group && (
            <GroupHead
              group={group}
              columns={columns}
              onSeen={() => seen.mark(changes, true)}
              onClose={() => setGroup(null)}
            />
          )}
          {hasMoved && (
            <Note tone="warn">
              A branch moved while you looked: these are the changes as they are now. Choices that still fit
              were kept.
            </Note>
          )}
          {summary.notices.map((notice) => (
            <Note key={notice} tone="warn" action={noticeAction}>
              {notice}
            </Note>
          ))}
          <ErrorNote error={state.error} title="Not all changes could be read." onRetry={state.retry} />
          <ColumnConflicts items={columnConflicts} />
          {changes.length === 0 && !state.isPending && (
            <NothingToShow
              isFiltered={added + removed + modified > 0}
              hasSchemaChanges={countChanges(summary) > 0}
              comparison={comparison}
              names={names}
              onShowAll={() => showAllChanges(view)}
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
  );
}

function Waiting() {
  return (
    <div className={styles.waiting} aria-hidden>
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} height={112} />
      ))}
    </div>
  );
}
