import { Braces, ChartColumn, Copy, ListFilter, ListFilterPlus, PanelRight, Sparkles } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { type TableView, whereOf } from '../../../state/table-view.ts';
import type { SetTableView } from '../../../state/use-table-view.ts';
import { Button, EmptyState, type MenuEntry, showError, showToast } from '../../../ui/index.ts';
import { openFilter, useColumnProfiles } from '../../filter/index.ts';
import {
  formatValue,
  type GridColumn,
  type GridLayout,
  type GridRow,
  isShown,
  type MediaOf,
  type RowSource,
  RowsGrid,
  useRowsState,
} from '../../grid/index.ts';
import { conditionOfCell } from '../model/filter-by-cell.ts';
import { formatJson } from '../model/format-rows.ts';
import { selectionOfView } from '../model/plan-selection.ts';
import { ColumnSummary } from './column-summary.tsx';
import { GalleryPane } from './lazy-panes.tsx';

const GridCellEditor = lazy(() =>
  import('../../edit/index.ts').then((module) => ({ default: module.GridCellEditor })),
);

export interface RowsPaneProps {
  table: string;
  detail: TableDetail | undefined;
  source: RowSource;
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
  const { table, detail, source, columns, layout, view, setView, media } = props;
  const summary = useSummaries(props, layout);
  const searchText = view.search?.kind === 'text' ? view.search.text : '';
  const foundWords = useMemo(() => searchText.match(/[\p{L}\p{N}]+/gu) ?? [], [searchText]);
  const shared = {
    source,
    columns,
    layout,
    media,
    selection: view.selection,
    onSelect: async (selection: TableView['selection']) =>
      setView({ selection: await selectionOfView(selection, source, view.search !== null) }),
    activeRow: props.activeRow,
    onActiveRow: props.onActiveRow,
    onOpenRow: props.onOpenRow,
    initialRow: view.at,
    onScroll: (at: number) => at !== view.at && setView({ at }),
    errorActions: <WayOut view={view} setView={setView} />,
    empty: <NoRows table={table} view={view} setView={setView} />,
  };
  if (view.view === 'gallery')
    return (
      <GalleryPane
        {...shared}
        table={table}
        noMedia={<Button onClick={() => setView({ view: 'grid' })}>Show as grid</Button>}
      />
    );
  return (
    <RowsGrid
      {...shared}
      hasPageKeys
      onLayoutChange={props.onLayoutChange}
      sort={view.sort}
      onSort={view.search ? undefined : (sort) => setView({ sort, at: 0 })}
      columnActions={(column) => columnActions(column, props.onDescribe)}
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
  );
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

const columnActions = (column: GridColumn, onDescribe: (name: string) => void): MenuEntry[] =>
  column.name.startsWith('_')
    ? []
    : [
        {
          id: 'filter',
          label: 'Filter by this…',
          icon: <ListFilter />,
          onSelect: () => setTimeout(() => openFilter({ column: column.name })),
        },
        { id: 'describe', label: 'Describe', icon: <ChartColumn />, onSelect: () => onDescribe(column.name) },
      ];

function cellActions(
  row: GridRow,
  column: GridColumn,
  { columns, view, setView, onOpenRow }: RowsPaneProps,
): MenuEntry[] {
  const value = row.value(column.name);
  const filter = (id: string, label: string, icon: ReactNode, isNegated: boolean): MenuEntry => {
    const condition = column.name.startsWith('_') ? null : conditionOfCell(column, value, isNegated);
    return (
      condition && {
        id,
        label,
        icon,
        onSelect: () => setView({ conditions: [...view.conditions, condition], at: 0 }),
      }
    );
  };
  const vector = columns.find((one) => one.kind === 'vector' && !one.isHidden);
  const copy = (what: string, text: string) =>
    void navigator.clipboard.writeText(text).then(() => showToast(`Copied ${what}`), showError);
  const readable = columns.filter((one) => one.kind !== 'media' && one.kind !== 'vector' && !one.isHidden);
  const only = filter('only', 'Only rows with this value', <ListFilter />, false);
  return [
    {
      id: 'open',
      label: 'Open the row',
      icon: <PanelRight />,
      keys: 'Space',
      onSelect: () => onOpenRow(row),
    },
    vector
      ? {
          id: 'similar',
          label: 'Similar rows',
          icon: <Sparkles />,
          onSelect: () =>
            setView({ search: { kind: 'similar', rowId: row.id, column: vector.name }, sort: [], at: 0 }),
        }
      : null,
    only && 'line',
    only,
    filter('without', 'Only rows without it', <ListFilterPlus />, true),
    'line',
    column.kind !== 'media' && {
      id: 'copy',
      label: `Copy ${column.name}`,
      icon: <Copy />,
      keys: 'Mod+C',
      onSelect: () =>
        copy(column.name, value === null || value === undefined ? '' : formatValue(value, column.parsed)),
    },
    {
      id: 'copyRow',
      label: 'Copy the row as JSON',
      icon: <Braces />,
      onSelect: () => copy('the row', formatJson([row.value], readable)),
    },
  ];
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
