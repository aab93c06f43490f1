import type { MergeResult } from '#shared/api/edits.ts';
import { versionsOf } from '../parse-command.ts';
import { UsageError } from '../usage.ts';
import { revertWords } from './merge-lines.ts';
import { endMerge, mergeOptionsOf } from './merge-options.ts';
import type { RunVerb } from './run-context.ts';

export const runRevert: RunVerb = async (context) => {
  const { client, command, signal } = context;
  const [table, branch, ...named] = command.positionals;
  if (!table || !branch || named.length === 0) throw new UsageError('revert needs TABLE BRANCH VERSION….');
  const versions = versionsOf(named);
  const body = { branch, versions, ...(await mergeOptionsOf(context)) };
  const result = await client.json<MergeResult>('revert', { params: { table }, body, signal });
  return endMerge(result, revertWords(versions), context);
};
