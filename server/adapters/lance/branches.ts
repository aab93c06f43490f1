import { AppError } from '#shared/api/problem.ts';
import { foldersOfBranch } from '#shared/domain/names.ts';
import { mainBranch, type PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { LanceHome } from './connect.ts';
import { shareInheritedIndexes } from './inherited-indexes.ts';
import { withLanceErrors } from './lance-errors.ts';
import { openHead } from './open-table.ts';
import { branchesFolder, branchFolder } from './table-files.ts';

/**
 * Files of a deleted branch that Lance leaves where another branch lies below its name (`a` and `a/b`), or that a stale
 * handle wrote: they would keep the name from ever being used again. Branches below stay.
 */
async function removeLeftovers({ storage }: LanceHome, table: string, name: string): Promise<void> {
  const folder = branchFolder(table, name);
  await Promise.all([...foldersOfBranch].map((part) => storage.remove(`${folder}/${part}`)));
  if ((await storage.list(folder)).length === 0) await storage.remove(folder);
}

/** Whether the name is taken, also by a branch whose file is damaged: its rows must not be taken for leftovers. */
async function hasBranchFile({ storage }: LanceHome, table: string, name: string): Promise<boolean> {
  const files = await storage.list(branchesFolder(table));
  return files.some((file) => decodeURIComponent(file) === `${name}.json`);
}

/** A branch at any version of main or of another branch. EXISTS when the name is taken. */
export async function createBranch(
  home: LanceHome,
  { table, name, from }: { table: string; name: string; from: PinnedRef },
  { signal }: CallContext,
): Promise<void> {
  if (name === mainBranch || (await hasBranchFile(home, table, name)))
    throw new AppError({
      code: 'EXISTS',
      message: `${table} has a branch ${name} already.`,
      hint: 'Switch to it, or choose another name.',
    });
  signal.throwIfAborted();
  const main = await openHead(home, table, mainBranch);
  await removeLeftovers(home, table, name);
  await withLanceErrors({ table, ref: from, home: home.path }, async () => {
    const branches = await main.branches();
    await branches.create(name, from.branch, from.version);
  });
  await shareInheritedIndexes(home, { table, name, from });
}

/** Deletes a branch and its files. CONFLICT while tags or branches depend on it. */
export async function deleteBranch(
  home: LanceHome,
  { table, name }: { table: string; name: string },
  { signal }: CallContext,
): Promise<void> {
  signal.throwIfAborted();
  const main = await openHead(home, table, mainBranch);
  await withLanceErrors({ table, home: home.path }, async () => {
    const branches = await main.branches();
    await branches.delete(name);
  });
  await removeLeftovers(home, table, name);
}
