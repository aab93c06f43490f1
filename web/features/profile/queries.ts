import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callJson } from '../../api/index.ts';

const forEver = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

interface Question {
  table: string;
  ref: string;
  columns: readonly string[];
  isEnabled: boolean;
}

/** What only vectors, texts, lists, media and times have. */
export const useColumnDetails = ({
  table,
  ref,
  where,
  columns,
  isEnabled,
}: Question & { where: string | undefined }) =>
  useQuery({
    queryKey: ['profileDetails', table, ref, where ?? '', columns],
    queryFn: async ({ signal }) => {
      const answer = await callJson('profileDetails', {
        params: { table },
        body: { ref, columns: [...columns], ...(where === undefined ? {} : { where }) },
        signal,
      });
      return new Map(answer.columns.map((detail) => [detail.column, detail]));
    },
    enabled: isEnabled && columns.length > 0,
    placeholderData: keepPreviousData,
    ...forEver,
  });

/** How far each pair of columns goes together. */
export const useAssociations = ({
  table,
  ref,
  conditions,
  columns,
  isEnabled,
}: Question & { conditions: readonly string[] }) =>
  useQuery({
    queryKey: ['associations', table, ref, conditions, columns],
    queryFn: ({ signal }) =>
      callJson('associations', {
        params: { table },
        body: { ref, columns: [...columns], conditions: [...conditions] },
        signal,
      }),
    enabled: isEnabled && columns.length > 1,
    placeholderData: keepPreviousData,
    ...forEver,
  });
