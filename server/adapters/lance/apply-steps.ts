import type { CallContext } from '../../ports/call.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { planRowIdSteps } from './apply-by-row-id.ts';
import { planColumnSteps } from './apply-columns.ts';
import type { Step } from './apply-commit.ts';
import { planDeleteSteps } from './apply-deletes.ts';
import { planIndexSteps } from './apply-index.ts';
import { planMergeSteps } from './apply-merge.ts';
import { isBlobField } from './column-type-arrow.ts';
import { readFile } from './write-files.ts';
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
  const rows = await target.handle.countRows();
  const columns = planColumnSteps(target, changeset);
  if (target.key.length === 0) return [...columns, ...(await planRowIdSteps(target, changeset, signal))];
  const hasBlobs = target.hasBlobs || addsBlobs(changeset);
  const indexes = await planIndexSteps(target, changeset, { rows, hasBlobs });
  const merges = planMergeSteps(target, changeset, { rows, hasBlobs, signal });
  const deletes = merges.takesDeletes ? [] : await planDeleteSteps(target, changeset.deletes, signal);
  return [...columns, ...indexes, ...merges.steps, ...deletes];
}

const addsBlobs = ({ addColumns }: Changeset): boolean =>
  addColumns !== null && readFile(addColumns).schema.fields.some(isBlobField);
