import { randomUUID } from 'node:crypto';
import type { ReviewEvent } from '#shared/api/review-parts.ts';
import type { ReviewRecord } from '../../ports/review-store.ts';
import { type ReviewPorts, requireReview } from './review-ports.ts';

export interface Noted {
  event: Omit<ReviewEvent, 'id' | 'at'>;
  /** What changes of the review itself. */
  patch?: Partial<ReviewRecord>;
  /** Throws when the review, as it is by now, is not one to which this can happen. */
  assertStill?: (latest: ReviewRecord) => void;
  /** What else is kept in the same transaction. */
  alsoKeep?: () => void;
}

/** Keeps what was done to a review, on top of what it is by now, in one transaction. */
export function noteEvent(
  { store, now }: Pick<ReviewPorts, 'store' | 'now'>,
  id: string,
  { event, patch = {}, assertStill, alsoKeep }: Noted,
): ReviewRecord {
  const at = now().toISOString();
  return store.reviews.atomically(() => {
    const latest = requireReview({ store }, id);
    assertStill?.(latest);
    alsoKeep?.();
    const changed = { ...latest, ...patch, updatedAt: at };
    store.reviews.put(changed);
    store.reviews.addEvent(id, { id: randomUUID(), at, ...event });
    return changed;
  });
}
