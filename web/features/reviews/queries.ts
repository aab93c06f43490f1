import { type QueryClient, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import type { Review, ReviewStanding, ReviewSummary, ReviewsQuery } from '#shared/api/reviews.ts';
import { callJson, queryKeys } from '../../api/index.ts';

export type ReviewsFilter = Pick<ReviewsQuery, 'state'> & { table?: string; text?: string };

const pageSize = 50;
const refreshMs = 30_000;

export const reviewKeys = {
  list: (filter: ReviewsFilter) => [...queryKeys.reviews, 'list', filter] as const,
  standings: (page: readonly ReviewSummary[]) =>
    [...queryKeys.reviews, 'list', 'standings', page.map(({ id, updatedAt }) => [id, updatedAt])] as const,
  detail: (id: string) => [...queryKeys.reviews, 'detail', id] as const,
  checks: (table: string, branch: string) => [...queryKeys.reviews, 'checks', table, branch] as const,
  rules: (table: string) => [...queryKeys.reviews, 'rules', table] as const,
};

/** Reviews that pass the filter, page by page, with counts by state. What was shown stays until the new is there. */
export function useReviews(filter: ReviewsFilter) {
  const query = useInfiniteQuery({
    queryKey: reviewKeys.list(filter),
    queryFn: ({ signal, pageParam }) =>
      callJson('listReviews', { query: { ...filter, offset: pageParam, limit: pageSize }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.reviews.length, 0);
      return last.reviews.length === 0 || loaded >= last.total ? undefined : loaded;
    },
    staleTime: 5_000,
    refetchOnWindowFocus: 'always',
    placeholderData: (before) => before,
  });
  const pages = query.data?.pages ?? [];
  return {
    ...query,
    reviews: pages.flatMap((page) => page.reviews),
    counts: pages[0]?.counts ?? null,
    total: pages[0]?.total ?? 0,
  };
}

/** How the open ones of some reviews stand, by their number; filled in after the list, which does not wait for it. */
export function useStandings(reviews: readonly ReviewSummary[]): ReadonlyMap<string, ReviewStanding> {
  const open = reviews.filter(({ state }) => state === 'open');
  const pages = Array.from({ length: Math.ceil(open.length / pageSize) }, (_, at) =>
    open.slice(at * pageSize, (at + 1) * pageSize),
  );
  return useQueries({
    queries: pages.map((page) => ({
      queryKey: reviewKeys.standings(page),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callJson('readStandings', { body: { ids: page.map(({ id }) => id) }, signal }),
      staleTime: 5_000,
    })),
    combine: combineStandings,
  });
}

const combineStandings = (
  results: readonly { data?: { standings: readonly ReviewStanding[] } }[],
): ReadonlyMap<string, ReviewStanding> =>
  new Map(results.flatMap(({ data }) => data?.standings ?? []).map((standing) => [standing.id, standing]));

/** One review as it stands now; asked for again while it is open, since others work on it. */
export const useReview = (id: string) =>
  useQuery({
    queryKey: reviewKeys.detail(id),
    queryFn: ({ signal }) => callJson('getReview', { params: { id }, signal }),
    staleTime: 5_000,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? refreshMs : false),
  });

/** Takes an answer in as what is known of the review. */
export const noteReview = (client: QueryClient, review: Review): void =>
  void client.setQueryData(reviewKeys.detail(review.id), review);

/** Asks anew for a review, and for the lists and counts that name it. */
export async function refreshReview(client: QueryClient, id: string): Promise<void> {
  await Promise.all([client.invalidateQueries({ queryKey: reviewKeys.detail(id) }), refreshLists(client)]);
}

/** Lists and counts, where a review came, went or changed its state. */
export async function refreshLists(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({
      queryKey: queryKeys.reviews,
      predicate: ({ queryKey }) => queryKey[1] === 'list' || queryKey[1] === 'open',
    }),
    client.invalidateQueries({ queryKey: queryKeys.session }),
  ]);
}

/** The checks that are kept with a table, at the head of a branch. */
export const useTableChecks = (table: string, branch: string) =>
  useQuery({
    queryKey: reviewKeys.checks(table, branch),
    queryFn: ({ signal }) => callJson('listChecks', { params: { table }, query: { ref: branch }, signal }),
    staleTime: 5_000,
  });

export const useReviewRules = (table: string) =>
  useQuery({
    queryKey: reviewKeys.rules(table),
    queryFn: ({ signal }) => callJson('getReviewRules', { params: { table }, signal }),
    staleTime: 5_000,
  });
