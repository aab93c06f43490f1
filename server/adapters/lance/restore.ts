import { AppError } from '#shared/api/problem.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Applied } from '../../ports/table-writer.ts';
import { commit } from './apply-commit.ts';
import type { LanceHome } from './connect.ts';
import { openHead } from './open-table.ts';
import { openBranch } from './write-target.ts';

/**
 * Makes a branch as it was at an earlier version of its own, as one new version that shares the old one's files.
 * The rows that this changes are for the caller to count. UNSUPPORTED for versions of other branches.
 */
export async function restoreBranch(
  home: LanceHome,
  { table, branch, ref }: { table: string; branch: string; ref: PinnedRef },
  { signal }: CallContext,
): Promise<Applied> {
  if (ref.branch !== branch)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `${branch} can be restored to its own versions only.`,
      hint: 'Merge or cherry-pick from other branches.',
    });
  const target = await openBranch(home, table, branch);
  signal.throwIfAborted();
  const version = await commit(target, async () => {
    const old = await openHead(home, table, branch);
    await old.checkout(ref.version);
    await old.restore();
    return old.version();
  });
  return { version, changed: { inserted: 0, updated: 0, deleted: 0 } };
}
