import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isAppError } from '#shared/api/problem.ts';
import { refreshHeads, useTableDetail } from '../../../api/index.ts';
import { goTo, tablePath, tablesPath } from '../../../state/addresses.ts';
import { useCommands } from '../../../state/commands.ts';
import { type TableView, whereOf } from '../../../state/table-view.ts';
import { type SetTableView, useTableView } from '../../../state/use-table-view.ts';
import { Button, EmptyState, ErrorNote, Page, PageTitle, Split, TruthLine } from '../../../ui/index.ts';
import {
  type GridColumn,
  type GridLayout,
  gridColumnsOf,
  mediaOfTable,
  type RowSource,
  showOnly,
  useGridLayout,
  useRowsState,
  useShownSource,
} from '../../grid/index.ts';
import { locateRow } from '../locate-row.ts';
import { describeTruth } from '../model/describe-truth.ts';
import { orderOf } from '../model/group-order.ts';
import { withScores } from '../model/score-columns.ts';
import { columnsForAddress } from '../model/shown-columns.ts';
import { useGroups } from '../use-groups.ts';
import { useOverlaidRows } from '../use-overlaid-rows.ts';
import { useRowSource } from '../use-row-source.ts';
import { ColumnPanel } from './column-panel.tsx';
import { FacetsBeside } from './facets-beside.tsx';
import { HistoryPane, InspectorPane } from './lazy-panes.tsx';
import { NewerVersion } from './newer-version.tsx';
import { RowsPane } from './rows-pane.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SummaryPane } from './summary-pane.tsx';
import { TableBar } from './table-bar.tsx';
import { TableTools } from './table-tools.tsx';

