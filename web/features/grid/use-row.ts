import { useQuery } from '@tanstack/react-query';
import type { GridRow, RowSource } from './model/row-source.ts';
import { fetchRow } from './whole-row.ts';

/** A row by its id, whole: from the rows that are there, else (also where its texts came cut) asked for alone. */
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
  const found = source.find(rowId);
  const held = found?.cut ? undefined : found;
  const query = useQuery({
    queryKey: ['row', table, ref, rowId],
    queryFn: ({ signal }) => fetchRow({ table, ref, rowId }, signal),
    enabled: held === undefined && !source.getState().isLoading,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const whole = query.data && found ? { ...query.data, index: found.index } : query.data;
  return { row: held ?? whole, error: held ? null : query.error, isLoading: !held && query.isPending };
}
