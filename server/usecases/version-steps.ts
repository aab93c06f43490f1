import { AppError } from '#shared/api/problem.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { TableHeads } from '../ports/table-reader.ts';
import type { ResolvedRef } from './resolve-ref.ts';

/** What some versions of a branch did, one after the other: the way from `before` to `after`. */
export interface VersionStep {
  before: PinnedRef;
  after: PinnedRef;
}

/**
 * The steps that versions of a branch made, oldest first; versions that follow each other are one step. Numbers up to
 * where the branch began are versions of the branch that it came from. A version of history can be several Lance
 * versions, which count together. BAD_REQUEST for versions that the branch does not have.
 */
export async function planVersionSteps(
  ports: Pick<Ports, 'reader' | 'store'>,
  resolved: ResolvedRef,
  versions: readonly number[],
  context: CallContext,
): Promise<VersionStep[]> {
  const steps: VersionStep[] = [];
  for (const version of [...new Set(versions)].sort((a, b) => a - b)) {
    const step = planStep(ports, resolved, version);
    const last = steps.at(-1);
    const { branch } = step.after;
    if (last && last.after.branch === branch && last.after.version >= step.before.version)
      last.after = step.after;
    else steps.push(step);
  }
  for (const { before, after } of steps) {
    await assertStored(ports, resolved.table, before, context);
    await assertStored(ports, resolved.table, after, context);
  }
  return steps;
}

function planStep(
  { store }: Pick<Ports, 'store'>,
  { uuid, ref, heads }: ResolvedRef,
  version: number,
): VersionStep {
  const { branch, createdAt } = lineOf(heads, ref, version);
  const edits = store.listEdits({ tableUuid: uuid, branch, branchCreatedAt: createdAt });
  const inside = edits.find(({ fromVersion, toVersion }) => fromVersion < version && version < toVersion);
  if (inside)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The version ${version} of ${branch} is part of a step that ends at version ${inside.toVersion}.`,
      hint: `Name ${inside.toVersion} instead.`,
    });
  const edit = edits.find(({ fromVersion, toVersion }) => toVersion === version && fromVersion < toVersion);
  return { before: { branch, version: edit?.fromVersion ?? version - 1 }, after: { branch, version } };
}

/** The branch whose version a number means: the branch itself, or the one among its origins that made it. */
function lineOf(heads: TableHeads, ref: PinnedRef, version: number): { branch: string; createdAt: string } {
  let head = heads.branches.find(({ name }) => name === ref.branch);
  while (head?.parent && version <= head.parent.version) {
    const { branch } = head.parent;
    head = heads.branches.find(({ name }) => name === branch);
  }
  if (head && version > 1 && version <= ref.version)
    return { branch: head.name, createdAt: head.createdAt ?? '' };
  throw new AppError({
    code: 'BAD_REQUEST',
    message:
      version === 1
        ? `Version 1 is where the table began: there is nothing before it.`
        : `${ref.branch} has no version ${version}.`,
    hint: `Its versions go from 2 to ${ref.version}.`,
  });
}

async function assertStored(
  { reader }: Pick<Ports, 'reader'>,
  table: string,
  ref: PinnedRef,
  context: CallContext,
): Promise<void> {
  const { exists } = await reader.hasVersion({ table, ref }, context);
  if (exists) return;
  throw new AppError({
    code: 'GONE',
    message: `The version ${formatRef(ref)} has been cleaned up, so what came after it is not known any more.`,
  });
}
