import { lazy, Suspense, useMemo } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import type { TableView } from '../../../state/table-view.ts';
import type { SetTableView } from '../../../state/use-table-view.ts';
import { type GridColumn, type GridLayout, isShown, orderColumns, TypeGlyph } from '../../grid/index.ts';
import { whereOfSelection } from '../model/where-of-selection.ts';

const ProfileView = lazy(() =>
  import('../../profile/index.ts').then((module) => ({ default: module.ProfileView })),
);

const TableChart = lazy(() =>
  import('../../charts/index.ts').then((module) => ({ default: module.TableChart })),
);

export interface SummaryPaneProps {
  table: string;
  detail: TableDetail | undefined;
  columns: readonly GridColumn[];
  layout: GridLayout;
  view: TableView;
  setView: SetTableView;
}

/** The rows summed up instead of listed: their profile, or a chart of them. */
export function SummaryPane({ table, detail, columns, layout, view, setView }: SummaryPaneProps) {
  const shown = useMemo(
    () =>
      orderColumns(columns, layout).filter(
        (column) => isShown(column, layout) && !column.name.startsWith('_'),
      ),
    [columns, layout],
  );
  const names = useMemo(() => shown.map(({ name }) => name), [shown]);
  if (view.view === 'chart')
    return (
      <Suspense fallback={<section aria-label="Chart" aria-busy="true" />}>
        <TableChart
          table={table}
          detail={detail}
          conditions={view.conditions}
          selected={whereOfSelection(view.selection)}
          chart={view.chart}
          onChart={(chart) => setView({ chart })}
          onConditions={(conditions) => setView({ conditions, at: 0 })}
        />
      </Suspense>
    );
  return (
    <Suspense fallback={<section aria-label="Profile" aria-busy="true" />}>
      <ProfileView
        table={table}
        detail={detail}
        columns={names}
        conditions={view.conditions}
        marked={whereOfSelection(view.selection)}
        glyphOf={(name) => {
          const column = shown.find((one) => one.name === name);
          return column && <TypeGlyph column={column} />;
        }}
        onConditions={(conditions) => setView({ conditions, at: 0 })}
      />
    </Suspense>
  );
}
