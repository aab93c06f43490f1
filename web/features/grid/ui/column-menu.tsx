import {
  ArrowDownWideNarrow,
  ArrowLeft,
  ArrowRight,
  ArrowUpNarrowWide,
  EyeOff,
  Pin,
  PinOff,
  UnfoldHorizontal,
} from 'lucide-react';
import type { OrderBy } from '#shared/api/tables.ts';
import type { MenuEntry } from '../../../ui/index.ts';
import type { GridColumn } from '../model/grid-column.ts';
import { type GridLayout, nudgeColumn, setPinned, setShown } from '../model/grid-layout.ts';
import { planNulls, planSortBy, type SortState } from '../model/plan-sort.ts';

export interface ColumnMenuContext {
  columns: readonly GridColumn[];
  layout: GridLayout;
  onLayoutChange: (layout: GridLayout) => void;
  sort: SortState;
  onSort?: (sort: OrderBy[]) => void;
  onFit: (column: GridColumn) => void;
  extra?: (column: GridColumn) => MenuEntry[];
}

/** Why a column has no order that a person would mean; null when it can be sorted. */
export const whyNotSortable = (column: GridColumn): string | null =>
  ['media', 'vector', 'list', 'struct', 'json', 'binary'].includes(column.kind)
    ? `${column.kind === 'media' ? 'Media' : 'These values'} have no order`
    : null;

/** What can be done with a column from its header. */
export function columnMenu(column: GridColumn, context: ColumnMenuContext): MenuEntry[] {
  const { layout, onLayoutChange, sort, onSort } = context;
  const isPinned = layout.pinned.includes(column.name);
  const isSorted = sort.some((one) => one.column === column.name);
  const sorting: MenuEntry[] =
    onSort && whyNotSortable(column) === null
      ? [
          ...([false, true] as const).map(
            (isDesc): MenuEntry => ({
              id: isDesc ? 'desc' : 'asc',
              label: isDesc ? 'Sort descending' : 'Sort ascending',
              icon: isDesc ? <ArrowDownWideNarrow /> : <ArrowUpNarrowWide />,
              onSelect: () => onSort(planSortBy(sort, column.name, isDesc, false)),
            }),
          ),
          sort.length > 0 &&
            !isSorted && {
              id: 'add',
              label: 'Then sort by this',
              onSelect: () => onSort(planSortBy(sort, column.name, false, true)),
            },
          isSorted && {
            id: 'nulls',
            label: 'Rows without a value first',
            isChecked: sort.some((one) => one.column === column.name && one.nulls === 'first'),
            onSelect: () =>
              onSort(
                planNulls(
                  sort,
                  column.name,
                  sort.some((one) => one.column === column.name && one.nulls !== 'first'),
                ),
              ),
          },
          isSorted && {
            id: 'unsort',
            label: 'Do not sort by this',
            onSelect: () => onSort(sort.filter((one) => one.column !== column.name)),
          },
          'line',
        ]
      : [];
  const extra = context.extra?.(column) ?? [];
  return [
    { heading: `${column.name} · ${column.type}` },
    ...sorting,
    ...extra,
    extra.length > 0 && 'line',
    isPinned
      ? {
          id: 'unpin',
          label: 'Unpin',
          icon: <PinOff />,
          onSelect: () => onLayoutChange(setPinned(layout, column.name, false)),
        }
      : {
          id: 'pin',
          label: 'Pin left',
          icon: <Pin />,
          onSelect: () => onLayoutChange(setPinned(layout, column.name, true)),
        },
    {
      id: 'left',
      label: 'Move left',
      icon: <ArrowLeft />,
      onSelect: () => onLayoutChange(nudgeColumn(layout, context.columns, column.name, -1)),
    },
    {
      id: 'right',
      label: 'Move right',
      icon: <ArrowRight />,
      onSelect: () => onLayoutChange(nudgeColumn(layout, context.columns, column.name, 1)),
    },
    { id: 'fit', label: 'Size to fit', icon: <UnfoldHorizontal />, onSelect: () => context.onFit(column) },
    {
      id: 'hide',
      label: 'Hide',
      icon: <EyeOff />,
      onSelect: () => onLayoutChange(setShown(layout, column, false)),
    },
  ];
}
