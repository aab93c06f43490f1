import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { notFound } from '#shared/api/problem.ts';
import { callArrow } from '../../api/index.ts';
import { createStaticSource, type GridRow, type RowSource } from '../grid/index.ts';

/** A row by its id: from the rows that are there, else asked for alone. */
export function useRow({
  table,
  ref,
  rowId,
  source,
}: {
  table: string;
  ref: string;
  rowId: string;
  source: RowSource;
}): { row: GridRow | undefined; error: unknown; isLoading: boolean } {
  const held = source.find(rowId);
  const query = useQuery({
    queryKey: ['row', table, ref, rowId],
    queryFn: async ({ signal }) => {
      const rows = await callArrow('rowsPost', {
        params: { table },
        body: { ref, where: `_rowid = ${rowId}`, limit: 1 },
        signal,
      });
      const row = createStaticSource(rows).rowAt(0);
      if (!row) throw notFound(`Row ${rowId}`, 'It was deleted on this version, or the link is mistyped.');
      return row;
    },
    enabled: held === undefined && !source.getState().isLoading,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { row: held ?? query.data, error: held ? null : query.error, isLoading: !held && query.isPending };
}

export interface SimilarOptions {
  table: string;
  ref: string;
  rowId: string;
  /** The vector column to go by. */
  column: string;
  /** Columns to bring along. */
  columns: string[];
  isEnabled: boolean;
}

const similarRows = 12;

/** The nearest rows to a row, itself left out. The ones before stay until the new are there. */
export const useSimilarRows = ({ table, ref, rowId, column, columns, isEnabled }: SimilarOptions) =>
  useQuery({
    queryKey: ['similar', table, ref, rowId, column, columns],
    queryFn: async ({ signal }) => {
      const rows = await callArrow('search', {
        params: { table },
        body: { ref, mode: 'vector', rowId, column, columns, k: similarRows + 1 },
        signal,
      });
      const source = createStaticSource(rows);
      const found = Array.from({ length: rows.table.numRows }, (_none, at) => source.rowAt(at)).filter(
        (row) => row !== undefined && row.id !== rowId,
      );
      return { rows: found.slice(0, similarRows) as GridRow[], isExact: rows.facts.isExact };
    },
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
