import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { planSteps } from './apply-steps.ts';
import { readManifest } from './manifest/read-manifest.ts';
import type { OperationKind } from './manifest/transaction.ts';
import { parseTransaction } from './manifest/transaction.ts';
import { restoreBranch } from './restore.ts';
import type { WriteTarget } from './write-target.ts';

/**
 * Takes back a changeset that was begun and cannot be finished, by a restore of the head before it; false where a
 * version since may be another program's, which a restore would take back too. `before` is the branch at that head.
 */
export async function rollBack(
  target: WriteTarget,
  { before, head, changeset }: { before: WriteTarget; head: PinnedRef; changeset: Changeset },
  context: CallContext,
): Promise<boolean> {
  const { home, table, branch, handle } = target;
  const version = await handle.version();
  const planned = (await planSteps(before, changeset, context)).map(({ operation }) => operation);
  const done = await operationsSince(target, head.version, version);
  if (done.length > planned.length || done.some((operation, index) => operation !== planned[index]))
    return false;
  await restoreBranch(home, { table, branch, ref: head }, context);
  return true;
}

/** What made each version after `from`, up to `to`; null where that cannot be told. */
async function operationsSince(
  { home, table, branch }: WriteTarget,
  from: number,
  to: number,
): Promise<(OperationKind | null)[]> {
  const operations: (OperationKind | null)[] = [];
  for (let version = from + 1; version <= to; version++) {
    const manifest = await readManifest(home, table, { branch, version });
    operations.push(manifest?.transaction ? parseTransaction(manifest.transaction).operation : null);
  }
  return operations;
}
