import type { EditResult } from '#shared/api/edits.ts';
import { AppError, isAppError } from '#shared/api/problem.ts';
import { describeEdit } from '#shared/domain/edit-message.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import { assertBranchName } from '#shared/domain/names.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { applyChangeset, type ChangeTarget, settleBranch, toTarget } from './apply-changeset.ts';
import { compileOps } from './compile-ops.ts';
import { assertWritable } from './protect.ts';
import { resolveRef } from './resolve-ref.ts';
import { withTableTurn } from './table-turns.ts';

type EditPorts = Pick<Ports, 'reader' | 'writer' | 'store' | 'now'>;

export interface EditInput {
  table: string;
  branch: string;
  /** HEAD_MOVED unless the branch is still at this version. */
  expectedVersion?: number;
  message?: string;
  ops: EditOp[];
  author: string;
}

const tries = 4;

/** Changes rows or columns of a branch as one step. An edit that changes nothing makes no version. */
export async function editTable(
  ports: EditPorts,
  input: EditInput,
  context: CallContext,
): Promise<EditResult> {
  return withTableTurn(input.table, context.signal, async () => {
    for (let attempt = 1; ; attempt++) {
      const target = await resolveWritable(ports, input, context);
      assertExpected(input, target);
      try {
        return await editOnce(ports, input, target, context);
      } catch (error) {
        const isMoved = isAppError(error) && error.code === 'HEAD_MOVED';
        if (!isMoved || input.expectedVersion !== undefined || attempt === tries) throw error;
      }
    }
  });
}

/**
 * The head of a branch whose rows may change; a change that was left half way is finished first. The caller holds the
 * table's turn. Throws PROTECTED_BRANCH, and what `resolveRef` throws.
 */
export async function resolveWritable(
  ports: EditPorts,
  { table, branch }: { table: string; branch: string },
  context: CallContext,
): Promise<ChangeTarget> {
  if (branch !== mainBranch) assertBranchName(branch);
  const target = toTarget(await resolveRef(ports, table, branch, context));
  assertWritable(ports, { table, uuid: target.uuid, branch });
  const isSettled = await settleBranch(ports, target);
  return isSettled ? toTarget(await resolveRef(ports, table, branch, context)) : target;
}

function assertExpected({ table, branch, expectedVersion }: EditInput, { head }: ChangeTarget): void {
  if (expectedVersion === undefined || expectedVersion === head.version) return;
  throw new AppError({
    code: 'HEAD_MOVED',
    message: `${branch} of ${table} is at version ${head.version}, not at ${expectedVersion}.`,
    hint: 'Look at what changed, then make the edit again.',
  });
}

async function editOnce(
  ports: EditPorts,
  input: EditInput,
  target: ChangeTarget,
  context: CallContext,
): Promise<EditResult> {
  const { table, head, uuid } = target;
  const { columns } = await ports.reader.describe({ table, ref: head }, context);
  const keyFact = nextKeyFact(uuid);
  const { changeset, changed, nextKey } = await ports.writer.planEdit(
    {
      table,
      head,
      ops: compileOps(input.ops, columns),
      nextKey: ports.store.facts.get(keyFact) ?? undefined,
    },
    context,
  );
  if (nextKey !== null) ports.store.facts.set(keyFact, nextKey);
  const message = input.message?.trim() || describeEdit(input.ops, changed);
  return applyChangeset(
    ports,
    {
      target: { ...target, isExact: input.expectedVersion !== undefined },
      changeset,
      note: { kind: 'edit', author: input.author, message },
    },
    context,
  );
}

/** Where the next hidden key of a table is kept: branches must not give the same key to different rows. */
export const nextKeyFact = (uuid: string): string => `key.next:${uuid}`;
