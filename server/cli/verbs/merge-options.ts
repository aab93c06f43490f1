import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { MergeChoice, type MergeResult } from '#shared/api/edits.ts';
import { type ExitCode, exitCode } from '../exit-codes.ts';
import { type Command, choiceOf, isSet, numberOf, textOf } from '../parse-command.ts';
import { UsageError } from '../usage.ts';
import { writeLine } from '../write-out.ts';
import { type MergeWords, mergeLines } from './merge-lines.ts';
import type { RunContext } from './run-context.ts';

/** What every way of merging takes, as the body of its request. */
export async function mergeOptionsOf({ command, folder }: RunContext): Promise<Record<string, unknown>> {
  const take = choiceOf(command, 'take', ['from', 'into']);
  const message = textOf(command, 'message');
  const choices = await choicesOf(command, folder);
  const expected = { from: numberOf(command, 'expect-from'), into: numberOf(command, 'expect-into') };
  return {
    ...(take ? { take } : {}),
    ...(message ? { message } : {}),
    ...(choices ? { choices } : {}),
    ...(isSet(command, 'dry-run') ? { dryRun: true } : {}),
    ...(expected.from !== undefined || expected.into !== undefined ? { expected } : {}),
  };
}

/** A file of JSON: a list of `{key, column?, take | value}`. */
async function choicesOf(command: Command, folder: string): Promise<MergeChoice[] | undefined> {
  const file = textOf(command, 'choices');
  if (file === undefined) return undefined;
  const text = await readFile(resolve(folder, file), 'utf8').catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`);
  });
  try {
    return z.array(MergeChoice).parse(JSON.parse(text));
  } catch {
    throw new UsageError(
      `${file} is not a list of choices: [{"key": 7, "column": "label", "take": "from"}, {"key": 8, "column": "label", "value": "cat"}].`,
    );
  }
}

/** Writes a result, and says with what the process ends. */
export async function endMerge(
  result: MergeResult,
  words: MergeWords,
  { command, out }: RunContext,
): Promise<ExitCode> {
  if (isSet(command, 'json')) await writeLine(out, JSON.stringify(result));
  else for (const line of mergeLines(result, words)) await writeLine(out, line);
  return result.status === 'conflicts' ? exitCode.conflicts : exitCode.ok;
}
