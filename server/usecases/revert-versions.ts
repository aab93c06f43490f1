import type { MergeResult } from '#shared/api/edits.ts';
import { assertBranchName } from '#shared/domain/names.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import { assertExpected, type MergeOptions, type MergePorts, type Planned, runMerge } from './apply-merge.ts';
import { planPicks } from './pick-versions.ts';
import { assertWritable } from './protect.ts';
import { resolveRef } from './resolve-ref.ts';
import { planVersionSteps } from './version-steps.ts';

export interface RevertInput extends MergeOptions {
  table: string;
  branch: string;
  versions: number[];
}

/** Undoes versions of a branch by their inverse, the newest first; later changes of other cells stay. */
export function revertVersions(
  ports: MergePorts,
  input: RevertInput,
  context: CallContext,
): Promise<MergeResult> {
  const { table, branch, versions, take, choices, dryRun } = input;
  if (branch !== mainBranch) assertBranchName(branch);
  const plan = async (): Promise<Planned> => {
    const into = await resolveRef(ports, table, branch, context);
    assertWritable(ports, { table, uuid: into.uuid, branch });
    assertExpected(input, into, into);
    const steps = (await planVersionSteps(ports, into, versions, context))
      .map(({ before, after }) => ({ before: after, after: before }))
      .reverse();
    const first = steps[0]!;
    return {
      base: first.before,
      from: { ...into, ref: first.after, isHead: false },
      into,
      plan: await planPicks(
        ports,
        { into, steps, options: { take, choices, byRowId: true, dryRun } },
        context,
      ),
      note: {
        kind: 'revert',
        author: input.author,
        message:
          input.message?.trim() || `Reverted version ${[...versions].sort((a, b) => b - a).join(', ')}`,
        detail: { versions, take, choices },
      },
    };
  };
  return runMerge(ports, table, { options: input, plan }, context);
}
