import type { DiffSummary } from '#shared/api/edits.ts';
import { isAppError } from '#shared/api/problem.ts';
import type { CheckRun, Comment, Verdict } from '#shared/api/review-parts.ts';
import type { Review } from '#shared/api/reviews.ts';
import { type CheckList, formatChecks } from '#shared/domain/checks.ts';
import { noChoices } from '#shared/domain/choices-digest.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import { hasConflicts, planBlockers } from '#shared/domain/review-blockers.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ReviewRecord } from '../../ports/review-store.ts';
import { mayApproveBy, mayEditReview, mayMergeBy } from '../authorize.ts';
import { isProtectedBranch } from '../protect.ts';
import { resolveRef } from '../resolve-ref.ts';
import { digestText } from './digest-text.ts';
import { isStanding, isUnchanged, type LiveRefs, readLiveRefs, summarizeRefs } from './live-refs.ts';
import { readChecksAt } from './read-checks.ts';
import { toSummary, toThread, toVerdict } from './review-parts.ts';
import { type By, type ReviewPorts, requireReview } from './review-ports.ts';
import { rulesOf } from './rules-of-table.ts';
import { checkJobOf } from './running-checks.ts';
import { readSince, sinceUnknown } from './seen-values.ts';
import { settleLanded } from './settle-landed.ts';
import { readTimeline } from './timeline.ts';

export interface GetReviewInput {
  id: string;
  /** False leaves out what only the changes tell: their numbers, conflicts, whether there is anything to merge. */
  withChanges?: boolean;
  /** Of the choices that a merge is asked for with: checks must have run with the same. */
  choicesDigest?: string;
}

/** What is known of a review's table and refs, open or ended. */
interface Standing {
  refs: Review['refs'];
  live: LiveRefs;
  compare: Review['compare'];
  changes: DiffSummary | null;
  checks: CheckList | null;
  notices: string[];
}

const notGone: LiveRefs = { gone: null, base: null, from: null, into: null };

/** One review as it stands now. */
export async function getReview(
  ports: ReviewPorts,
  { id, withChanges = true, choicesDigest }: GetReviewInput,
  { principal, ...context }: By,
): Promise<Review> {
  let record = requireReview(ports, id);
  let live = notGone;
  if (record.state === 'open') {
    live = await readLiveRefs(ports, record, context);
    record = await settleLanded(ports, record, live, context);
  }
  const standing =
    record.state === 'open'
      ? await readOpen(ports, record, { live, withChanges }, context)
      : await readEnded(ports, record, context);
  return assemble(ports, { record, standing, choicesDigest }, { principal, ...context });
}

async function readOpen(
  ports: ReviewPorts,
  record: ReviewRecord,
  { live, withChanges }: { live: LiveRefs; withChanges: boolean },
  context: CallContext,
): Promise<Standing> {
  const { base, from, into } = live;
  const refs = { base, from, into };
  if (!isStanding(live)) return { refs, live, compare: null, changes: null, checks: [], notices: [] };
  const changes = withChanges ? await summarizeRefs(ports, record, live, context) : null;
  return {
    refs,
    live,
    compare: { from: record.from.branch, into: record.into.branch },
    changes,
    checks: await readChecksAt(ports, { table: record.table, ref: live.into }, context),
    notices: changes?.notices ?? [],
  };
}

async function readEnded(ports: ReviewPorts, record: ReviewRecord, context: CallContext): Promise<Standing> {
  const { refs, table, changes } = record;
  const nothing = { base: null, from: null, into: null };
  const gone = (notice: string): Standing => ({
    refs: refs ?? nothing,
    live: notGone,
    compare: null,
    changes,
    checks: [],
    notices: [notice],
  });
  if (!refs) return gone('What the branch held when the review ended is not known.');
  try {
    const { uuid } = await resolveRef(ports, table, formatRef(refs.from), context);
    await resolveRef(ports, table, formatRef(refs.into), context);
    if (uuid !== record.tableUuid) return gone(`Another table has the name ${table} now.`);
    const checks = await readChecksAt(ports, { table, ref: refs.into }, context);
    const texts = { from: formatRef(refs.from), into: formatRef(refs.into) };
    const compare = refs.base ? { ...texts, base: formatRef(refs.base) } : texts;
    return {
      refs,
      live: notGone,
      compare,
      changes: changes ?? (await summarizeRefs(ports, record, refs, context)),
      checks,
      notices: [],
    };
  } catch (error) {
    if (!isAppError(error) || context.signal.aborted) throw error;
    return gone(`The rows of this review cannot be read any more: ${error.message}`);
  }
}

