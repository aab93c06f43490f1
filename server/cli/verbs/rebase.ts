import type { MergeResult } from '#shared/api/edits.ts';
import { UsageError } from '../usage.ts';
import { rebaseWords } from './merge-lines.ts';
import { endMerge, mergeOptionsOf } from './merge-options.ts';
import type { RunVerb } from './run-context.ts';

export const runRebase: RunVerb = async (context) => {
  const { client, command, signal } = context;
  const [table, branch, onto = 'main', ...others] = command.positionals;
  if (!table || !branch || others.length > 0) throw new UsageError('rebase needs TABLE BRANCH [ONTO].');
  const body = { branch, onto, ...(await mergeOptionsOf(context)) };
  const result = await client.json<MergeResult>('rebase', { params: { table }, body, signal });
  return endMerge(result, rebaseWords, context);
};
