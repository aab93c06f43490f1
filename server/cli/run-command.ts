import type { Writable } from 'node:stream';
import { isAppError } from '#shared/api/problem.ts';
import { connect, settingsOf, workingFolder } from './connect.ts';
import { type ExitCode, exitCode } from './exit-codes.ts';
import { type Command, isSet, parseCommand, type Verb } from './parse-command.ts';
import { formatProblemText, problemJson } from './print.ts';
import { generalHelp, UsageError, verbHelp } from './usage.ts';
import { runCherryPick } from './verbs/cherry-pick.ts';
import { runDiff } from './verbs/diff.ts';
import { runExport } from './verbs/export.ts';
import { runImport } from './verbs/import.ts';
import { runMerge } from './verbs/merge.ts';
import { runQueries } from './verbs/queries.ts';
import { runRebase } from './verbs/rebase.ts';
import { runRestore } from './verbs/restore.ts';
import { runRevert } from './verbs/revert.ts';
import { runReview } from './verbs/review.ts';
import { runReviews } from './verbs/reviews.ts';
import type { RunVerb } from './verbs/run-context.ts';
import { runServe } from './verbs/serve.ts';
import { runSql } from './verbs/sql.ts';
import { runTables } from './verbs/tables.ts';

export interface Terminal {
  env: NodeJS.ProcessEnv;
  out: Writable;
  err: NodeJS.WriteStream;
  signal: AbortSignal;
}

const verbs: Record<Exclude<Verb, 'serve'>, RunVerb> = {
  import: runImport,
  tables: runTables,
  sql: runSql,
  queries: runQueries,
  reviews: runReviews,
  review: runReview,
  diff: runDiff,
  merge: runMerge,
  rebase: runRebase,
  'cherry-pick': runCherryPick,
  revert: runRevert,
  restore: runRestore,
  export: runExport,
};

async function runVerb(command: Command, { env, out, err, signal }: Terminal): Promise<ExitCode> {
  if (command.verb === 'serve') return runServe(settingsOf(command, env), signal);
  const connection = await connect(command, env);
  try {
    return await verbs[command.verb]({
      command,
      client: connection.client,
      folder: workingFolder(env),
      out,
      err,
      signal,
    });
  } finally {
    await connection.close();
  }
}

function report(error: unknown, command: Command | null, { err, signal }: Terminal): ExitCode {
  if (error instanceof UsageError) {
    err.write(`${error.message}\nRun with --help to see what there is.\n`);
    return exitCode.usage;
  }
  if (signal.aborted || (isAppError(error) && error.code === 'ABORTED')) return exitCode.cancelled;
  err.write(`${command && isSet(command, 'json') ? problemJson(error) : formatProblemText(error)}\n`);
  return isAppError(error) && error.code === 'HEAD_MOVED' ? exitCode.moved : exitCode.failed;
}

/** Runs a command line to its exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let command: Command | null = null;
  try {
    command = parseCommand(args);
    if (command === null || isSet(command, 'help')) {
      terminal.out.write(command === null ? generalHelp : `${verbHelp[command.verb]}`);
      return exitCode.ok;
    }
    return await runVerb(command, terminal);
  } catch (error) {
    return report(error, command, terminal);
  }
}
