import type { MergeResult } from '#shared/api/edits.ts';
import { listOf, versionsOf } from '../parse-command.ts';
import { UsageError } from '../usage.ts';
import { pickWords } from './merge-lines.ts';
import { endMerge, mergeOptionsOf } from './merge-options.ts';
import type { RunVerb } from './run-context.ts';

export const runCherryPick: RunVerb = async (context) => {
  const { client, command, signal } = context;
  const [table, from, into, ...others] = command.positionals;
  if (!table || !from || !into || others.length > 0)
    throw new UsageError('cherry-pick needs TABLE FROM INTO.');
  const [rowIds, columns, versions] = [
    listOf(command, 'rows'),
    listOf(command, 'columns'),
    listOf(command, 'versions'),
  ];
  if (rowIds.length + columns.length + versions.length === 0)
    throw new UsageError('cherry-pick needs --versions, --rows or --columns.');
  const body = {
    from,
    into,
    ...(rowIds.length > 0 ? { rowIds } : {}),
    ...(columns.length > 0 ? { columns } : {}),
    ...(versions.length > 0 ? { versions: versionsOf(versions) } : {}),
    ...(await mergeOptionsOf(context)),
  };
  const result = await client.json<MergeResult>('cherryPick', { params: { table }, body, signal });
  return endMerge(result, pickWords, context);
};
