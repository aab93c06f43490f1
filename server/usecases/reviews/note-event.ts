import { randomUUID } from 'node:crypto';
import type { ReviewEvent } from '#shared/api/review-parts.ts';
import type { ReviewRecord } from '../../ports/review-store.ts';
import type { ReviewPorts } from './review-ports.ts';

/** Keeps the review as it is now with what was done to it, in one transaction. */
export function noteEvent(
  { store, now }: Pick<ReviewPorts, 'store' | 'now'>,
  record: ReviewRecord,
  event: Omit<ReviewEvent, 'id' | 'at'>,
  alsoKeep: () => void = () => undefined,
): ReviewRecord {
  const at = now().toISOString();
  const changed = { ...record, updatedAt: at };
  store.reviews.atomically(() => {
    alsoKeep();
    store.reviews.put(changed);
    store.reviews.addEvent(record.id, { id: randomUUID(), at, ...event });
  });
  return changed;
}
