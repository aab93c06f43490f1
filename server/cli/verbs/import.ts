import { resolve } from 'node:path';
import type { ImportBody, ImportOptions, JobInfo } from '#shared/api/jobs.ts';
import { AppError, type ProblemCode } from '#shared/api/problem.ts';
import { exitCode } from '../exit-codes.ts';
import { type Command, choiceOf, isSet, textOf, textsOf } from '../parse-command.ts';
import { formatCount } from '../print.ts';
import { createProgressLine } from '../progress.ts';
import { UsageError } from '../usage.ts';
import { writeLine } from '../write-out.ts';
import type { RunContext, RunVerb } from './run-context.ts';

const formats = ['parquet', 'csv', 'tsv', 'json', 'ndjson', 'arrow', 'folder'] as const;

function optionsOf(command: Command): ImportOptions {
  const header = choiceOf(command, 'header', ['yes', 'no']);
  const nulls = textsOf(command, 'null');
  const options: ImportOptions = {
    format: choiceOf(command, 'format', formats),
    delimiter: textOf(command, 'delimiter')?.replace('\\t', '\t'),
    hasHeader: header === undefined ? undefined : header === 'yes',
    encoding: choiceOf(command, 'encoding', ['utf-8', 'utf-16', 'latin-1']),
    nulls: nulls.length === 0 ? undefined : nulls,
    metadata: textOf(command, 'metadata'),
    description: textOf(command, 'description'),
  };
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as ImportOptions;
}

/** The body of the request; paths are made absolute, since the server may have been started elsewhere. */
export function importBodyOf(command: Command, folder: string): ImportBody {
  const name = textOf(command, 'table');
  if (name === undefined) throw new UsageError('import needs --table NAME.');
  if (command.positionals.length === 0) throw new UsageError('import needs a path.');
  const key = textsOf(command, 'key')
    .flatMap((columns) => columns.split(','))
    .map((column) => column.trim());
  const options = optionsOf(command);
  return {
    name,
    ...(key.length === 0 ? {} : { key }),
    sources: command.positionals.map((path) =>
      /^https?:\/\//i.test(path) ? { url: path } : { path: resolve(folder, path) },
    ),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}

/** Follows a job to its end; Ctrl-C cancels it and waits for that. */
async function followToEnd({ client, err, signal, command }: RunContext, id: string): Promise<JobInfo> {
  const progress = createProgressLine(err);
  const cancel = () => void client.send('cancelJob', { params: { id } }).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  let last: JobInfo | null = null;
  try {
    for await (const job of client.followJob(id, new AbortController().signal)) {
      last = job;
      if (!isSet(command, 'json')) progress.show(job);
    }
  } finally {
    progress.end();
    signal.removeEventListener('abort', cancel);
  }
  if (last) return last;
  throw new AppError({
    code: 'UPSTREAM',
    message: 'The server said nothing about the import.',
    hint: 'Is it still running?',
  });
}

interface ImportResult {
  table: string;
  rows: number;
  version: number;
  notices: string[];
}

export const runImport: RunVerb = async (context) => {
  const { client, command, folder, out, err } = context;
  const body = importBodyOf(command, folder);
  const { job } = await client.json<{ job: { id: string } }>('importTable', { body });
  const ended = await followToEnd(context, job.id);
  if (ended.state === 'cancelled') {
    await writeLine(err, 'Cancelled; nothing was made.');
    return exitCode.cancelled;
  }
  if (ended.state === 'failed') {
    const { code, detail, hint } = ended.error ?? { code: 'INTERNAL', detail: ended.message };
    throw new AppError({ code: code as ProblemCode, message: detail, hint });
  }
  const result = ended.result as ImportResult;
  if (isSet(command, 'json')) await writeLine(out, JSON.stringify(result));
  else {
    for (const notice of result.notices) await writeLine(err, `  ${notice}`);
    await writeLine(out, `${result.table}: ${formatCount(result.rows)} rows at main:${result.version}`);
  }
  return exitCode.ok;
};
