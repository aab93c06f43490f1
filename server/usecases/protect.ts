import { AppError } from '#shared/api/problem.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { Ports } from '../ports/index.ts';

/** `main` always, others by the store. */
export const isProtectedBranch = ({ store }: Pick<Ports, 'store'>, uuid: string, branch: string): boolean =>
  branch === mainBranch || store.listProtectedBranches(uuid).includes(branch);

/** Rows of protected branches change by merges only. Throws PROTECTED_BRANCH with the way out. */
export function assertWritable(
  ports: Pick<Ports, 'store'>,
  { table, uuid, branch }: { table: string; uuid: string; branch: string },
): void {
  if (!isProtectedBranch(ports, uuid, branch)) return;
  throw new AppError({
    code: 'PROTECTED_BRANCH',
    message: `${branch} of ${table} is protected: its rows change by merges only.`,
    hint: 'Make a branch, change the rows there, and merge it.',
  });
}