interface Assembly {
  record: ReviewRecord;
  standing: Standing;
  choicesDigest?: string;
}

async function assemble(
  ports: ReviewPorts,
  { record, standing, choicesDigest }: Assembly,
  { principal, ...context }: By,
): Promise<Review> {
  const { refs, live, changes, checks } = standing;
  const isOpen = record.state === 'open';
  const rules = rulesOf(ports, record.tableUuid);
  const verdicts = await readVerdicts(ports, { record, at: isOpen ? refs.from : null }, context);
  const threads = await readThreads(ports, { record, at: standing.compare ? refs.from : null }, context);
  const unresolved = threads.filter(({ resolved }) => resolved === null).length;
  const run = await readRun(ports, { record, refs, checks }, context);
  const mayMerge = mayMergeBy(principal, rules);
  const needsChoices = changes !== null && hasConflicts(changes);
  const digest = needsChoices ? (choicesDigest ?? run?.choicesDigest ?? noChoices) : noChoices;
  const blockers = planBlockers({
    state: record.state,
    table: record.table,
    from: record.from.branch,
    into: record.into.branch,
    author: record.author,
    gone: live.gone,
    changes,
    rules,
    mayMerge,
    verdicts,
    checks,
    run: run && run.choicesDigest === digest ? run : null,
    unresolvedThreads: unresolved,
  });
  const { timeline, notices } = await readTimeline(ports, { record, from: refs.from }, context);
  const isStandingNow = isOpen && live.gone === null;
  const mayEdit = mayEditReview(principal, record.author);
  return {
    ...toSummary(record, { verdicts, comments: { threads: threads.length, unresolved } }),
    refs,
    compare: standing.compare,
    merged: record.merged,
    changes,
    canMerge: isOpen && changes !== null && blockers.length === 0,
    blockers,
    threads,
    checks: checks ?? [],
    checkRun: run,
    checkJob: checkJobOf(ports, record.id),
    timeline,
    rules,
    may: {
      edit: mayEdit,
      comment: true,
      approve: isStandingNow && mayApproveBy(principal, { author: record.author, rules }),
      merge: isStandingNow && mayMerge,
      close: isOpen && (mayEdit || mayMerge),
      reopen: record.state === 'closed' && mayEdit,
      deleteBranch: !isProtectedBranch(ports, record.tableUuid, record.from.branch),
    },
    notices: [...new Set([...standing.notices, ...notices])],
  };
}

async function readThreads(
  ports: ReviewPorts,
  { record, at }: { record: ReviewRecord; at: PinnedRef | null },
  context: CallContext,
): Promise<Comment[]> {
  const all = ports.store.reviews.listComments(record.id);
  const firsts = all.filter(({ replyTo }) => replyTo === null);
  const since = at
    ? await readSince(ports, { table: record.table, ref: at, comments: firsts }, context)
    : sinceUnknown(firsts);
  return firsts.map((first) => toThread(first, all, since.get(first.id) ?? null));
}

/** Each person's last word; it is stale when the branch has other rows by now. */
async function readVerdicts(
  ports: ReviewPorts,
  { record, at }: { record: ReviewRecord; at: PinnedRef | null },
  context: CallContext,
): Promise<Verdict[]> {
  const fresh = new Map<number, boolean>();
  const said = ports.store.reviews.listVerdicts([record.id]);
  for (const { fromVersion } of said) {
    if (!at || fresh.has(fromVersion)) continue;
    const before = { branch: at.branch, version: fromVersion };
    fresh.set(fromVersion, await isUnchanged(ports, record, { before, now: at }, context));
  }
  return said.map((verdict) => toVerdict(verdict, fresh.get(verdict.fromVersion) === false));
}

async function readRun(
  ports: ReviewPorts,
  { record, refs, checks }: { record: ReviewRecord; refs: Review['refs']; checks: CheckList | null },
  context: CallContext,
): Promise<CheckRun | null> {
  const run = ports.store.reviews.getRun(record.id);
  if (!run) return null;
  const { checksDigest, ...facts } = run;
  const isFresh = async (before: PinnedRef, now: PinnedRef | null): Promise<boolean> =>
    now !== null && (await isUnchanged(ports, record, { before, now }, context));
  const isStale =
    checks === null ||
    checksDigest !== digestText(formatChecks(checks)) ||
    !(await isFresh(run.from, refs.from)) ||
    !(await isFresh(run.into, refs.into));
  return { ...facts, isStale };
}
