import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { ColumnProfile } from '#shared/api/tables.ts';
import { callJson } from '../../api/index.ts';

const forEver = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

interface Question {
  table: string;
  ref: string;
  columns: readonly string[];
  isEnabled: boolean;
}

let last: Promise<unknown> = Promise.resolve();

/** One column at a time, so that the SQL that somebody runs meanwhile finds an engine. */
function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const turn = last.then(() => {
    signal.throwIfAborted();
    return work();
  });
  last = turn.catch(() => undefined);
  return turn;
}

/** Figures of a column over every row. */
export interface ExactFigures {
  profile: ColumnProfile | undefined;
  isCounting: boolean;
  error: unknown;
}

/** Figures over every row of the columns that were only sampled, one after the other. */
export const useExactFigures = ({
  table,
  ref,
  where,
  columns,
  isEnabled,
}: Question & { where: string | undefined }): ReadonlyMap<string, ExactFigures> =>
  useQueries({
    queries: columns.map((column) => ({
      queryKey: ['profileExact', table, ref, where ?? '', column],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        inTurn(signal, async () => {
          const body = { ref, columns: [column], isExact: true, ...(where === undefined ? {} : { where }) };
          const answer = await callJson('profile', { params: { table }, body, signal });
          return answer.columns[0] ?? null;
        }),
      enabled: isEnabled,
      ...forEver,
    })),
    combine: (results) =>
      new Map(
        results.map(({ data, isFetching, error }, at) => [
          columns[at] ?? '',
          { profile: data ?? undefined, isCounting: isFetching, error },
        ]),
      ),
  });

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
