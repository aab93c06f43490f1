import {
  ChartBarStacked,
  ChartColumnBig,
  ChartLine,
  ChartNoAxesColumn,
  GalleryThumbnails,
  History,
  Rows2,
  Rows3,
  Rows4,
  Table2,
} from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import type { TableDetail } from '#shared/api/tables.ts';
import { runCommand, useCommands } from '../../../state/commands.ts';
import type { TableView, ViewName } from '../../../state/table-view.ts';
import type { SetTableView } from '../../../state/use-table-view.ts';
import { Chip, IconButton, Segmented, Spacer } from '../../../ui/index.ts';
import { FilterButton } from '../../filter/index.ts';
import { type Density, densityOf, type GridColumn, type GridLayout } from '../../grid/index.ts';
import { facetsOpen, toggleFacets } from '../facets-open.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { GoToRow, type GoToRowProps } from './go-to-row.tsx';
import styles from './table.module.css';

const GalleryTools = lazy(() =>
  import('../../gallery/index.ts').then((module) => ({ default: module.GalleryTools })),
);
const Chips = lazy(() => import('./view-chips.tsx').then((module) => ({ default: module.ViewChips })));

export interface TableToolsProps {
  table: string;
  detail: TableDetail | undefined;
  pinnedRef: string;
  view: TableView;
  setView: SetTableView;
  columns: readonly GridColumn[];
  layout: GridLayout;
  onLayoutChange: (layout: GridLayout) => void;
  goTo: GoToRowProps;
}

/** Filter, order and search as chips; the views; how the rows look. */
export function TableTools({
  table,
  detail,
  pinnedRef,
  view,
  setView,
  columns,
  layout,
  onLayoutChange,
  goTo,
}: TableToolsProps) {
  const { isOpen: isFacetsOpen } = useStore(facetsOpen);
  useCommands([
    {
      id: 'table.facets',
      title: isFacetsOpen ? 'Hide the facets' : 'Show facets beside the rows',
      group: 'View',
      keys: ['Shift+F'],
      whyNot: () =>
        view.view === 'grid' || view.view === 'gallery' ? null : 'Facets stand beside grid and gallery.',
      run: () => toggleFacets(),
    },
    {
      id: 'table.summaries',
      title: layout.hasSummaries ? 'Hide the column summaries' : 'Show how the columns are spread',
      group: 'View',
      keys: ['s'],
      run: () => onLayoutChange({ ...layout, hasSummaries: !layout.hasSummaries }),
    },
  ]);
  const hasChips =
    view.conditions.length > 0 ||
    view.sort.length > 0 ||
    view.group !== null ||
    view.search?.kind === 'similar';
  return (
    <>
      {view.view !== 'history' && (
        <>
          <FilterButton
            table={table}
            refText={pinnedRef}
            columns={detail?.columns ?? []}
            conditions={view.conditions}
            onChange={(conditions) => setView({ conditions, at: 0 })}
          />
          <div className={styles.chips}>
            {hasChips && detail && (
              <Suspense
                fallback={view.conditions.map((condition) => (
                  <Chip key={condition.sql} name={condition.sql}>
                    {condition.sql}
                  </Chip>
                ))}
              >
                <Chips
                  table={table}
                  pinnedRef={pinnedRef}
                  columns={detail.columns}
                  view={view}
                  setView={setView}
                />
              </Suspense>
            )}
          </div>
        </>
      )}
      {view.view === 'history' && <Spacer />}
      {(view.view === 'grid' || view.view === 'gallery') && (
        <IconButton
          label="Facets"
          keys="Shift+F"
          icon={<ChartBarStacked />}
          isPressed={isFacetsOpen}
          onClick={() => runCommand('table.facets')}
        />
      )}
      {view.view === 'grid' && (
        <IconButton
          label="Column summaries"
          keys="s"
          icon={<ChartNoAxesColumn />}
          isPressed={layout.hasSummaries}
          onClick={() => runCommand('table.summaries')}
        />
      )}
      {view.view === 'grid' && (
        <Segmented<Density>
          label="Row height"
          value={densityOf(layout, columns)}
          onChange={(density) => onLayoutChange({ ...layout, density })}
          options={[
            { value: 'compact', label: 'Compact rows', icon: <Rows4 />, isIconOnly: true },
            { value: 'regular', label: 'Regular rows', icon: <Rows3 />, isIconOnly: true },
            { value: 'tall', label: 'Tall rows', icon: <Rows2 />, isIconOnly: true },
          ]}
        />
      )}
      {view.view === 'gallery' && (
        <Suspense fallback={null}>
          <GalleryTools table={table} columns={columns} />
        </Suspense>
      )}
      {view.view !== 'history' && <GoToRow {...goTo} />}
      {view.view === 'grid' && (
        <ColumnChooser columns={columns} layout={layout} onLayoutChange={onLayoutChange} />
      )}
      <Segmented<ViewName>
        label="View"
        value={view.view}
        onChange={(name) => setView({ view: name })}
        options={[
          { value: 'grid', label: 'Grid', icon: <Table2 />, keys: '1' },
          { value: 'gallery', label: 'Gallery', icon: <GalleryThumbnails />, keys: '2' },
          { value: 'profile', label: 'Profile', icon: <ChartColumnBig />, keys: '3' },
          { value: 'chart', label: 'Chart', icon: <ChartLine />, keys: '4' },
          { value: 'history', label: 'History', icon: <History />, keys: '5' },
        ]}
      />
    </>
  );
}
