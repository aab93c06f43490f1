import type { EditResult } from '#shared/api/edits.ts';
import { AppError } from '#shared/api/problem.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { applyChangeset, type ChangeNote, type ChangeTarget, runGroup } from './apply-changeset.ts';
import { resolveWritable } from './edit-table.ts';
import { resolveRef } from './resolve-ref.ts';
import { withTableTurn } from './table-turns.ts';

type RestorePorts = Pick<Ports, 'reader' | 'writer' | 'diff' | 'store' | 'now'>;

export interface RestoreInput {
  table: string;
  branch: string;
  /** What the branch is to be like: a version of its own, another branch, or a tag. */
  ref: string;
  message?: string;
  author: string;
}

/** Makes a branch as it was (or as another ref is), as a new version. Nothing is made when it is so already. */
export async function restoreBranch(
  ports: RestorePorts,
  input: RestoreInput,
  context: CallContext,
): Promise<EditResult> {
  return withTableTurn(input.table, context.signal, async () => {
    const target = await resolveWritable(ports, input, context);
    const { ref } = await resolveRef(ports, input.table, input.ref, context);
    const { head } = target;
    if (ref.branch === head.branch && ref.version === head.version)
      return { version: head.version, changed: { inserted: 0, updated: 0, deleted: 0 }, editId: '' };
    const note: ChangeNote = {
      kind: 'restore',
      author: input.author,
      message: input.message?.trim() || `Restored ${head.branch} to ${formatRef(ref)}`,
      detail: { ref },
    };
    return ref.branch === head.branch
      ? restoreOwn(ports, { target, ref, note }, context)
      : restoreOther(ports, { target, ref, note }, context);
  });
}

interface Restoring {
  target: ChangeTarget;
  ref: PinnedRef;
  note: ChangeNote;
}

/** A version of the branch itself: Lance points at its files again. */
async function restoreOwn(
  ports: RestorePorts,
  { target, ref, note }: Restoring,
  context: CallContext,
): Promise<EditResult> {
  const { table, head } = target;
  const { rows } = await ports.diff.summarize({ table, base: head, from: ref, into: head }, context);
  const changed = { inserted: rows.added, updated: rows.modified, deleted: rows.removed };
  const work = async (_input: unknown, begun: CallContext) => {
    const { version } = await ports.writer.restore({ table, branch: head.branch, ref }, begun);
    return { version, changed };
  };
  return runGroup(ports, { target, note: { ...note, planned: changed }, redo: null, work }, context);
}

/** Another branch or a tag on one: what differs is written. */
async function restoreOther(
  ports: RestorePorts,
  { target, ref, note }: Restoring,
  context: CallContext,
): Promise<EditResult> {
  const { table, head } = target;
  const plan = await ports.diff.planMerge({ table, base: head, from: ref, into: head }, context);
  if (plan.status === 'conflicts')
    throw new AppError({
      code: 'CONFLICT',
      message: `${head.branch} cannot be made like ${formatRef(ref)}.`,
      hint: 'Merge it instead.',
    });
  if (!plan.changeset) return { version: head.version, changed: plan.rows, editId: '' };
  return applyChangeset(ports, { target, changeset: plan.changeset, note }, context);
}
