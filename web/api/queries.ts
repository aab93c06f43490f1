import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { ReviewSummary } from '#shared/api/reviews.ts';
import type { TableSummary } from '#shared/api/tables.ts';
import { callJson } from './client.ts';

/** Keys of the queries that several features share. */
export const queryKeys = {
  session: ['session'] as const,
  table: (table: string) => ['table', table] as const,
  describe: (table: string, ref: string) => ['table', table, 'describe', ref] as const,
  jobs: ['jobs'] as const,
  reviews: ['reviews'] as const,
};

/** Who I am, and all tables with the heads of their branches. */
export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  queryFn: ({ signal }) => callJson('session', { signal }),
  staleTime: 15_000,
  refetchOnWindowFocus: 'always',
  refetchInterval: 30_000,
});

export const useSession = () => useQuery(sessionQuery);

/** One table as the session knows it: a name, its branches' heads. */
export const useTableSummary = (table: string): TableSummary | undefined =>
  useSession().data?.tables.find((one) => one.name === table);

/** One table at a ref: columns, key, indexes, tags, branches. Asked again only when this page moved a head: what is on the screen does not change by itself. */
export const describeQuery = (table: string, ref: string) =>
  queryOptions({
    queryKey: queryKeys.describe(table, ref),
    queryFn: ({ signal }) => callJson('describeTable', { params: { table }, query: { ref }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useTableDetail = (table: string, ref: string) => useQuery(describeQuery(table, ref));

/** The open reviews of a table; asked for only where the session says that there are some. */
export function useOpenReviews(table: string): readonly ReviewSummary[] {
  const open = useSession().data?.reviews?.tables[table] ?? 0;
  const { data } = useQuery({
    queryKey: [...queryKeys.reviews, 'open', table],
    queryFn: ({ signal }) => callJson('listReviews', { query: { table, state: 'open', limit: 500 }, signal }),
    enabled: open > 0,
    staleTime: 30_000,
  });
  return open > 0 ? (data?.reviews ?? []) : [];
}

/** Counts how often this page moved the heads of a table, so that unpinned refs are resolved anew after own changes only. */
const headMoves = createStore<{ all: number; byTable: Readonly<Record<string, number>> }>(() => ({
  all: 0,
  byTable: {},
}));

export const useHeadMoves = (table: string): number =>
  useStore(headMoves, (state) => state.all + (state.byTable[table] ?? 0));

/** After heads moved (an edit, a merge, a branch made or deleted, an import): everything that names a head is asked again. */
export async function refreshHeads(client: QueryClient, table?: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.session }),
    client.invalidateQueries({ queryKey: table === undefined ? ['table'] : queryKeys.table(table) }),
  ]);
  countHeadMove(table);
}

/** This page moved a head of the table, or of any table: unpinned refs are resolved anew. */
export const countHeadMove = (table?: string): void =>
  headMoves.setState(({ all, byTable }) =>
    table === undefined
      ? { all: all + 1, byTable }
      : { all, byTable: { ...byTable, [table]: (byTable[table] ?? 0) + 1 } },
  );

/** All saved queries that this person sees, the last changed first. */
export const savedQueriesQuery = queryOptions({
  queryKey: ['queries', 'list'],
  queryFn: async ({ signal }) => (await callJson('listQueries', { query: {}, signal })).queries,
  staleTime: 10_000,
});