/** One table at a ref: its rows as grid or gallery, one row in full, its history. */
export function TablePage({ table }: { table: string }) {
  const client = useQueryClient();
  const [view, setView] = useTableView();
  const { data: detail, error } = useTableDetail(table, view.refText);
  const source = useRowSource(table, view);
  const loaded = useShownSource(source, view.at);
  const shown = useOverlaidRows(loaded, table, view.refText);
  const state = useRowsState(shown);
  const [activeRow, setActiveRow] = useState<number | null>(null);
  const [described, setDescribed] = useState<string | null>(null);
  const media = useMemo(() => mediaOfTable(table), [table]);
  const tableColumns = useMemo(() => (detail ? gridColumnsOf(detail.columns, detail.key) : []), [detail]);
  const columns = useMemo(
    () => withScores(tableColumns, state.facts ? shown : null, view.search),
    [tableColumns, state.facts, shown, view.search],
  );
  const [layout, setLayout] = useAddressedLayout({ table, tableColumns, view, setView });
  const pinnedRef = state.facts?.ref ?? view.refText;
  const groups = useGroups({
    table,
    source: shown,
    column: view.search ? null : view.group,
    where: whereOf(view.conditions),
    orderBy: orderOf(view),
  });

  useEffect(() => {
    document.title = `${table} · Curio`;
  }, [table]);
  useFollowRow({ rowId: view.rowId, source: shown, revision: state.revision, activeRow, setActiveRow });
  useViewCommands(view, setView);

  const openRow = (id: string, index?: number) => {
    if (index !== undefined) setActiveRow(index);
    setDescribed(null);
    setView({ rowId: id }, { replace: view.rowId !== null });
  };
  const changeRef = (refText: string) => setView({ refText, rowId: null });
  const failure =
    error && isAppError(error) && (error.code === 'NOT_FOUND' || error.code === 'GONE') ? error : null;
  if (failure) return <NoSuchTable table={table} refText={view.refText} error={failure} />;

  const isHistory = view.view === 'history';
  const truth = isHistory
    ? []
    : describeTruth({
        state,
        tableRows: detail?.rows ?? null,
        sort: view.sort,
        search: view.search,
        group:
          groups.groups && view.group !== null ? { column: view.group, count: groups.groups.length } : null,
        isFiltered: whereOf(view.conditions) !== undefined,
        isWaiting: loaded !== source && !source.getState().error,
      });
  return (
    <Page
      bar={<TableBar table={table} detail={detail} view={view} setView={setView} onRefChange={changeRef} />}
      tools={
        <TableTools
          table={table}
          detail={detail}
          pinnedRef={pinnedRef}
          view={view}
          setView={setView}
          columns={columns}
          layout={layout}
          onLayoutChange={setLayout}
          goTo={{
            total: state.total,
            keyColumns: view.search ? [] : (detail?.key ?? []).filter((name) => name !== '_key'),
            locate: (key, signal) => locateRow({ table, ref: pinnedRef, view, key, signal }),
            onGo: (position) => {
              setActiveRow(position);
              setView({ at: position });
            },
          }}
        />
      }
      truth={isHistory ? undefined : <TruthLine parts={truth} />}
      truthEnd={
        <NewerVersion
          table={table}
          refText={view.refText}
          pinnedRef={state.facts?.ref ?? null}
          onShow={() => void refreshHeads(client, table)}
        />
      }
    >
      {error && (
        <ErrorNote
          error={error}
          title="The table cannot be described."
          onRetry={() => void refreshHeads(client, table)}
        />
      )}
      {isHistory ? (
        <HistoryPane
          table={table}
          detail={detail}
          refText={view.refText}
          onRefChange={(refText) => setView({ refText, view: 'grid' })}
        />
      ) : (
        <Split
          name="inspector"
          label="the row panel"
          sized="end"
          initial={400}
          min={300}
          minRest={320}
          start={
            <>
              {view.view === 'profile' || view.view === 'chart' ? (
                <SummaryPane
                  table={table}
                  detail={detail}
                  columns={tableColumns}
                  layout={layout}
                  view={view}
                  setView={setView}
                />
              ) : (
                <FacetsBeside
                  table={table}
                  detail={detail}
                  columns={tableColumns}
                  layout={layout}
                  view={view}
                  setView={setView}
                >
                  <RowsPane
                    table={table}
                    detail={detail}
                    source={shown}
                    groups={groups}
                    columns={columns}
                    layout={layout}
                    onLayoutChange={setLayout}
                    view={view}
                    setView={setView}
                    media={media}
                    activeRow={activeRow}
                    onActiveRow={(row, index) => {
                      setActiveRow(index);
                      if (row && view.rowId !== null) setView({ rowId: row.id }, { replace: true });
                    }}
                    onOpenRow={(row) => openRow(row.id, row.index)}
                    onDescribe={(name) => {
                      setView({ rowId: null }, { replace: true });
                      setDescribed(name);
                    }}
                  />
                </FacetsBeside>
              )}
              <SelectionBar
                table={table}
                detail={detail}
                view={view}
                setView={setView}
                source={shown}
                columns={columns}
              />
            </>
          }
          end={
            view.rowId !== null ? (
              <InspectorPane
                table={table}
                detail={detail}
                columns={tableColumns}
                source={shown}
                pinnedRef={pinnedRef}
                rowId={view.rowId}
                index={activeRow}
                total={state.total}
                onStep={(index) => {
                  const row = shown.rowAt(index);
                  setActiveRow(index);
                  if (row) setView({ rowId: row.id }, { replace: true });
                }}
                onGo={(id) => openRow(id, shown.find(id)?.index)}
                onSearchSimilar={(rowId, column) =>
                  setView({ search: { kind: 'similar', rowId, column }, sort: [], at: 0 })
                }
                onClose={() => setView({ rowId: null })}
              />
            ) : described !== null ? (
              <ColumnPanel
                table={table}
                pinnedRef={pinnedRef}
                column={detail?.columns.find((column) => column.name === described)}
                conditions={view.conditions}
                onFilter={(condition) => setView({ conditions: [...view.conditions, condition], at: 0 })}
                onClose={() => setDescribed(null)}
              />
            ) : null
          }
        />
      )}
    </Page>
  );
}

