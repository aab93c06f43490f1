import type { OrderBy } from '#shared/api/tables.ts';

export type SortState = readonly OrderBy[];

/** What a click on a header makes of the order: ascending, descending, none; alone or added to the others. */
export function planSortClick(sort: SortState, column: string, isAdding: boolean): OrderBy[] {
  const current = sort.find((one) => one.column === column);
  const next: OrderBy | null = !current ? { column } : current.desc ? null : { ...current, desc: true };
  if (!isAdding) return next ? [next] : [];
  if (!current) return next ? [...sort, next] : [...sort];
  return sort.flatMap((one) => (one.column === column ? (next ? [next] : []) : [one]));
}

/** The order with a column set to a direction, in its place or at the end. */
export function planSortBy(sort: SortState, column: string, isDesc: boolean, isAdding: boolean): OrderBy[] {
  const nulls = sort.find((one) => one.column === column)?.nulls;
  const wanted: OrderBy = { column, ...(isDesc ? { desc: true } : {}), ...(nulls ? { nulls } : {}) };
  if (!isAdding) return [wanted];
  return sort.some((one) => one.column === column)
    ? sort.map((one) => (one.column === column ? wanted : one))
    : [...sort, wanted];
}

/** The order with the rows that have no value in a column at its beginning, or at its end again. */
export const planNulls = (sort: SortState, column: string, isFirst: boolean): OrderBy[] =>
  sort.map((one) => {
    if (one.column !== column) return one;
    const { nulls: _nulls, ...rest } = one;
    return isFirst ? { ...rest, nulls: 'first' } : rest;
  });
