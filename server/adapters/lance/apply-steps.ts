import type { CallContext } from '../../ports/call.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { planRowIdSteps } from './apply-by-row-id.ts';
import { afterRenames, planColumnSteps } from './apply-columns.ts';
import type { Step } from './apply-commit.ts';
import { planDeleteSteps } from './apply-deletes.ts';
import { planIndexSteps } from './apply-index.ts';
import { planMergeSteps } from './apply-merge.ts';
import { readShape } from './apply-shape.ts';
import type { WriteTarget } from './write-target.ts';

/**
 * The commits that a changeset takes, fewest first: columns, then an index on the key where one pays, then rows in as
 * few merges as can be, then deletes where they did not fit into a merge.
 */
export async function planSteps(
  target: WriteTarget,
  changeset: Changeset,
  { signal }: CallContext,
): Promise<Step[]> {
  const columns = planColumnSteps(target, changeset);
  if (target.key.length === 0) return [...columns, ...(await planRowIdSteps(target, changeset, signal))];
  const shape = await readShape(target, changeset);
  const renamed = afterRenames(target, changeset.renameColumns);
  const indexes = await planIndexSteps(target, renamed, { changeset, shape });
  const merges = planMergeSteps(renamed, changeset, shape, signal);
  const deletes = merges.takesDeletes ? [] : await planDeleteSteps(target, renamed, { changeset, signal });
  return [...columns, ...indexes, ...merges.steps, ...deletes];
}
