import type { OrderBy } from '#shared/api/tables.ts';
import type { TableView } from '../../../state/table-view.ts';

/** The order of the rows: by the column that they are grouped by first, then as the person sorted. */
export function orderOf({ group, sort }: Pick<TableView, 'group' | 'sort'>): readonly OrderBy[] {
  if (group === null) return sort;
  return [
    sort.find(({ column }) => column === group) ?? { column: group },
    ...sort.filter(({ column }) => column !== group),
  ];
}
