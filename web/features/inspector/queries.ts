import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callArrow } from '../../api/index.ts';
import { createStaticSource, type GridRow } from '../grid/index.ts';

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
