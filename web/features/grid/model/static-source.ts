import type { ArrowRows } from '../../../api/arrow-rows.ts';
import type { GridRow, RowSource, RowsState } from './row-source.ts';
import { createRowReader } from './rows-of-table.ts';

/** A source over rows that are all there, such as a result of SQL. */
export function createStaticSource(rows: ArrowRows): RowSource {
  const { rowAt, find } = createRowReader(rows, 0);
  const total = rows.table.numRows;
  const state: RowsState = { total, facts: rows.facts, isLoading: false, error: null, revision: 1 };
  return {
    subscribe: () => () => {},
    getState: () => state,
    rowAt,
    find,
    show: () => {},
    idsOf: async (first, last) => spanOf(first, last, total).map((index) => (rowAt(index) as GridRow).id),
    retry: () => {},
    close: () => {},
  };
}

const spanOf = (first: number, last: number, total: number): number[] => {
  const start = Math.max(0, first);
  const end = Math.min(total - 1, last);
  return Array.from({ length: Math.max(0, end - start + 1) }, (_none, at) => start + at);
};
