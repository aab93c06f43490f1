import type { OrderBy } from '#shared/api/tables.ts';
import { type ArrowRows, callArrow } from '../../../api/index.ts';
import type { TableSearch } from '../../../state/table-view.ts';
import {
  createLoadedSource,
  createWindowSource,
  type RowSource,
  type WindowRequest,
} from '../../grid/index.ts';

export interface RowsWanted {
  table: string;
  refText: string;
  where?: string;
  sort: readonly OrderBy[];
  search: TableSearch | null;
  /** As many of a search's best rows. */
  k?: number;
}

const longestQuery = 1800;
/** More of a text is not seen in a grid; what is cut is asked for when a row is opened. */
const maxCellBytes = 4096;

/** The rows of a table or of a search in it, as a source for the grid and the gallery. */
export const createRowSource = (wanted: RowsWanted): RowSource =>
  wanted.search ? createSearchSource(wanted, wanted.search) : createTableSource(wanted);

const placeKeyOf = ({ table, refText, where, sort, search }: RowsWanted): string =>
  JSON.stringify([table, refText, where, sort, search]);

function createTableSource(wanted: RowsWanted): RowSource {
  return createWindowSource({
    placeKey: placeKeyOf(wanted),
    load: (request, signal) => loadWindow(wanted, request, signal),
  });
}

function loadWindow(
  { table, refText, where, sort }: RowsWanted,
  { offset, limit, pinnedRef, columns }: WindowRequest,
  signal: AbortSignal,
): Promise<ArrowRows> {
  const body = {
    ref: pinnedRef ?? refText,
    ...(columns ? { columns } : {}),
    ...(where ? { where } : {}),
    ...(sort.length > 0 ? { orderBy: [...sort] } : {}),
    offset,
    limit,
    maxCellBytes,
  };
  const q = JSON.stringify(body);
  return q.length <= longestQuery
    ? callArrow('rowsGet', { params: { table }, query: { q }, signal })
    : callArrow('rowsPost', { params: { table }, body, signal });
}

const mostFound = 500;

function createSearchSource(wanted: RowsWanted, search: TableSearch): RowSource {
  const { table, refText, where, k = mostFound } = wanted;
  const what =
    search.kind === 'text'
      ? { mode: 'text' as const, text: search.text }
      : { mode: 'vector' as const, rowId: search.rowId, ...(search.column ? { column: search.column } : {}) };
  return createLoadedSource({
    placeKey: placeKeyOf(wanted),
    load: (signal) =>
      callArrow('search', {
        params: { table },
        body: { ref: refText, ...what, ...(where ? { where } : {}), k },
        signal,
      }),
  });
}
