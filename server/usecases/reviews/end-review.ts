import { AppError } from '#shared/api/problem.ts';
import type { Review } from '#shared/api/reviews.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ReviewRecord } from '../../ports/review-store.ts';
import { mayEditReview, mayMergeBy } from '../authorize.ts';
import { deleteBranch } from '../branches.ts';
import { getReview } from './get-review.ts';
import { isStanding, readLiveRefs, summarizeRefs } from './live-refs.ts';
import { noteEvent } from './note-event.ts';
import { assertNoneOpen } from './open-review.ts';
import { type By, type ReviewPorts, requireReview } from './review-ports.ts';
import { withReviewTurn } from './review-turns.ts';
import { rulesOf } from './rules-of-table.ts';
import { keepRefs, settleLanded } from './settle-landed.ts';
import { assertOpen } from './verdicts.ts';

interface CloseInput {
  id: string;
  body: string;
  deleteBranch: boolean;
}

/** Closes a review without a merge; what it showed stays readable. */
export async function closeReview(ports: ReviewPorts, input: CloseInput, by: By): Promise<Review> {
  await withReviewTurn(input.id, by.signal, () => close(ports, input, by));
  return getReview(ports, { id: input.id }, by);
}

async function close(
  ports: ReviewPorts,
  { id, body, deleteBranch: isDeleting }: CloseInput,
  { principal, ...context }: By,
): Promise<void> {
  const found = requireReview(ports, id);
  const live = await readLiveRefs(ports, found, context);
  const record = await settleLanded(ports, found, live, context);
  assertOpen(record);
  if (!mayEditReview(principal, record.author) && !mayMergeBy(principal, rulesOf(ports, record.tableUuid)))
    throw new AppError({
      code: 'FORBIDDEN',
      message: `${principal.name} may not close review ${id}.`,
      hint: `Ask ${record.author}.`,
    });
  const refs = isStanding(live) ? { base: live.base, from: live.from, into: live.into } : null;
  const changes = refs ? await summarizeRefs(ports, record, refs, context) : null;
  const closed = noteEvent(ports, id, {
    patch: { state: 'closed', ended: { at: ports.now().toISOString(), by: principal.name }, refs, changes },
    event: { kind: 'closed', author: principal.name, ...(body === '' ? {} : { body }) },
    assertStill: assertOpen,
  });
  await keepRefs(ports, closed, context);
  if (isDeleting && live.from) await deleteReviewed(ports, closed, { principal, ...context });
}

/** Deletes the branch of an ended review; its pinned refs stay. */
export async function deleteReviewed(
  ports: ReviewPorts,
  record: ReviewRecord,
  { principal, ...context }: By,
): Promise<void> {
  await deleteBranch(ports, { table: record.table, name: record.from.branch }, context);
  noteEvent(ports, record.id, {
    event: { kind: 'branch-deleted', author: principal.name, names: [record.from.branch] },
  });
}

/** Opens a closed review again. GONE when a branch of it is not there any more. */
export async function reopenReview(
  ports: ReviewPorts,
  { id, body }: { id: string; body: string },
  { principal, ...context }: By,
): Promise<Review> {
  const record = requireReview(ports, id);
  assertClosed(record);
  if (!mayEditReview(principal, record.author))
    throw new AppError({ code: 'FORBIDDEN', message: `${principal.name} may not open review ${id} again.` });
  await assertThere(ports, record, context);
  noteEvent(ports, id, {
    patch: { state: 'open', ended: null, refs: null, changes: null, hasPins: false },
    event: { kind: 'reopened', author: principal.name, ...(body === '' ? {} : { body }) },
    assertStill(latest) {
      assertClosed(latest);
      assertNoneOpen(ports, latest);
    },
  });
  return getReview(ports, { id }, { principal, ...context });
}

function assertClosed({ id, state }: ReviewRecord): void {
  if (state === 'closed') return;
  throw new AppError({
    code: 'CONFLICT',
    message: `Review ${id} is ${state === 'open' ? 'open already' : 'merged, which cannot be taken back here'}.`,
    hint: state === 'open' ? 'Look at it as it is.' : 'Open a new review for what comes next.',
  });
}

async function assertThere(ports: ReviewPorts, record: ReviewRecord, context: CallContext): Promise<void> {
  const { gone } = await readLiveRefs(ports, record, context);
  if (gone === null) return;
  const what =
    gone === 'table' ? `The table ${record.table}` : `The branch ${record[gone].branch} of ${record.table}`;
  throw new AppError({
    code: 'GONE',
    message: `${what} is not there any more, so review ${record.id} cannot be opened again.`,
    hint: 'It stays readable as it is; open a new review of another branch.',
  });
}
