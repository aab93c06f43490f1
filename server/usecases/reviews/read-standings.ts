import type { Review, ReviewStanding } from '#shared/api/reviews.ts';
import { getReview } from './get-review.ts';
import type { By, ReviewPorts } from './review-ports.ts';

/** How open reviews stand, each as its own page tells it; those that are not there or have ended are left out. */
export async function readStandings(
  ports: ReviewPorts,
  ids: readonly string[],
  by: By,
): Promise<{ standings: ReviewStanding[] }> {
  const standings: ReviewStanding[] = [];
  for (const id of new Set(ids)) {
    by.signal.throwIfAborted();
    if (ports.store.reviews.get(id)?.state !== 'open') continue;
    const review = await getReview(ports, { id }, by);
    if (review.state === 'open') standings.push(toStanding(review));
  }
  return { standings };
}

function toStanding({ id, changes, checks, checkRun, canMerge, blockers }: Review): ReviewStanding {
  const known = new Set(checks.map(({ name }) => name));
  const results = checkRun && !checkRun.isStale ? checkRun.results.filter(({ name }) => known.has(name)) : [];
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  return {
    id,
    conflicts: changes?.conflicts ?? null,
    checks: {
      passed,
      failed: results.length - passed,
      waiting: blockers.find(({ code }) => code === 'checks-not-run')?.names.length ?? 0,
      total: checks.length,
    },
    canMerge,
    blockers,
  };
}
