import {
  Braces,
  ChartColumn,
  Copy,
  Group,
  History,
  ListFilter,
  ListFilterPlus,
  PanelRight,
  Sparkles,
  Ungroup,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { openCellHistory } from '../../../state/cell-history.ts';
import { type MenuEntry, showError, showToast } from '../../../ui/index.ts';
import { openFilter } from '../../filter/index.ts';
import { formatValue, type GridColumn, type GridRow, wholeRow, whyNotSortable } from '../../grid/index.ts';
import { conditionOfCell } from '../model/filter-by-cell.ts';
import { formatJson } from '../model/format-rows.ts';
import type { RowsPaneProps } from './rows-pane.tsx';

type ActionProps = Pick<RowsPaneProps, 'table' | 'columns' | 'view' | 'setView' | 'onOpenRow' | 'onDescribe'>;

/** What the menu of a column offers beside what every grid does. */
export const columnActions = (column: GridColumn, { onDescribe, view, setView }: ActionProps): MenuEntry[] =>
  column.name.startsWith('_')
    ? []
    : [
        {
          id: 'filter',
          label: 'Filter by this…',
          icon: <ListFilter />,
          onSelect: () => setTimeout(() => openFilter({ column: column.name })),
        },
        view.group === column.name
          ? {
              id: 'ungroup',
              label: 'Do not group',
              icon: <Ungroup />,
              onSelect: () => setView({ group: null, at: 0 }),
            }
          : whyNotSortable(column) === null &&
            !view.search && {
              id: 'group',
              label: 'Group by this',
              icon: <Group />,
              onSelect: () => setView({ group: column.name, at: 0 }),
            },
        { id: 'describe', label: 'Describe', icon: <ChartColumn />, onSelect: () => onDescribe(column.name) },
      ];

/** What a right click on a cell offers. */
export function cellActions(
  row: GridRow,
  column: GridColumn,
  { table, columns, view, setView, onOpenRow }: ActionProps,
): MenuEntry[] {
  const value = row.value(column.name);
  const filter = (id: string, label: string, icon: ReactNode, isNegated: boolean): MenuEntry => {
    const condition =
      column.name.startsWith('_') || row.cut?.has(column.name)
        ? null
        : conditionOfCell(column, value, isNegated);
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
  const copy = (what: string, textOf: (whole: GridRow) => string) =>
    void wholeRow(table, row)
      .then((whole) => navigator.clipboard.writeText(textOf(whole)))
      .then(() => showToast(`Copied ${what}`), showError);
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
    column.name.startsWith('_')
      ? null
      : {
          id: 'history',
          label: `History of ${column.name}`,
          icon: <History />,
          onSelect: () => {
            openCellHistory({ rowId: row.id, column: column.name });
            onOpenRow(row);
          },
        },
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
        copy(column.name, (whole) => {
          const stored = whole.value(column.name);
          return stored === null || stored === undefined ? '' : formatValue(stored, column.parsed);
        }),
    },
    {
      id: 'copyRow',
      label: 'Copy the row as JSON',
      icon: <Braces />,
      onSelect: () => copy('the row', (whole) => formatJson([whole.value], readable)),
    },
  ];
}
