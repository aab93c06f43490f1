import type { MergeResult } from '#shared/api/edits.ts';
import { UsageError } from '../usage.ts';
import { mergeWords } from './merge-lines.ts';
import { endMerge, mergeOptionsOf } from './merge-options.ts';
import type { RunVerb } from './run-context.ts';

export const runMerge: RunVerb = async (context) => {
  const { client, command, signal } = context;
  const [table, from, into = 'main', ...others] = command.positionals;
  if (!table || !from || others.length > 0) throw new UsageError('merge needs TABLE FROM [INTO].');
  const body = { from, into, ...(await mergeOptionsOf(context)) };
  const result = await client.json<MergeResult>('merge', { params: { table }, body, signal });
  return endMerge(result, mergeWords, context);
};
