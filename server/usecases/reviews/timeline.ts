import { isAppError } from '#shared/api/problem.ts';
import type { ReviewEvent } from '#shared/api/review-parts.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ReviewRecord } from '../../ports/review-store.ts';
import { readBranchSteps } from './branch-steps.ts';
import { inOrder } from './review-parts.ts';
import type { ReviewPorts } from './review-ports.ts';

const shownSteps = 200;

/** Events as kept; comments in the words that they have by now, those that were deleted left out. */
function readKept({ store }: Pick<ReviewPorts, 'store'>, id: string): ReviewEvent[] {
  const said = new Map(store.reviews.listComments(id).map((comment) => [comment.id, comment]));
  return store.reviews.listEvents(id).flatMap((event) => {
    if (event.kind !== 'commented') return [event];
    const comment = said.get(event.commentId ?? '');
    return comment && !comment.isDeleted ? [{ ...event, body: comment.body }] : [];
  });
}

/** What happened to a review, oldest first, with the steps that its branch got meanwhile (the newest 200). */
export async function readTimeline(
  ports: Pick<ReviewPorts, 'reader' | 'store'>,
  { record, from }: { record: ReviewRecord; from: PinnedRef | null },
  context: CallContext,
): Promise<{ timeline: ReviewEvent[]; notices: string[] }> {
  const kept = readKept(ports, record.id);
  const since = from ? from.version - record.openedAtVersion : 0;
  if (!from || since <= 0) return { timeline: inOrder(kept), notices: [] };
  try {
    const versions = await readBranchSteps(
      ports,
      { table: record.table, from, since: record.openedAtVersion, limit: shownSteps },
      context,
    );
    const steps = versions.map(
      (step): ReviewEvent => ({
        id: `${step.branch}:${step.version}`,
        at: step.at,
        author: step.author ?? '',
        kind: 'changed',
        version: step.version,
        changed: step.rows,
        ...(step.message === null ? {} : { body: step.message }),
      }),
    );
    return {
      timeline: inOrder([...kept, ...steps]),
      notices:
        since > shownSteps ? [`Only the newest ${shownSteps} steps of ${from.branch} are listed here.`] : [],
    };
  } catch (error) {
    if (!isAppError(error) || context.signal.aborted) throw error;
    return { timeline: inOrder(kept), notices: [] };
  }
}
