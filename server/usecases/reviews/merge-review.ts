import type { MergeResult } from '#shared/api/edits.ts';
import { AppError, isAppError, type ProblemCode } from '#shared/api/problem.ts';
import type { Blocker } from '#shared/api/review-parts.ts';
import type { MergeReviewBody, Review } from '#shared/api/reviews.ts';
import { digestChoices } from '#shared/domain/choices-digest.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { ReviewRecord } from '../../ports/review-store.ts';
import { mergeBranches } from '../merge-branches.ts';
import { deleteReviewed } from './end-review.ts';
import { getReview } from './get-review.ts';
import { type By, type ReviewPorts, requireReview } from './review-ports.ts';
import { withReviewTurn } from './review-turns.ts';
import { rulesOf } from './rules-of-table.ts';
import { findOwnLanding, land } from './settle-landed.ts';

export interface MergedReview {
  review: Review;
  merge: MergeResult;
}

const tries = 4;

/**
 * Merges a review when nothing blocks it, against the heads that this was seen at. Conflicts that the choices leave
 * open are answered, not thrown, as in every merge. The record of the merge names the review, so that a crash right
 * after it is mended by the next look at the review.
 */
export function mergeReview(
  ports: ReviewPorts,
  { id, ...body }: MergeReviewBody & { id: string },
  by: By,
): Promise<MergedReview> {
  return withReviewTurn(id, by.signal, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await mergeOnce(ports, { id, ...body }, by);
      } catch (error) {
        const isMoved = isAppError(error) && error.code === 'HEAD_MOVED';
        if (!isMoved || body.expected !== undefined || attempt === tries) throw error;
      }
    }
  });
}

async function mergeOnce(
  ports: ReviewPorts,
  { id, ...body }: MergeReviewBody & { id: string },
  by: By,
): Promise<MergedReview> {
  const { principal, ...context } = by;
  const { expected, take, choices, message } = body;
  const seen = await getReview(ports, { id, choicesDigest: digestChoices(body) }, by);
  const record = requireReview(ports, id);
  assertSeen(seen, expected);
  assertFree(seen);
  const { from, into } = seen.refs as { from: PinnedRef; into: PinnedRef };
  const rules = rulesOf(ports, record.tableUuid);
  const isSquashed = rules.squash === 'choose' ? (body.squash ?? false) : rules.squash === 'always';
  const merge = await mergeBranches(
    ports,
    {
      table: record.table,
      from: from.branch,
      into: into.branch,
      expected: { from: from.version, into: into.version },
      take,
      choices,
      message: message?.trim() || `${record.title} (review ${id})`,
      author: principal.name,
      detail: { review: id, isSquashed },
    },
    context,
  );
  if (merge.status !== 'merged') return { review: seen, merge };
  const landing = findOwnLanding(ports, record);
  // Once merged it is told so even if nobody waits for the answer any more.
  const lasting: By = { principal, signal: new AbortController().signal };
  if (landing) {
    const merged = await land(ports, record, landing, lasting);
    if (body.deleteBranch ?? rules.deleteBranchAfterMerge) return deleteAfter(ports, merged, merge, lasting);
  }
  return { review: await getReview(ports, { id }, lasting), merge };
}

/** The merge stands, whatever keeps the branch from being deleted. */
async function deleteAfter(
  ports: ReviewPorts,
  record: ReviewRecord,
  merge: MergeResult,
  by: By,
): Promise<MergedReview> {
  const { id } = record;
  try {
    await deleteReviewed(ports, record, by);
    return { review: await getReview(ports, { id }, by), merge };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const review = await getReview(ports, { id }, by);
    const notice = `It is merged, but ${record.from.branch} was not deleted: ${error.message} ${error.hint ?? ''}`;
    return { review: { ...review, notices: [...review.notices, notice.trim()] }, merge };
  }
}

function assertSeen({ refs, from, into, state }: Review, expected: MergeReviewBody['expected']): void {
  if (state !== 'open') return;
  for (const [name, wanted, ref] of [
    [from, expected?.from, refs.from],
    [into, expected?.into, refs.into],
  ] as const) {
    if (wanted === undefined || !ref || ref.version === wanted) continue;
    throw new AppError({
      code: 'HEAD_MOVED',
      message: `${name} is at version ${ref.version} by now, not at ${wanted}.`,
      hint: 'Look at what changed, then merge again.',
    });
  }
}

/** The code that a merge which one thing blocks is refused with. */
const blockedCodes: Partial<Record<Blocker['code'], ProblemCode>> = {
  'may-not-merge': 'FORBIDDEN',
  'table-gone': 'GONE',
  'branch-gone': 'GONE',
  'not-mergeable': 'UNSUPPORTED',
};

/** Conflicts are the merge's own to answer; all else keeps it from being tried. */
function assertFree({ blockers }: Review): void {
  const others = blockers.filter(({ code }) => code !== 'conflicts');
  const [first] = others;
  if (!first) return;
  const more = others.length - 1;
  throw new AppError({
    code: blockedCodes[first.code] ?? 'CONFLICT',
    message: `${first.message}${more === 0 ? '' : ` And ${more} more ${more === 1 ? 'reason' : 'reasons'}.`}`,
    hint: first.hint,
    issues: others.map(({ code, message }) => ({ path: code, message })),
  });
}
