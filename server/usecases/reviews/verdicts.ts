import { AppError } from '#shared/api/problem.ts';
import type { Review } from '#shared/api/reviews.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ReviewRecord, StoredVerdict } from '../../ports/review-store.ts';
import { mayApproveBy } from '../authorize.ts';
import { getReview } from './get-review.ts';
import { isStanding, readLiveRefs, type StandingRefs } from './live-refs.ts';
import { noteEvent } from './note-event.ts';
import { type By, type ReviewPorts, requireReview } from './review-ports.ts';
import { rulesOf } from './rules-of-table.ts';
import { settleLanded } from './settle-landed.ts';

/** A review that is open, with its branches there. CONFLICT or GONE otherwise. */
export async function requireStanding(
  ports: ReviewPorts,
  id: string,
  context: CallContext,
): Promise<{ record: ReviewRecord; live: StandingRefs }> {
  const found = requireReview(ports, id);
  const live = await readLiveRefs(ports, found, context);
  const record = await settleLanded(ports, found, live, context);
  assertOpen(record);
  if (isStanding(live)) return { record, live };
  const what = { table: `The table ${record.table}`, from: record.from.branch, into: record.into.branch };
  throw new AppError({
    code: 'GONE',
    message: `${live.gone === 'table' ? what.table : `The branch ${what[live.gone ?? 'from']}`} of review ${id} is not there any more.`,
    hint: 'Close the review.',
  });
}

/** Throws CONFLICT for a review that has ended. */
export function assertOpen({ id, state }: ReviewRecord): void {
  if (state === 'open') return;
  throw new AppError({
    code: 'CONFLICT',
    message: `Review ${id} ${state === 'merged' ? 'has been merged' : 'is closed'} already.`,
    hint: state === 'merged' ? 'Open a new review for what comes next.' : 'Open it again first.',
  });
}

interface VerdictInput {
  id: string;
  verdict: StoredVerdict['verdict'];
  body: string;
  /** Where the reviewer saw the branch. */
  expected?: { from: number };
}

/** Approves the branch as it stands, or asks for changes; takes the place of what the person said before. */
export async function giveVerdict(
  ports: ReviewPorts,
  { id, verdict, body, expected }: VerdictInput,
  { principal, ...context }: By,
): Promise<Review> {
  const { record, live } = await requireStanding(ports, id, context);
  const { version } = live.from;
  if (expected && expected.from !== version)
    throw new AppError({
      code: 'HEAD_MOVED',
      message: `${record.from.branch} is at version ${version} by now, not at ${expected.from}.`,
      hint: 'Look at what is new, then say it again.',
    });
  const rules = rulesOf(ports, record.tableUuid);
  if (verdict === 'approved' && !mayApproveBy(principal, { author: record.author, rules }))
    throw new AppError({
      code: 'FORBIDDEN',
      message: `${principal.name} opened review ${id}; the rules of ${record.table} want somebody else to approve it.`,
      hint: 'Ask a reviewer.',
    });
  const said = {
    reviewId: id,
    author: principal.name,
    verdict,
    body,
    at: ports.now().toISOString(),
    fromVersion: version,
  };
  noteEvent(ports, id, {
    event: { kind: verdict, author: principal.name, version, ...(body === '' ? {} : { body }) },
    assertStill: assertOpen,
    alsoKeep: () => ports.store.reviews.putVerdict(said),
  });
  return getReview(ports, { id }, { principal, ...context });
}

/** Takes back what the person said last; nothing happens where there is nothing. */
export async function withdrawVerdict(
  ports: ReviewPorts,
  id: string,
  { principal, ...context }: By,
): Promise<Review> {
  const record = requireReview(ports, id);
  assertOpen(record);
  const { name } = principal;
  if (ports.store.reviews.listVerdicts([id]).some(({ author }) => author === name))
    noteEvent(ports, id, {
      event: { kind: 'withdrew', author: name },
      alsoKeep: () => ports.store.reviews.removeVerdict(id, name),
    });
  return getReview(ports, { id }, { principal, ...context });
}
