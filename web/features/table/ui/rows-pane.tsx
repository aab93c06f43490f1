import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { runCommand, useCommands } from '../../../state/commands.ts';
import { type TableView, whereOf } from '../../../state/table-view.ts';
import type { SetTableView } from '../../../state/use-table-view.ts';
import { Button, EmptyState, ErrorNote } from '../../../ui/index.ts';
import { openFilter, useColumnProfiles } from '../../filter/index.ts';
import {
  type GridColumn,
  type GridLayout,
  type GridRow,
  isShown,
  type MediaOf,
  type RowSource,
  RowsGrid,
  useRowsState,
  wholeRow,
} from '../../grid/index.ts';
import { selectionOfView } from '../model/plan-selection.ts';
import type { Groups } from '../use-groups.ts';
import { AddRowsArea } from './add-rows-area.tsx';
import { ColumnSummary } from './column-summary.tsx';
import { GalleryPane } from './lazy-panes.tsx';
import { cellActions, columnActions } from './rows-actions.tsx';
import { ViewerPane } from './viewer-pane.tsx';

const GridCellEditor = lazy(() =>
  import('../../edit/index.ts').then((module) => ({ default: module.GridCellEditor })),
);

export interface RowsPaneProps {
  table: string;
  detail: TableDetail | undefined;
  source: RowSource;
  groups: Groups;
  columns: readonly GridColumn[];
  layout: GridLayout;
  onLayoutChange: (layout: GridLayout) => void;
  view: TableView;
  setView: SetTableView;
  media: MediaOf;
  activeRow: number | null;
  onActiveRow: (row: GridRow | undefined, index: number) => void;
  onOpenRow: (row: GridRow) => void;
  onDescribe: (column: string) => void;
}

/** The rows of the view, as grid or gallery: the same order, filter and selection in both. */
export function RowsPane(props: RowsPaneProps) {
  return (
    <AddRowsArea table={props.table} detail={props.detail}>
      <RowsOfView {...props} />
      <ViewerPane
        table={props.table}
        detail={props.detail}
        columns={props.columns}
        source={props.source}
        media={props.media}
        view={props.view}
        setView={props.setView}
        activeRow={props.activeRow}
        onActiveRow={props.onActiveRow}
      />
    </AddRowsArea>
  );
}

function RowsOfView(props: RowsPaneProps) {
  const { table, detail, groups, columns, layout, view, setView, media } = props;
  const source = groups.source ?? props.source;
  const groupColumn = columns.find(({ name }) => name === view.group);
  const placeOf = (position: number) => groups.source?.placeOf(position) ?? position;
  const positionAt = (place: number) => groups.source?.positionAt(place) ?? place;
  const heads = useMemo(
    () => groups.groups?.map((group) => ({ ...group, isFolded: groups.folded.has(group.id) })),
    [groups.groups, groups.folded],
  );
  useGroupCommands(groups);
  const summary = useSummaries(props, layout);
  const searchText = view.search?.kind === 'text' ? view.search.text : '';
  const foundWords = useMemo(() => searchText.match(/[\p{L}\p{N}]+/gu) ?? [], [searchText]);
  const viewRow = (row: GridRow, index: number, stage: string) => {
    props.onActiveRow(row, index);
    setView({ rowId: row.id, stage });
  };
  const shared = {
    source,
    columns,
    layout,
    media,
    selection: view.selection,
    onSelect: async (selection: TableView['selection']) =>
      setView({ selection: await selectionOfView(selection, source, view.search !== null) }),
    activeRow: props.activeRow === null ? null : placeOf(props.activeRow),
    onActiveRow: (row: GridRow | undefined, place: number) => props.onActiveRow(row, positionAt(place)),
    onOpenRow: (row: GridRow) => props.onOpenRow({ ...row, index: positionAt(row.index) }),
    initialRow: placeOf(view.at),
    onScroll: (place: number) => {
      const at = positionAt(place);
      if (at !== view.at) setView({ at });
    },
    errorActions: <WayOut view={view} setView={setView} />,
    empty: <NoRows table={table} view={view} setView={setView} />,
  };
  if (view.view === 'gallery')
    return (
      <GalleryPane
        {...shared}
        source={props.source}
        activeRow={props.activeRow}
        onActiveRow={props.onActiveRow}
        onOpenRow={props.onOpenRow}
        initialRow={view.at}
        onScroll={(at) => at !== view.at && setView({ at })}
        group={
          heads && groupColumn
            ? { column: groupColumn, heads, onFold: ({ id, isFolded }) => groups.fold(id, !isFolded) }
            : undefined
        }
        table={table}
        detail={detail}
        onViewRow={(row, stage) => viewRow(row, row.index, stage)}
        noMedia={<Button onClick={() => setView({ view: 'grid' })}>Show as grid</Button>}
      />
    );
  return (
    <>
      <ErrorNote
        error={groups.error}
        title={`The rows cannot be grouped by ${view.group ?? ''}.`}
        actions={
          <Button size="s" onClick={() => setView({ group: null })}>
            Do not group
          </Button>
        }
      />
      <RowsGrid
        {...shared}
        group={
          groups.source && groupColumn
            ? { column: groupColumn, onFold: ({ id, isFolded }) => groups.fold(id, !isFolded) }
            : undefined
        }
        hasPageKeys
        onCopyRows={() => void runCommand('selection.copyTable')}
        wholeValue={async (row, column) => (await wholeRow(table, row)).value(column)}
        onViewCell={(row, stage) => viewRow(row, positionAt(row.index), stage)}
        onLayoutChange={props.onLayoutChange}
        sort={view.sort}
        onSort={view.search ? undefined : (sort) => setView({ sort, at: 0 })}
        columnActions={(column) => columnActions(column, props)}
        foundWords={foundWords}
        summary={summary}
        cellActions={(row, column) => cellActions(row, column, props)}
        editor={
          detail &&
          ((place) => (
            <Suspense fallback={null}>
              <GridCellEditor
                table={table}
                detail={detail}
                row={place.row.id}
                column={place.column}
                value={place.value}
                onClose={place.close}
              />
            </Suspense>
          ))
        }
      />
    </>
  );
}

