import type { ReviewsQuery } from '#shared/api/reviews.ts';

/** What of the reviews is listed; lives in the address. */
export interface ReviewListView {
  state: ReviewsQuery['state'];
  /** Empty: every table. */
  table: string;
  text: string;
}

const states: readonly ReviewListView['state'][] = ['open', 'merged', 'closed', 'all'];

export const parseListView = (search: URLSearchParams): ReviewListView => ({
  state: states.find((state) => state === search.get('state')) ?? 'open',
  table: search.get('table') ?? '',
  text: search.get('text') ?? '',
});

/** Inverse of {@link parseListView}; what is as usual is left out. */
export function writeListView({ state, table, text }: ReviewListView): URLSearchParams {
  const search = new URLSearchParams();
  if (state !== 'open') search.set('state', state);
  if (table !== '') search.set('table', table);
  if (text !== '') search.set('text', text);
  return search;
}
