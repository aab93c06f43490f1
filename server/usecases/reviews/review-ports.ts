import { notFound } from '#shared/api/problem.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Ports } from '../../ports/index.ts';
import type { ReviewRecord } from '../../ports/review-store.ts';
import type { Principal } from '../authorize.ts';

export type ReviewPorts = Pick<Ports, 'reader' | 'writer' | 'diff' | 'store' | 'sql' | 'jobs' | 'now'>;

/** A request of somebody. */
export interface By extends CallContext {
  principal: Principal;
}

/** NOT_FOUND unless there is such a review. */
export function requireReview({ store }: Pick<Ports, 'store'>, id: string): ReviewRecord {
  const record = store.reviews.get(id);
  if (!record)
    throw notFound(`The review ${id.slice(0, 20)}`, 'Look at the list of reviews, the closed ones too.');
  return record;
}
