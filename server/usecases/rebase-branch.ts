import type { MergeResult } from '#shared/api/edits.ts';
import type { CallContext } from '../ports/call.ts';
import type { MergeOptions, MergePorts } from './apply-merge.ts';
import { mergeAs } from './merge-branches.ts';
import { assertWritable } from './protect.ts';

export interface RebaseInput extends MergeOptions {
  table: string;
  branch: string;
  onto: string;
}

/** Brings what `onto` changed since they parted onto a branch, so that the branch shows only its own changes again. */
export function rebaseBranch(
  ports: MergePorts,
  { table, branch, onto, ...options }: RebaseInput,
  context: CallContext,
): Promise<MergeResult> {
  return mergeAs(
    ports,
    { table, from: onto, into: branch, ...options },
    {
      kind: 'rebase',
      message: `Rebased ${branch} onto ${onto}`,
      assertAllowed: ({ uuid, ref }) => assertWritable(ports, { table, uuid, branch: ref.branch }),
    },
    context,
  );
}
