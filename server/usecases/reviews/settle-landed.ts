import * as z from 'zod';
import { isAppError } from '#shared/api/problem.ts';
import type { MergedStep } from '#shared/api/review-parts.ts';
import type { CallContext } from '../../ports/call.ts';
import type { EndedRefs, ReviewRecord } from '../../ports/review-store.ts';
import type { EditRecord } from '../../ports/studio-store.ts';
import { pinVersions } from '../pins.ts';
import { readBranchSteps } from './branch-steps.ts';
import { type LiveRefs, readLiveRefs, summarizeRefs } from './live-refs.ts';
import { noteEvent } from './note-event.ts';
import type { ReviewPorts } from './review-ports.ts';

/** What the record of a review's merge says. */
const LandingDetail = z.object({
  review: z.string().optional(),
  fromCreatedAt: z.string().optional(),
  isSquashed: z.boolean().optional(),
});
type LandingDetail = z.infer<typeof LandingDetail>;

const detailOf = ({ detail }: EditRecord): LandingDetail => LandingDetail.safeParse(detail).data ?? {};

const editsOfInto = (
  { store }: Pick<ReviewPorts, 'store'>,
  { tableUuid, into }: ReviewRecord,
): EditRecord[] => store.listEdits({ tableUuid, branch: into.branch, branchCreatedAt: into.createdAt });

const isLandingOf =
  ({ id }: ReviewRecord) =>
  (edit: EditRecord): boolean =>
    edit.mergedFrom !== null && detailOf(edit).review === id;

/** The record of the merge that was made for a review, also where it settled all for `into` and wrote nothing. */
export const findOwnLanding = (
  ports: Pick<ReviewPorts, 'store'>,
  record: ReviewRecord,
): EditRecord | undefined => editsOfInto(ports, record).find(isLandingOf(record));

/**
 * The merge that brought a review in, by the log of the branch that received it: the one that names the review, else,
 * where `into` has all that `from` holds, a merge of the branch that nobody named the review at. So a crash between the
 * merge and the review's own state is mended by looking.
 */
function findLanding(
  { store }: Pick<ReviewPorts, 'store'>,
  record: ReviewRecord,
  live: LiveRefs,
): EditRecord | null {
  const edits = editsOfInto({ store }, record);
  const named = edits.find(isLandingOf(record));
  if (named) return named;
  const { base, from } = live;
  if (!base || !from || base.branch !== from.branch || base.version !== from.version) return null;
  return (
    edits.find(
      (edit) =>
        edit.kind === 'merge' &&
        edit.mergedFrom?.branch === record.from.branch &&
        (detailOf(edit).fromCreatedAt ?? record.from.createdAt) === record.from.createdAt &&
        edit.mergedFrom.version >= record.openedAtVersion &&
        edit.at >= record.createdAt,
    ) ?? null
  );
}

/** The review as it is: merged, when its merge has landed however it did. */
export async function settleLanded(
  ports: ReviewPorts,
  record: ReviewRecord,
  live: LiveRefs,
  context: CallContext,
): Promise<ReviewRecord> {
  if (record.state !== 'open' || live.gone === 'table') return record;
  const landing = findLanding(ports, record, live);
  return landing?.mergedFrom ? land(ports, record, landing, context) : record;
}

/** Makes a review merged by the record of its merge, and pins what it showed. */
export async function land(
  ports: ReviewPorts,
  record: ReviewRecord,
  landing: EditRecord,
  context: CallContext,
): Promise<ReviewRecord> {
  const refs: EndedRefs = {
    base: landing.mergeBase,
    from: landing.mergedFrom ?? { branch: record.from.branch, version: record.openedAtVersion },
    into: { branch: landing.branch, version: landing.fromVersion },
  };
  const isSquashed = detailOf(landing).isSquashed ?? false;
  const orNull = (error: unknown): null => {
    if (!isAppError(error) || context.signal.aborted) throw error;
    return null;
  };
  const changes = await summarizeRefs(ports, record, refs, context).catch(orNull);
  const steps = isSquashed ? null : await readSteps(ports, record, refs, context).catch(orNull);
  const latest = ports.store.reviews.get(record.id) ?? record;
  if (latest.state !== 'open') return latest;
  const noted = noteEvent(ports, record.id, {
    patch: {
      state: 'merged',
      ended: { at: landing.at, by: landing.author },
      refs,
      merged: { version: landing.toVersion, editId: landing.id, isSquashed, steps },
      changes,
    },
    event: {
      kind: 'merged',
      author: landing.author,
      version: landing.toVersion,
      changed: landing.changed,
      ...(landing.message === null ? {} : { body: landing.message }),
    },
  });
  return keepRefs(ports, noted, context);
}

