import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { MergePlan, MergePlanInput } from '../ports/table-diff.ts';
import { isEmptyChangeset } from './apply-changeset.ts';
import { upToDate } from './merge-branches.ts';
import type { ResolvedRef } from './resolve-ref.ts';
import { withScratchBranch } from './scratch-branches.ts';
import type { VersionStep } from './version-steps.ts';

type PickPorts = Pick<Ports, 'diff' | 'writer' | 'store'>;

export type PickOptions = Pick<MergePlanInput, 'take' | 'choices' | 'only' | 'byRowId' | 'dryRun'>;

/**
 * One plan for several steps onto a branch: each merges the way from `before` to `after` onto what the ones before it
 * made. More than one is tried out on a branch that no list shows, so that they land together or not at all.
 */
export async function planPicks(
  ports: PickPorts,
  { into, steps, options }: { into: ResolvedRef; steps: readonly VersionStep[]; options: PickOptions },
  context: CallContext,
): Promise<MergePlan> {
  const { table, ref: head } = into;
  const [only, ...more] = steps;
  if (!only) return upToDate;
  if (more.length === 0)
    return ports.diff.planMerge(
      { table, base: only.before, from: only.after, into: head, ...options },
      context,
    );
  const tryOut = async (branch: string): Promise<MergePlan> => {
    let at = { branch, version: head.version };
    for (const { before, after } of steps) {
      const step = { table, base: before, from: after, into: at, ...options, dryRun: false };
      const plan = await ports.diff.planMerge(step, context);
      if (plan.status === 'conflicts') return plan;
      if (!plan.changeset || isEmptyChangeset(plan.changeset)) continue;
      // Waited for, as all writing on a branch that is dropped afterwards.
      const begun: CallContext = { signal: new AbortController().signal };
      const { version } = await ports.writer.apply({ table, head: at, changeset: plan.changeset }, begun);
      context.signal.throwIfAborted();
      at = { branch, version };
    }
    const { byRowId, dryRun } = options;
    return ports.diff.planMerge({ table, base: head, from: at, into: head, byRowId, dryRun }, context);
  };
  return withScratchBranch(ports, { table, from: head }, tryOut, context);
}
