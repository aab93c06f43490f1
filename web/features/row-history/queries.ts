import { useInfiniteQuery } from '@tanstack/react-query';
import type { RowHistory } from '#shared/api/history.ts';
import { callJson } from '../../api/index.ts';

export interface RowHistoryAsked {
  table: string;
  /** Pinned, so that the answer never changes. */
  pinnedRef: string;
  rowId: string;
  column?: string;
}

/** What was done to a row or a cell, page by page; `whole` is what the pages say together. */
export function useRowHistory({ table, pinnedRef, rowId, column }: RowHistoryAsked) {
  const query = useInfiniteQuery({
    queryKey: ['table', table, 'row-history', pinnedRef, rowId, column ?? null],
    queryFn: ({ signal, pageParam }) =>
      callJson('rowHistory', {
        params: { table },
        body: { ref: pinnedRef, rowId, column, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const last = query.data?.pages.at(-1);
  const events = query.data?.pages.flatMap((page) => page.events) ?? [];
  const whole: RowHistory | null = last ? { ...last, events } : null;
  return { ...query, whole };
}
