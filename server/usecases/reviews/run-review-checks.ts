import type { DiffSummary, MergeChoice } from '#shared/api/edits.ts';
import { AppError } from '#shared/api/problem.ts';
import type { CheckResult, CheckRun } from '#shared/api/review-parts.ts';
import { type Check, type CheckList, formatChecks } from '#shared/domain/checks.ts';
import { digestChoices, noChoices } from '#shared/domain/choices-digest.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import { countConflicts, hasConflicts } from '#shared/domain/review-blockers.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ReviewRecord, StoredRun } from '../../ports/review-store.ts';
import { resolveRef } from '../resolve-ref.ts';
import { digestText } from './digest-text.ts';
import { type StandingRefs, summarizeRefs } from './live-refs.ts';
import { noteEvent } from './note-event.ts';
import { readChecksAt } from './read-checks.ts';
import type { By, ReviewPorts } from './review-ports.ts';
import { type CheckSubject, runCheck } from './run-check.ts';
import { relationKey } from './run-check-sql.ts';
import { startCheckJob } from './running-checks.ts';
import { requireStanding } from './verdicts.ts';
import { type WouldBe, withWouldBeResult } from './would-be-result.ts';

export interface RunChecksInput {
  id: string;
  /** All unless named. */
  checks?: string[];
  take?: 'from' | 'into';
  choices?: MergeChoice[];
}

/** Starts a job that runs the checks on the rows that the merge would give; its result is the `CheckRun`. */
export async function startReviewChecks(
  ports: ReviewPorts,
  { id, checks: names, take, choices }: RunChecksInput,
  { principal, ...context }: By,
): Promise<{ id: string }> {
  const { record, live } = await requireStanding(ports, id, context);
  const all = await readChecksAt(ports, { table: record.table, ref: live.into }, context);
  const chosen = chooseChecks(record, all, names);
  const changes = await summarizeRefs(ports, record, live, context);
  const choicesDigest = hasConflicts(changes) ? digestChoices({ take, choices }) : noChoices;
  if (hasConflicts(changes) && choicesDigest === noChoices) throw unsettled(changes);
  const run = { record, live, all: all ?? [], chosen, take, choices, choicesDigest, author: principal.name };
  const subject = JSON.stringify([
    live.from,
    live.into,
    choicesDigest,
    formatChecks(run.all),
    chosen.map(({ name }) => name),
  ]);
  return startCheckJob(ports, { reviewId: id, subject }, () =>
    ports.jobs.start({
      kind: 'checks',
      title: `Check review ${id} of ${record.table}`,
      run: (job) => runReviewChecks(ports, run, job),
    }),
  );
}

const unsettled = ({ conflicts }: DiffSummary): AppError =>
  new AppError({
    code: 'CONFLICT',
    message: `${countConflicts(conflicts)}, and until that is settled there is no result to check.`,
    hint: 'Settle the conflicts in the comparison and run the checks with these choices.',
  });

function chooseChecks(
  { table, into }: ReviewRecord,
  all: CheckList | null,
  names: readonly string[] | undefined,
): Check[] {
  if (all === null)
    throw new AppError({
      code: 'INVALID_FILE',
      message: `What ${table} keeps as its checks cannot be read.`,
      hint: 'Set the checks of the table anew.',
    });
  const known = new Map(all.map((check) => [check.name, check]));
  const chosen = (names ?? [...known.keys()]).map((name) => {
    const check = known.get(name);
    if (check) return check;
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `${into.branch} of ${table} has no check “${name}”.`,
      hint: didYouMean(name, known.keys()),
    });
  });
  if (chosen.length > 0) return chosen;
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `${table} has no checks on ${into.branch}.`,
    hint: 'Add checks to the table first.',
  });
}

interface Run extends Omit<RunChecksInput, 'id' | 'checks'> {
  record: ReviewRecord;
  live: StandingRefs;
  all: CheckList;
  chosen: Check[];
  choicesDigest: string;
  author: string;
}

async function runReviewChecks(ports: ReviewPorts, run: Run, context: CallContext): Promise<CheckRun> {
  const { record, live, take, choices } = run;
  const tell = (done: number, message: string): void =>
    context.onProgress?.({ done, total: run.chosen.length, unit: 'checks', message });
  tell(0, 'Making the result of the merge');
  const results = await withWouldBeResult(
    ports,
    { record, live, take, choices },
    async (result) => {
      const place = {
        subject: await subjectOf(ports, { record, live, at: result, isMerge: true }, context),
        before: await subjectOf(ports, { record, live, at: intoOf(record, live), isMerge: false }, context),
        openRefs: [live.from, live.into],
      };
      const found: CheckResult[] = [];
      for (const [at, check] of run.chosen.entries()) {
        tell(at, check.name);
        context.signal.throwIfAborted();
        found.push(await runCheck(ports, check, place, context));
      }
      return found;
    },
    { signal: context.signal },
  );
  return keepRun(ports, run, results);
}

