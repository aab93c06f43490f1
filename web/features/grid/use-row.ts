import { useQuery } from '@tanstack/react-query';
import { notFound } from '#shared/api/problem.ts';
import { callArrow } from '../../api/index.ts';
import type { GridRow, RowSource } from './model/row-source.ts';
import { createStaticSource } from './model/static-source.ts';

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
