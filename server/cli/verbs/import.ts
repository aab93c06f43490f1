import { resolve } from 'node:path';
import type { ImportBody, ImportOptions } from '#shared/api/jobs.ts';
import { AppError, type ProblemCode } from '#shared/api/problem.ts';
import { exitCode } from '../exit-codes.ts';
import { type Command, choiceOf, isSet, textOf, textsOf } from '../parse-command.ts';
import { formatCount } from '../print.ts';
import { UsageError } from '../usage.ts';
import { writeLine } from '../write-out.ts';
import { followToEnd } from './follow-to-end.ts';
import type { RunVerb } from './run-context.ts';

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