const intoOf = ({ into }: ReviewRecord, live: StandingRefs): WouldBe => ({
  ref: live.into,
  branchCreatedAt: into.createdAt,
});

interface SubjectInput {
  record: ReviewRecord;
  live: StandingRefs;
  at: WouldBe;
  isMerge: boolean;
}

async function subjectOf(
  { reader }: ReviewPorts,
  { record, live, at, isMerge }: SubjectInput,
  context: CallContext,
): Promise<CheckSubject> {
  const { table, tableUuid } = record;
  const pinned = { table, ref: at.ref };
  const facts = await reader.describe(pinned, context);
  const keyOf = ({ ref, branchCreatedAt }: WouldBe): string => relationKey(tableUuid, branchCreatedAt, ref);
  const into = intoOf(record, live);
  return {
    pinned,
    facts,
    relations: {
      table,
      subject: { ref: at.ref, key: keyOf(at) },
      into: { ref: into.ref, key: keyOf(into) },
    },
    scope: scopeText(facts.rows, isMerge ? 'of the merge' : `of ${formatRef(at.ref)}`),
  };
}

const scopeText = (rows: number, of: string): string =>
  rows === 1 ? `the one row ${of}` : `all ${rows.toLocaleString('en')} rows ${of}`;

/** Results of other checks of the same heads, choices and checks are kept beside the new ones. */
function keepRun(ports: ReviewPorts, run: Run, results: CheckResult[]): CheckRun {
  const { live, all, choicesDigest, author } = run;
  const { id } = run.record;
  const checksDigest = digestText(formatChecks(all));
  const before = ports.store.reviews.getRun(id);
  const isSameSubject =
    before !== null &&
    isSame(before.from, live.from) &&
    isSame(before.into, live.into) &&
    before.choicesDigest === choicesDigest &&
    before.checksDigest === checksDigest;
  const byName = new Map(
    [...(isSameSubject ? before.results : []), ...results].map((result) => [result.name, result]),
  );
  const stored: StoredRun = {
    at: ports.now().toISOString(),
    author,
    from: live.from,
    into: live.into,
    choicesDigest,
    checksDigest,
    results: all.flatMap(({ name }) => byName.get(name) ?? []),
  };
  const count = (outcome: CheckResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  noteEvent(ports, id, {
    event: {
      kind: 'checks-run',
      author,
      version: live.from.version,
      checks: { passed: count('passed'), failed: count('failed'), errors: count('error') },
    },
    alsoKeep: () => ports.store.reviews.putRun(id, stored),
  });
  const { checksDigest: _, ...told } = stored;
  return { ...told, isStale: false };
}

const isSame = (a: PinnedRef, b: PinnedRef): boolean => a.branch === b.branch && a.version === b.version;

/** Runs checks on a ref as it stands, kept or not yet, as a job; for those who write them. */
export async function startTrial(
  ports: ReviewPorts,
  { table, ref: refText, checks: given }: { table: string; ref: string; checks?: CheckList },
  context: CallContext,
): Promise<{ id: string }> {
  const resolved = await resolveRef(ports, table, refText, context);
  const { pinned, ref, uuid, branchCreatedAt } = resolved;
  const facts = await ports.reader.describe(pinned, context);
  const checks = given ?? (await readChecksAt(ports, { table, ref }, context)) ?? [];
  const subject: CheckSubject = {
    pinned,
    facts,
    relations: { table, subject: { ref, key: relationKey(uuid, branchCreatedAt, ref) }, into: null },
    scope: scopeText(facts.rows, `of ${formatRef(ref)}`),
  };
  return ports.jobs.start({
    kind: 'checks',
    title: `Check ${formatRef(ref)} of ${table}`,
    async run(job) {
      const results: CheckResult[] = [];
      for (const [at, check] of checks.entries()) {
        job.onProgress({ done: at, total: checks.length, unit: 'checks', message: check.name });
        job.signal.throwIfAborted();
        results.push(await runCheck(ports, check, { subject, before: null, openRefs: [ref] }, job));
      }
      return { ref, results };
    },
  });
}
