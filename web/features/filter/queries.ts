import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callJson } from '../../api/index.ts';

const forEver = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

/** How many rows a predicate matches; the last answer stays while the next is on its way. */
export const useMatchCount = (table: string, ref: string, where: string | undefined, isEnabled: boolean) =>
  useQuery({
    queryKey: ['count', table, ref, where ?? ''],
    queryFn: ({ signal }) =>
      callJson('countRows', { params: { table }, body: { ref, ...(where ? { where } : {}) }, signal }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    ...forEver,
  });

/** The most frequent values of a column, or its bounds. */
export const useColumnProfile = (table: string, ref: string, column: string | null) =>
  useQuery({
    queryKey: ['profile', table, ref, column],
    queryFn: async ({ signal }) => {
      const answer = await callJson('profile', {
        params: { table },
        body: { ref, columns: [column ?? ''] },
        signal,
      });
      return answer.columns[0] ?? null;
    },
    enabled: column !== null,
    ...forEver,
  });
