import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { TableSummary } from '#shared/api/tables.ts';
import { callJson } from './client.ts';

/** Keys of the queries that several features share. */
export const queryKeys = {
  session: ['session'] as const,
  table: (table: string) => ['table', table] as const,
  describe: (table: string, ref: string) => ['table', table, 'describe', ref] as const,
  jobs: ['jobs'] as const,
};

/** Who I am, and all tables with the heads of their branches. */
export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  queryFn: ({ signal }) => callJson('session', { signal }),
  staleTime: 15_000,
  refetchOnWindowFocus: 'always',
});

export const useSession = () => useQuery(sessionQuery);

/** One table as the session knows it: a name, its branches' heads. */
export const useTableSummary = (table: string): TableSummary | undefined =>
  useSession().data?.tables.find((one) => one.name === table);

/** One table at a ref: columns, key, indexes, tags, branches. */
export const describeQuery = (table: string, ref: string) =>
  queryOptions({
    queryKey: queryKeys.describe(table, ref),
    queryFn: ({ signal }) => callJson('describeTable', { params: { table }, query: { ref }, signal }),
    staleTime: /:\d+$/.test(ref) ? Number.POSITIVE_INFINITY : 15_000,
  });

export const useTableDetail = (table: string, ref: string) => useQuery(describeQuery(table, ref));

/** After heads moved (an edit, a merge, a branch made or deleted, an import): everything that names a head is asked again. */
export async function refreshHeads(client: QueryClient, table?: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.session }),
    client.invalidateQueries({ queryKey: table === undefined ? ['table'] : queryKeys.table(table) }),
  ]);
}
