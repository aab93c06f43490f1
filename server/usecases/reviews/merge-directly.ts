import type { MergeBody, MergeResult } from '#shared/api/edits.ts';
import { mergeBranches } from '../merge-branches.ts';
import type { By, ReviewPorts } from './review-ports.ts';
import { assertMayMergeDirectly } from './rules-of-table.ts';
import { settleMergedBranch } from './settle-landed.ts';

/** A merge without a review, within the rules of the table; open reviews that it brings in are merged by it. */
export async function mergeDirectly(
  ports: ReviewPorts,
  { table, ...body }: MergeBody & { table: string },
  { principal, ...context }: By,
): Promise<MergeResult> {
  const result = await mergeBranches(
    ports,
    {
      table,
      ...body,
      author: principal.name,
      assertAllowed: ({ uuid, ref: { branch } }) =>
        assertMayMergeDirectly(ports, { table, uuid, branch, principal }),
    },
    context,
  );
  if (result.status === 'merged')
    await settleMergedBranch(
      ports,
      { table, from: result.from.branch, into: result.into.branch },
      { signal: new AbortController().signal },
    );
  return result;
}
