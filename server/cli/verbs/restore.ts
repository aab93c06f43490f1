import type { DiffSummary, EditResult } from '#shared/api/edits.ts';
import { exitCode } from '../exit-codes.ts';
import { isSet, textOf } from '../parse-command.ts';
import { formatCount } from '../print.ts';
import { UsageError } from '../usage.ts';
import { writeLine } from '../write-out.ts';
import type { RunContext, RunVerb } from './run-context.ts';

const countsOf = ({ inserted, updated, deleted }: EditResult['changed']): string =>
  `${formatCount(inserted)} inserted, ${formatCount(updated)} updated, ${formatCount(deleted)} deleted`;

export const runRestore: RunVerb = async (context) => {
  const { client, command, out, signal } = context;
  const [table, branch, ref, ...others] = command.positionals;
  if (!table || !branch || !ref || others.length > 0) throw new UsageError('restore needs TABLE BRANCH REF.');
  if (isSet(command, 'dry-run')) return planRestore(context, { table, branch, ref });
  const message = textOf(command, 'message');
  const body = { branch, ref, ...(message ? { message } : {}) };
  const result = await client.json<EditResult>('restore', { params: { table }, body, signal });
  const line = isSet(command, 'json')
    ? JSON.stringify(result)
    : result.editId === ''
      ? `${branch} is as ${ref} already.`
      : `Restored ${branch} to ${ref}, now at ${branch}:${result.version}: ${countsOf(result.changed)}.`;
  await writeLine(out, line);
  return exitCode.ok;
};

/** What a restore would change: the way from the branch to the ref. */
async function planRestore(
  { client, command, out, signal }: RunContext,
  { table, branch, ref }: { table: string; branch: string; ref: string },
): ReturnType<RunVerb> {
  const body = { from: ref, into: branch, base: branch };
  const { rows, into } = await client.json<DiffSummary>('diff', { params: { table }, body, signal });
  const changed = { inserted: rows.added, updated: rows.modified, deleted: rows.removed };
  const line = isSet(command, 'json')
    ? JSON.stringify({ version: into.version, changed, editId: '' } satisfies EditResult)
    : `${branch} can be restored to ${ref}: ${countsOf(changed)}.`;
  await writeLine(out, line);
  return exitCode.ok;
}
