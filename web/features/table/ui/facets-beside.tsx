import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useStore } from 'zustand';
import type { TableDetail } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import type { TableView } from '../../../state/table-view.ts';
import type { SetTableView } from '../../../state/use-table-view.ts';
import { Split } from '../../../ui/index.ts';
import { type GridColumn, type GridLayout, isShown, orderColumns, TypeGlyph } from '../../grid/index.ts';
import { facetsOpen, toggleFacets } from '../facets-open.ts';
import { whereOfSelection } from '../model/where-of-selection.ts';

const FacetRail = lazy(() =>
  import('../../facets/index.ts').then((module) => ({ default: module.FacetRail })),
);

export interface FacetsBesideProps {
  table: string;
  detail: TableDetail | undefined;
  columns: readonly GridColumn[];
  layout: GridLayout;
  view: TableView;
  setView: SetTableView;
  children: ReactNode;
}

/** The rows, with the distributions of their columns at the left where one wants them. */
export function FacetsBeside({ table, detail, columns, layout, view, setView, children }: FacetsBesideProps) {
  const { isOpen } = useStore(facetsOpen);
  const shown = useMemo(
    () =>
      orderColumns(columns, layout).filter(
        (column) => isShown(column, layout) && !column.name.startsWith('_'),
      ),
    [columns, layout],
  );
  const names = useMemo(() => shown.map(({ name }) => name), [shown]);
  return (
    <Split
      name="facets"
      label="the facets"
      sized="start"
      initial={288}
      min={224}
      minRest={320}
      start={
        isOpen ? (
          <Suspense fallback={<aside aria-label="Facets" aria-busy="true" />}>
            <FacetRail
              table={table}
              detail={detail}
              refText={detail ? formatRef(detail.ref) : view.refText}
              columns={names}
              conditions={view.conditions}
              marked={whereOfSelection(view.selection)}
              hasSearch={view.search !== null}
              glyphOf={(name) => {
                const column = shown.find((one) => one.name === name);
                return column && <TypeGlyph column={column} />;
              }}
              onConditions={(conditions) => setView({ conditions, at: 0 })}
              onClose={() => toggleFacets(false)}
            />
          </Suspense>
        ) : null
      }
      end={children}
    />
  );
}