/** Folding and unfolding of all groups at once. */
function useGroupCommands({ groups, foldAll }: Groups): void {
  const whyNot = () => (groups === null ? 'The rows are not grouped' : null);
  useCommands([
    {
      id: 'table.foldGroups',
      title: 'Fold all groups',
      group: 'View',
      whyNot,
      run: () => foldAll(groups?.map(({ id }) => id) ?? []),
    },
    { id: 'table.unfoldGroups', title: 'Unfold all groups', group: 'View', whyNot, run: () => foldAll(null) },
  ]);
}

/** What stands under the names of the columns, where that was asked for. */
function useSummaries(
  { table, detail, source, columns, view, onDescribe }: RowsPaneProps,
  layout: GridLayout,
): ((column: GridColumn) => ReactNode) | undefined {
  const { facts, total } = useRowsState(source);
  const names = columns
    .filter((column) => isShown(column, layout) && !column.name.startsWith('_'))
    .map((column) => column.name);
  const isOn = layout.hasSummaries && view.view === 'grid' && detail !== undefined;
  const profiles = useColumnProfiles({
    table,
    ref: facts?.ref ?? view.refText,
    where: whereOf(view.conditions),
    columns: names,
    isEnabled: isOn && facts !== null && !view.search,
  });
  if (!isOn || view.search) return undefined;
  return (column) => (
    <ColumnSummary
      profile={profiles.data?.get(column.name)}
      rows={total ?? 0}
      onOpen={() => onDescribe(column.name)}
    />
  );
}

function WayOut({ view, setView }: { view: TableView; setView: SetTableView }) {
  return (
    <>
      {view.conditions.length > 0 && (
        <>
          <Button size="s" onClick={() => openFilter({ index: view.conditions.length - 1 })}>
            Change the filter
          </Button>
          <Button size="s" onClick={() => setView({ conditions: [] })}>
            Remove it
          </Button>
        </>
      )}
      {view.group !== null && (
        <Button size="s" onClick={() => setView({ group: null })}>
          Do not group
        </Button>
      )}
      {view.sort.length > 0 && (
        <Button size="s" onClick={() => setView({ sort: [] })}>
          Do not sort
        </Button>
      )}
      {view.search && (
        <Button size="s" onClick={() => setView({ search: null })}>
          End the search
        </Button>
      )}
    </>
  );
}

function NoRows({ table, view, setView }: { table: string; view: TableView; setView: SetTableView }) {
  const hasFilter = view.conditions.some((condition) => !condition.isOff);
  if (view.search) {
    return (
      <EmptyState
        title={view.search.kind === 'text' ? `Nothing found for “${view.search.text}”` : 'No similar rows'}
        action={<Button onClick={() => setView({ search: null })}>End the search</Button>}
      >
        {hasFilter
          ? 'The filter narrows the search as well.'
          : 'Words are matched as a whole: try fewer or other words.'}
      </EmptyState>
    );
  }
  if (hasFilter) {
    return (
      <EmptyState
        title="No rows match"
        action={<Button onClick={() => setView({ conditions: [] })}>Remove the filter</Button>}
      >
        All conditions must hold at once. Switch one off to see which is too narrow.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`${table} has no rows here`}>
      Rows that are imported or inserted on this branch appear here.
    </EmptyState>
  );
}
