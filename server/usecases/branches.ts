import { AppError, notFound } from '#shared/api/problem.ts';
import type { BranchInfo } from '#shared/api/tables.ts';
import { assertBranchName } from '#shared/domain/names.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { BranchHead, TableHeads } from '../ports/table-reader.ts';
import { toBranchInfos } from './branch-info.ts';
import { hasHiddenBranch, hideBranchIfHeld } from './pins.ts';
import { isProtectedBranch } from './protect.ts';
import { readSealedHeads, rememberDeletedBranch, resolveRef } from './resolve-ref.ts';
import { withTableTurn } from './table-turns.ts';

type BranchPorts = Pick<Ports, 'reader' | 'writer' | 'store' | 'now'>;

/** Branches of a table with their sealed heads, main first. */
export async function listBranches(
  ports: BranchPorts,
  table: string,
  context: CallContext,
): Promise<BranchInfo[]> {
  return toBranchInfos(ports, await readSealedHeads(ports, table, context));
}

const infoOf = (ports: BranchPorts, heads: TableHeads, name: string): BranchInfo => {
  const branch = toBranchInfos(ports, heads).find((candidate) => candidate.name === name);
  if (!branch) throw notFound(`The branch ${name}`);
  return branch;
};

/** What has begun is waited for: an engine that is left goes on, and what is remembered of the branch must be as it is. */
const begun = (): CallContext => ({ signal: new AbortController().signal });

/** Makes a branch at a ref. BAD_REQUEST for names that cannot be, EXISTS for one that is taken. */
export async function createBranch(
  ports: BranchPorts,
  { table, name, from }: { table: string; name: string; from: string },
  context: CallContext,
): Promise<BranchInfo> {
  assertBranchName(name);
  return withTableTurn(table, context.signal, async () => {
    const { ref, heads } = await resolveRef(ports, table, from, context);
    if (heads.branches.some((branch) => branch.name === name))
      throw new AppError({
        code: 'EXISTS',
        message: `${table} has a branch ${name} already.`,
        hint: 'Switch to it, or choose another name.',
      });
    if (hasHiddenBranch(ports, heads.uuid, name))
      throw new AppError({
        code: 'EXISTS',
        message: `${table} had a branch ${name}, and a saved query or a review still shows it.`,
        hint: 'Choose another name.',
      });
    await ports.writer.createBranch({ table, name, from: ref }, begun());
    return infoOf(ports, await readSealedHeads(ports, table, context), name);
  });
}

const quoted = (names: string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(' and ');

/** What keeps a branch from being deleted: branches that were forked from it, and tags on its versions. */
function assertUnused({ branches, tags }: TableHeads, name: string): void {
  const children = branches.filter(({ parent }) => parent?.branch === name).map((branch) => branch.name);
  if (children.length > 0)
    throw new AppError({
      code: 'CONFLICT',
      message: `The branch ${name} cannot be deleted: ${quoted(children)} ${children.length === 1 ? 'was' : 'were'} made from it.`,
      hint: `Delete ${children.length === 1 ? 'that branch' : 'those branches'} first.`,
    });
  const named = tags.filter(({ branch }) => branch === name).map((tag) => tag.name);
  if (named.length > 0)
    throw new AppError({
      code: 'CONFLICT',
      message: `The branch ${name} cannot be deleted: the ${named.length === 1 ? 'tag' : 'tags'} ${quoted(named)} ${named.length === 1 ? 'names' : 'name'} a version of it.`,
      hint: `Delete the ${named.length === 1 ? 'tag' : 'tags'} first.`,
    });
}

/** An open review of a branch, or into it, keeps it; those that have ended keep their rows themselves. */
function assertNotUnderReview(
  { store }: Pick<Ports, 'store'>,
  { uuid }: TableHeads,
  { name, createdAt }: BranchHead,
): void {
  const review = store.reviews
    .list({ state: 'open', tableUuid: uuid, branch: name })
    .find(({ from, into }) =>
      [from, into].some((side) => side.branch === name && side.createdAt === (createdAt ?? '')),
    );
  if (!review) return;
  throw new AppError({
    code: 'CONFLICT',
    message: `The branch ${name} cannot be deleted: review ${review.id}, “${review.title}”, is open.`,
    hint: 'Merge or close the review first; both can delete the branch.',
  });
}

/**
 * Deletes a branch with what only it holds. PROTECTED_BRANCH for main and other protected ones, CONFLICT while branches
 * or tags depend on it; links to it answer GONE from then on. One that a saved query points at is only hidden.
 */
export async function deleteBranch(
  ports: BranchPorts,
  { table, name }: { table: string; name: string },
  context: CallContext,
): Promise<void> {
  if (name !== mainBranch) assertBranchName(name);
  await withTableTurn(table, context.signal, async () => {
    const heads = await readSealedHeads(ports, table, context);
    if (isProtectedBranch(ports, heads.uuid, name))
      throw new AppError({
        code: 'PROTECTED_BRANCH',
        message: `${name} of ${table} is protected and cannot be deleted.`,
        hint:
          name === mainBranch
            ? 'The whole table can be moved to the trash.'
            : 'Take its protection away first.',
      });
    const branch = heads.branches.find((candidate) => candidate.name === name);
    if (!branch)
      throw notFound(
        `The branch ${name} of ${table}`,
        didYouMean(
          name,
          heads.branches.map((other) => other.name),
        ),
      );
    assertUnused(heads, name);
    assertNotUnderReview(ports, heads, branch);
    const branchCreatedAt = branch.createdAt ?? '';
    if (!hideBranchIfHeld(ports, { tableUuid: heads.uuid, branch: name, branchCreatedAt }))
      await ports.writer.deleteBranch({ table, name }, begun());
    rememberDeletedBranch(ports, heads.uuid, name);
    for (const group of ports.store.listOpenGroups(heads.uuid))
      if (group.branch === name) ports.store.dropGroup(group.id);
  });
}
