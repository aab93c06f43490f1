import type { MergeResult } from '#shared/api/edits.ts';
import { AppError, isAppError } from '#shared/api/problem.ts';
import type { CheckRun } from '#shared/api/review-parts.ts';
import type { Review } from '#shared/api/reviews.ts';
import { type ExitCode, exitCode } from '../exit-codes.ts';
import { isSet, textOf, textsOf } from '../parse-command.ts';
import { UsageError } from '../usage.ts';
import { writeLine } from '../write-out.ts';
import { followToEnd } from './follow-to-end.ts';
import { mergeLines, mergeWords } from './merge-lines.ts';
import { mergeOptionsOf } from './merge-options.ts';
import { checkLines, reviewLines } from './review-lines.ts';
import type { RunContext, RunVerb } from './run-context.ts';

type Act = (context: RunContext, args: readonly string[]) => Promise<ExitCode>;

const acts: Record<string, Act> = {
  open: openReview,
  show: showReview,
  checks: runChecks,
  approve: (context, args) => endReview(context, { route: 'approveReview', id: idOf(args), body: {} }),
  merge: mergeReview,
  close: (context, args) =>
    endReview(context, {
      route: 'closeReview',
      id: idOf(args),
      body: { deleteBranch: isSet(context.command, 'delete-branch') },
    }),
};

export const runReview: RunVerb = async (context) => {
  const [what = '', ...args] = context.command.positionals;
  const act = Object.hasOwn(acts, what) ? acts[what] : undefined;
  if (!act) throw new UsageError(`review is followed by ${Object.keys(acts).join(', ')}.`);
  return act(context, args);
};

function idOf(args: readonly string[]): string {
  const [id, ...others] = args;
  if (id === undefined || others.length > 0) throw new UsageError('The number of one review is needed.');
  return id;
}

async function tell({ command, out }: RunContext, review: Review): Promise<void> {
  if (isSet(command, 'json')) await writeLine(out, JSON.stringify(review));
  else for (const line of reviewLines(review)) await writeLine(out, line);
}

async function openReview(context: RunContext, args: readonly string[]): Promise<ExitCode> {
  const { client, command, signal } = context;
  const [table, from, into = 'main', ...others] = args;
  const title = textOf(command, 'title');
  if (!table || !from || others.length > 0 || title === undefined)
    throw new UsageError('review open needs TABLE FROM [INTO] and --title TEXT.');
  const reviewers = textsOf(command, 'reviewer');
  const description = textOf(command, 'description');
  const body = {
    table,
    from,
    into,
    title,
    ...(description === undefined ? {} : { description }),
    ...(reviewers.length === 0 ? {} : { reviewers }),
  };
  await tell(context, await client.json<Review>('openReview', { body, signal }));
  return exitCode.ok;
}

async function showReview(context: RunContext, args: readonly string[]): Promise<ExitCode> {
  const { client, signal } = context;
  const review = await client.json<Review>('getReview', { params: { id: idOf(args) }, signal });
  await tell(context, review);
  return review.state === 'open' && !review.canMerge ? exitCode.blocked : exitCode.ok;
}

async function runChecks(context: RunContext, args: readonly string[]): Promise<ExitCode> {
  const { client, command, out, signal } = context;
  const { take, choices } = await mergeOptionsOf(context);
  const { job } = await client.json<{ job: { id: string } }>('runReviewChecks', {
    params: { id: idOf(args) },
    body: { ...(take ? { take } : {}), ...(choices ? { choices } : {}) },
    signal,
  });
  const ended = await followToEnd(context, job.id);
  if (ended.state === 'cancelled') return exitCode.cancelled;
  if (ended.error)
    throw new AppError({
      code: ended.error.code as AppError['code'],
      message: ended.error.detail,
      hint: ended.error.hint,
    });
  const run = ended.result as CheckRun;
  if (isSet(command, 'json')) await writeLine(out, JSON.stringify(run));
  else for (const line of run.results.flatMap(checkLines)) await writeLine(out, line);
  const isBlocked = run.results.some(
    ({ severity, outcome }) => severity === 'required' && outcome !== 'passed',
  );
  return isBlocked ? exitCode.blocked : exitCode.ok;
}

async function mergeReview(context: RunContext, args: readonly string[]): Promise<ExitCode> {
  const { client, command, out, signal } = context;
  const { dryRun, ...options } = await mergeOptionsOf(context);
  if (dryRun) throw new UsageError('review show says whether it can be merged; there is no --dry-run here.');
  const body = {
    ...options,
    ...(isSet(command, 'squash') ? { squash: true } : {}),
    ...(isSet(command, 'delete-branch') ? { deleteBranch: true } : {}),
  };
  const id = idOf(args);
  try {
    const answer = await client.json<{ merge: MergeResult; review: Review }>('mergeReview', {
      params: { id },
      body,
      signal,
    });
    if (isSet(command, 'json')) await writeLine(out, JSON.stringify(answer));
    else
      for (const line of [...mergeLines(answer.merge, mergeWords), ...answer.review.notices])
        await writeLine(out, line);
    return answer.merge.status === 'conflicts' ? exitCode.conflicts : exitCode.ok;
  } catch (error) {
    if (!isAppError(error) || error.issues === undefined || error.code === 'BAD_REQUEST') throw error;
    if (isSet(command, 'json')) await writeLine(out, JSON.stringify({ blockers: error.issues }));
    else for (const { message } of error.issues) await writeLine(context.err, message);
    return exitCode.blocked;
  }
}

async function endReview(
  context: RunContext,
  { route, id, body }: { route: 'approveReview' | 'closeReview'; id: string; body: unknown },
): Promise<ExitCode> {
  const { client, signal } = context;
  await tell(context, await client.json<Review>(route, { params: { id }, body, signal }));
  return exitCode.ok;
}
