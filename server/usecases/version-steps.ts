import { AppError } from '#shared/api/problem.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { ResolvedRef } from './resolve-ref.ts';

/** What some versions of a branch did, one after the other: the way from `before` to `after`. */
export interface VersionStep {
  before: PinnedRef;
  after: PinnedRef;
}

/**
 * The steps that versions of a branch made, oldest first; versions that follow each other are one step. A version of
 * history can be several Lance versions, which count together. BAD_REQUEST for versions that are not the branch's own.
 */
export async function planVersionSteps(
  ports: Pick<Ports, 'reader' | 'store'>,
  { table, uuid, ref, branchCreatedAt, heads }: ResolvedRef,
  versions: readonly number[],
  context: CallContext,
): Promise<VersionStep[]> {
  const head = heads.branches.find(({ name }) => name === ref.branch);
  const first = head?.parent?.version ?? 1;
  const edits = ports.store.listEdits({ tableUuid: uuid, branch: ref.branch, branchCreatedAt });
  const steps: VersionStep[] = [];
  for (const version of [...new Set(versions)].sort((a, b) => a - b)) {
    assertOwnVersion({ branch: ref.branch, version }, first, ref.version);
    const inside = edits.find(({ fromVersion, toVersion }) => fromVersion < version && version < toVersion);
    if (inside)
      throw new AppError({
        code: 'BAD_REQUEST',
        message: `The version ${version} of ${ref.branch} is part of a step that ends at version ${inside.toVersion}.`,
        hint: `Name ${inside.toVersion} instead.`,
      });
    const edit = edits.find(({ fromVersion, toVersion }) => toVersion === version && fromVersion < toVersion);
    const before = { branch: ref.branch, version: edit?.fromVersion ?? version - 1 };
    const last = steps.at(-1);
    if (last && last.after.version >= before.version) last.after = { branch: ref.branch, version };
    else steps.push({ before, after: { branch: ref.branch, version } });
  }
  for (const { before, after } of steps) {
    await assertStored(ports, table, before, context);
    await assertStored(ports, table, after, context);
  }
  return steps;
}

function assertOwnVersion(ref: PinnedRef, first: number, last: number): void {
  if (ref.version > first && ref.version <= last) return;
  throw new AppError({
    code: 'BAD_REQUEST',
    message:
      ref.version === first
        ? `The version ${formatRef(ref)} is where ${ref.branch} began: there is nothing before it.`
        : `${ref.branch} has no version ${ref.version} of its own.`,
    hint: `Its versions go from ${first + 1} to ${last}.`,
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
