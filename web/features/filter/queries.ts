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

/** The spread of many columns at once, over the rows that match; the last answer stays while the next is on its way. */
export const useColumnProfiles = ({
  table,
  ref,
  where,
  columns,
  isEnabled,
}: {
  table: string;
  ref: string;
  where: string | undefined;
  columns: readonly string[];
  isEnabled: boolean;
}) =>
  useQuery({
    queryKey: ['profiles', table, ref, where ?? '', columns],
    queryFn: async ({ signal }) => {
      const body = { ref, columns: [...columns], ...(where ? { where } : {}) };
      const answer = await callJson('profile', { params: { table }, body, signal });
      return new Map(answer.columns.map((column) => [column.name, column]));
    },
    enabled: isEnabled && columns.length > 0,
    placeholderData: keepPreviousData,
    ...forEver,
  });
