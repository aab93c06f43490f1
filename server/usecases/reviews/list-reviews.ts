import { isAppError } from '#shared/api/problem.ts';
import type { ReviewList, ReviewsQuery } from '#shared/api/reviews.ts';
import type { Session } from '#shared/api/session.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Ports } from '../../ports/index.ts';
import type { ReviewRecord } from '../../ports/review-store.ts';
import { readSealedHeads } from '../resolve-ref.ts';
import { toSummary, toVerdict } from './review-parts.ts';

type ListPorts = Pick<Ports, 'reader' | 'store'>;

/** Reviews, last changed first. Of the tables only the heads of branches that somebody approved are read. */
export async function listReviews(
  ports: ListPorts,
  { state, offset, limit, ...filter }: ReviewsQuery,
  context: CallContext,
): Promise<ReviewList> {
  const { store } = ports;
  const counts = store.reviews.count(filter);
  const records = store.reviews.list({ ...filter, offset, limit, ...(state === 'all' ? {} : { state }) });
  const ids = records.map(({ id }) => id);
  const threads = store.reviews.countThreads(ids);
  const verdicts = Map.groupBy(store.reviews.listVerdicts(ids), ({ reviewId }) => reviewId);
  const judged = records.filter((record) => record.state === 'open' && verdicts.has(record.id));
  const heads = await readHeadVersions(ports, judged, context);
  return {
    reviews: records.map((record) =>
      toSummary(record, {
        verdicts: (verdicts.get(record.id) ?? []).map((verdict) =>
          toVerdict(verdict, (heads.get(record.id) ?? verdict.fromVersion) !== verdict.fromVersion),
        ),
        comments: threads.get(record.id),
      }),
    ),
    counts,
    total: state === 'all' ? counts.open + counts.merged + counts.closed : counts[state],
  };
}

/** Where the branches of reviews stand; those that are gone are left out. */
async function readHeadVersions(
  ports: ListPorts,
  records: readonly ReviewRecord[],
  context: CallContext,
): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  for (const [table, reviews] of Map.groupBy(records, (record) => record.table)) {
    const heads = await readSealedHeads(ports, table, context).catch((error: unknown) => {
      if (!isAppError(error) || context.signal.aborted) throw error;
      return null;
    });
    for (const { id, from, tableUuid } of reviews) {
      const head = heads?.branches.find(({ name }) => name === from.branch);
      if (head && heads?.uuid === tableUuid && (head.createdAt ?? '') === from.createdAt)
        versions.set(id, head.version);
    }
  }
  return versions;
}

/** How many reviews are open, and of which tables. */
export function countOpenReviews({ store }: Pick<Ports, 'store'>): NonNullable<Session['reviews']> {
  const tables: Record<string, number> = {};
  const open = store.reviews.list({ state: 'open' });
  for (const { table } of open) tables[table] = (tables[table] ?? 0) + 1;
  return { open: open.length, tables };
}
