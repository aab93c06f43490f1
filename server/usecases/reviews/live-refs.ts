import type { DiffSummary } from '#shared/api/edits.ts';
import { isAppError } from '#shared/api/problem.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import { isNothingToMerge } from '#shared/domain/review-blockers.ts';
import type { CallContext } from '../../ports/call.ts';
import type { NamedBranch, ReviewRecord } from '../../ports/review-store.ts';
import type { TableHeads } from '../../ports/table-reader.ts';
import { findMergeBase } from '../find-base.ts';
import { readSealedHeads } from '../resolve-ref.ts';
import type { ReviewPorts } from './review-ports.ts';

/** Where the branches of a review stand now. */
export interface LiveRefs {
  gone: 'table' | 'from' | 'into' | null;
  base: PinnedRef | null;
  from: PinnedRef | null;
  into: PinnedRef | null;
}

/** A review whose table and branches are all there. */
export interface StandingRefs extends LiveRefs {
  gone: null;
  from: PinnedRef;
  into: PinnedRef;
}

export const isStanding = (live: LiveRefs): live is StandingRefs => live.gone === null;

const headOf = ({ branches }: TableHeads, { branch, createdAt }: NamedBranch): PinnedRef | null => {
  const head = branches.find(({ name }) => name === branch);
  return head && (head.createdAt ?? '') === createdAt ? { branch, version: head.version } : null;
};

/** The heads of the review's branches and their merge base; a branch that took the name of another does not count. */
export async function readLiveRefs(
  ports: Pick<ReviewPorts, 'reader' | 'store'>,
  record: ReviewRecord,
  context: CallContext,
): Promise<LiveRefs> {
  const heads = await readHeadsOf(ports, record, context);
  if (!heads) return { gone: 'table', base: null, from: null, into: null };
  const from = headOf(heads, record.from);
  const into = headOf(heads, record.into);
  const base = from && into ? findMergeBase(ports, { heads, from, into }) : null;
  return { gone: from === null ? 'from' : into === null ? 'into' : null, base, from, into };
}

const goneCodes: ReadonlySet<string> = new Set(['NOT_FOUND', 'GONE', 'INVALID_FILE']);

/** Null when the table is gone, in the trash, broken, or another of its name. */
async function readHeadsOf(
  ports: Pick<ReviewPorts, 'reader' | 'store'>,
  { table, tableUuid }: ReviewRecord,
  context: CallContext,
): Promise<TableHeads | null> {
  try {
    const heads = await readSealedHeads(ports, table, context);
    return heads.uuid === tableUuid ? heads : null;
  } catch (error) {
    if (isAppError(error) && goneCodes.has(error.code)) return null;
    throw error;
  }
}

/**
 * Whether a branch has the same rows and columns at two versions: an index or a compaction makes a version, too. False
 * where it cannot be told.
 */
export async function isUnchanged(
  ports: Pick<ReviewPorts, 'diff'>,
  record: ReviewRecord,
  { before, now }: { before: PinnedRef; now: PinnedRef },
  context: CallContext,
): Promise<boolean> {
  if (before.branch !== now.branch || before.version > now.version) return false;
  if (before.version === now.version) return true;
  try {
    return isNothingToMerge(
      await summarizeRefs(ports, record, { base: before, from: now, into: before }, context),
    );
  } catch (error) {
    if (!isAppError(error) || context.signal.aborted) throw error;
    return false;
  }
}

const keptSummaries = 100;
const summaries = new Map<string, DiffSummary>();

interface SummaryInput {
  base: PinnedRef | null;
  from: PinnedRef;
  into: PinnedRef;
}

/** What `from` changed since the base, in numbers; pinned refs never change, so the last answers are kept. */
export async function summarizeRefs(
  { diff }: Pick<ReviewPorts, 'diff'>,
  record: ReviewRecord,
  { base, from, into }: SummaryInput,
  context: CallContext,
): Promise<DiffSummary> {
  const key = JSON.stringify([
    record.tableUuid,
    record.from.createdAt,
    record.into.createdAt,
    [base, from, into].map((ref) => ref && formatRef(ref)),
  ]);
  const known = summaries.get(key);
  if (known) return known;
  const made = await diff.summarize({ table: record.table, base, from, into }, context);
  summaries.set(key, made);
  const [oldest] = summaries.keys();
  if (summaries.size > keptSummaries && oldest !== undefined) summaries.delete(oldest);
  return made;
}
