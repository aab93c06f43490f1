import type { ReviewList, ReviewsQuery } from '#shared/api/reviews.ts';
import type { Session } from '#shared/api/session.ts';
import type { Ports } from '../../ports/index.ts';
import { toSummary, toVerdict } from './review-parts.ts';

/** Reviews, last changed first. Reads the studio's store only, no table. */
export function listReviews(
  { store }: Pick<Ports, 'store'>,
  { state, offset, limit, ...filter }: ReviewsQuery,
): ReviewList {
  const counts = store.reviews.count(filter);
  const records = store.reviews.list({ ...filter, offset, limit, ...(state === 'all' ? {} : { state }) });
  const ids = records.map(({ id }) => id);
  const threads = store.reviews.countThreads(ids);
  const verdicts = Map.groupBy(store.reviews.listVerdicts(ids), ({ reviewId }) => reviewId);
  return {
    reviews: records.map((record) =>
      toSummary(record, {
        verdicts: (verdicts.get(record.id) ?? []).map((verdict) => toVerdict(verdict, false)),
        comments: threads.get(record.id),
      }),
    ),
    counts,
    total: state === 'all' ? counts.open + counts.merged + counts.closed : counts[state],
  };
}

/** How many reviews are open, and of which tables. */
export function countOpenReviews({ store }: Pick<Ports, 'store'>): NonNullable<Session['reviews']> {
  const tables: Record<string, number> = {};
  const open = store.reviews.list({ state: 'open' });
  for (const { table } of open) tables[table] = (tables[table] ?? 0) + 1;
  return { open: open.length, tables };
}
