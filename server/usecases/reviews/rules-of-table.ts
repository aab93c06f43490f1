import { AppError } from '#shared/api/problem.ts';
import type { TableRules } from '#shared/api/reviews.ts';
import { assertBranchName } from '#shared/domain/names.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { defaultRules, type ReviewRules } from '#shared/domain/review-rules.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Ports } from '../../ports/index.ts';
import { mayMergeBy, type Principal } from '../authorize.ts';
import { isProtectedBranch } from '../protect.ts';
import { readSealedHeads } from '../resolve-ref.ts';

/** The rules of a table; the defaults where nobody gave any. */
export const rulesOf = ({ store }: Pick<Ports, 'store'>, tableUuid: string): ReviewRules =>
  store.reviews.getRules(tableUuid) ?? defaultRules;

const tableRules = ({ store }: Pick<Ports, 'store'>, uuid: string): TableRules => ({
  rules: rulesOf({ store }, uuid),
  protectedBranches: [
    mainBranch,
    ...store.listProtectedBranches(uuid).filter((branch) => branch !== mainBranch),
  ],
});

export async function readRules(
  ports: Pick<Ports, 'reader' | 'store'>,
  table: string,
  context: CallContext,
): Promise<TableRules> {
  return tableRules(ports, (await readSealedHeads(ports, table, context)).uuid);
}

/** Sets the rules and, where they are given, which branches are protected; main always is. */
export async function putRules(
  ports: Pick<Ports, 'reader' | 'store'>,
  {
    table,
    rules,
    protectedBranches,
  }: { table: string; rules: ReviewRules; protectedBranches?: readonly string[] },
  context: CallContext,
): Promise<TableRules> {
  for (const branch of protectedBranches ?? []) if (branch !== mainBranch) assertBranchName(branch);
  const { uuid, branches } = await readSealedHeads(ports, table, context);
  const before = new Set(ports.store.listProtectedBranches(uuid));
  const wanted = new Set((protectedBranches ?? [...before]).filter((branch) => branch !== mainBranch));
  const unknown = [...wanted].filter(
    (name) => !before.has(name) && !branches.some((branch) => branch.name === name),
  );
  if (unknown.length > 0)
    throw new AppError({
      code: 'NOT_FOUND',
      message: `${table} has no branch ${unknown.join(', ')}.`,
      hint: 'Make the branch first, or leave it out.',
    });
  ports.store.reviews.atomically(() => {
    ports.store.reviews.putRules(uuid, rules);
    for (const branch of new Set([...before, ...wanted]))
      ports.store.setProtectedBranch(uuid, branch, wanted.has(branch));
  });
  return tableRules(ports, uuid);
}

/** A merge without a review, onto a protected branch, is bound by the rules too. Throws PROTECTED_BRANCH or FORBIDDEN. */
export function assertMayMergeDirectly(
  ports: Pick<Ports, 'store'>,
  { table, uuid, branch, principal }: { table: string; uuid: string; branch: string; principal: Principal },
): void {
  if (!isProtectedBranch(ports, uuid, branch)) return;
  const rules = rulesOf(ports, uuid);
  if (rules.mergeByReviewOnly)
    throw new AppError({
      code: 'PROTECTED_BRANCH',
      message: `${branch} of ${table} takes merges of reviews only.`,
      hint: 'Open a review of the branch and merge it there.',
    });
  if (mayMergeBy(principal, rules)) return;
  throw new AppError({
    code: 'FORBIDDEN',
    message: `${principal.name} may not merge into ${branch} of ${table}.`,
    hint: `Ask ${rules.mayMerge.join(', ')}.`,
  });
}