interface AddressedLayoutOptions {
  table: string;
  tableColumns: readonly GridColumn[];
  view: TableView;
  setView: SetTableView;
}

/** The person's own layout, with the columns of the address before it; what they change becomes theirs, and the address tells it on. */
function useAddressedLayout({
  table,
  tableColumns,
  view,
  setView,
}: AddressedLayoutOptions): [GridLayout, (layout: GridLayout) => void] {
  const [own, setOwn] = useGridLayout(table);
  const layout = useMemo(
    () => (view.columns ? showOnly(own, tableColumns, view.columns) : own),
    [own, tableColumns, view.columns],
  );
  const hasColumns = tableColumns.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per table, when its columns are known
  useEffect(() => {
    const names = hasColumns && view.columns === null ? columnsForAddress(tableColumns, own) : null;
    if (names) setView({ columns: names });
  }, [hasColumns]);
  return [
    layout,
    (next) => {
      setOwn(next);
      setView({ columns: columnsForAddress(tableColumns, next) });
    },
  ];
}

interface FollowRowOptions {
  rowId: string | null;
  source: RowSource;
  revision: number;
  activeRow: number | null;
  setActiveRow: (index: number | null) => void;
}

/** The row that the panel shows keeps the focus: its place is looked up when other rows come, and known when its window is there. */
function useFollowRow({ rowId, source, revision, activeRow, setActiveRow }: FollowRowOptions): void {
  const followed = useRef(source.placeKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for when rows come, not when the focus moves
  useEffect(() => {
    const isSamePlace = followed.current === source.placeKey;
    followed.current = source.placeKey;
    const index = rowId === null ? undefined : source.find(rowId)?.index;
    if (index !== undefined && index !== activeRow) setActiveRow(index);
    if (index === undefined && !isSamePlace) setActiveRow(null);
  }, [rowId, source, revision]);
}

function useViewCommands(view: TableView, setView: (patch: Partial<TableView>) => void): void {
  const show = (name: TableView['view']) => () => setView({ view: name });
  const unless = (name: TableView['view']) => () => (view.view === name ? 'It is on the screen' : null);
  useCommands([
    {
      id: 'table.grid',
      title: 'Show as grid',
      group: 'View',
      keys: ['1'],
      whyNot: unless('grid'),
      run: show('grid'),
    },
    {
      id: 'table.gallery',
      title: 'Show as gallery',
      group: 'View',
      keys: ['2'],
      whyNot: unless('gallery'),
      run: show('gallery'),
    },
    {
      id: 'table.profile',
      title: 'Show the profile of the columns',
      group: 'View',
      keys: ['3'],
      whyNot: unless('profile'),
      run: show('profile'),
    },
    {
      id: 'table.chart',
      title: 'Show as chart',
      group: 'View',
      keys: ['4'],
      whyNot: unless('chart'),
      run: show('chart'),
    },
    {
      id: 'table.history',
      title: 'Show the history',
      group: 'View',
      keys: ['5'],
      whyNot: unless('history'),
      run: show('history'),
    },
  ]);
}

function NoSuchTable({
  table,
  refText,
  error,
}: {
  table: string;
  refText: string;
  error: { message: string; hint?: string };
}) {
  return (
    <Page bar={<PageTitle>{table}</PageTitle>}>
      <EmptyState
        title={error.message}
        action={
          <>
            {refText !== 'main' && (
              <Button onClick={() => goTo(tablePath(table))}>Open {table} on main</Button>
            )}
            <Button look="primary" onClick={() => goTo(tablesPath)}>
              All tables
            </Button>
          </>
        }
      >
        {error.hint ?? 'It may have been renamed, moved to the trash, or the link is mistyped.'}
      </EmptyState>
    </Page>
  );
}