const keptSteps = 500;

/** The steps of the branch that the merge consists of, newest first, since the branch was made or last merged. */
async function readSteps(
  ports: ReviewPorts,
  { table }: ReviewRecord,
  { base, from }: EndedRefs,
  context: CallContext,
): Promise<MergedStep[]> {
  const since = base?.branch === from.branch ? base.version : 0;
  const steps = await readBranchSteps(ports, { table, from, since, limit: keptSteps }, context);
  return steps.map(({ version, at, author, message, kind, rows }) => ({
    version,
    at,
    author,
    message,
    kind,
    rows,
  }));
}

const ownerOf = ({ id }: ReviewRecord): string => `review:${id}`;

/** Pins the refs of an ended review, so that they are never cleaned up; safe to do again. */
export async function keepRefs(
  ports: ReviewPorts,
  record: ReviewRecord,
  context: CallContext,
): Promise<ReviewRecord> {
  const { refs, table, tableUuid } = record;
  if (!refs || record.hasPins) return record;
  const createdAt = new Map([
    [record.from.branch, record.from.createdAt],
    [record.into.branch, record.into.createdAt],
  ]);
  const pins = [refs.base, refs.from, refs.into].flatMap((ref) =>
    ref && createdAt.has(ref.branch)
      ? [{ tableUuid, table, ref, branchCreatedAt: createdAt.get(ref.branch)! }]
      : [],
  );
  try {
    await pinVersions(ports, ownerOf(record), pins, context);
  } catch (error) {
    // Tried again at the next start: what is shown does not hang on it.
    if (!isAppError(error) || context.signal.aborted) throw error;
    return record;
  }
  const latest = ports.store.reviews.get(record.id) ?? record;
  const kept = { ...latest, hasPins: true };
  ports.store.reviews.put(kept);
  return kept;
}

/** What cannot be read now is looked at when somebody looks at the review. */
async function lookAgain(ports: ReviewPorts, record: ReviewRecord, context: CallContext): Promise<void> {
  try {
    await settleLanded(ports, record, await readLiveRefs(ports, record, context), context);
  } catch (error) {
    if (!isAppError(error) || context.signal.aborted) throw error;
  }
}

/** After a merge that named no review: the open reviews that it brought in are merged. */
export async function settleMergedBranch(
  ports: ReviewPorts,
  { table, from, into }: { table: string; from: string; into: string },
  context: CallContext,
): Promise<void> {
  const open = ports.store.reviews.list({ state: 'open', table, branch: from });
  for (const record of open) {
    if (record.from.branch !== from || record.into.branch !== into) continue;
    await lookAgain(ports, record, context);
  }
}

/** At the start: reviews whose merge landed before a crash are merged, refs are pinned, left branches of checks removed. */
export async function recoverReviews(ports: ReviewPorts, context: CallContext): Promise<void> {
  for (const scratch of ports.store.reviews.listScratch()) {
    await ports.writer
      .deleteBranch({ table: scratch.table, name: scratch.branch }, context)
      .catch((error: unknown) => {
        if (!isAppError(error)) throw error;
      });
    ports.store.reviews.removeScratch(scratch);
  }
  for (const record of ports.store.reviews.list({ state: 'open' })) await lookAgain(ports, record, context);
  for (const state of ['merged', 'closed'] as const)
    for (const record of ports.store.reviews.list({ state }))
      if (!record.hasPins && record.refs) await keepRefs(ports, record, context);
}
