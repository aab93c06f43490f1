import type { BranchInfo, TagInfo } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { incarnationOf } from '../incarnation.ts';
import type { Ports } from '../ports/index.ts';
import type { ReviewRecord } from '../ports/review-store.ts';
import type { EditRecord } from '../ports/studio-store.ts';
import type { BranchHead, StoredTag, TableHeads } from '../ports/table-reader.ts';
import { undoneIds } from './undo-edit.ts';

/** Branches as people see them, main first. */
export function toBranchInfos({ store }: Pick<Ports, 'store'>, heads: TableHeads): BranchInfo[] {
  const guarded = new Set([mainBranch, ...store.listProtectedBranches(heads.uuid)]);
  const open = store.reviews.list({ state: 'open', tableUuid: heads.uuid });
  const isByReview = store.reviews.getRules(heads.uuid)?.mergeByReviewOnly ?? false;
  const logs = new Map<string, EditRecord[]>();
  const logOf = (name: string): EditRecord[] => {
    const known = logs.get(name);
    if (known) return known;
    const branchCreatedAt = heads.branches.find((head) => head.name === name)?.createdAt ?? '';
    const log = store.listEdits({ tableUuid: heads.uuid, branch: name, branchCreatedAt });
    logs.set(name, log);
    return log;
  };
  return heads.branches.map((head) => ({
    name: head.name,
    version: head.version,
    parent: head.parent,
    updatedAt: head.updatedAt,
    isProtected: guarded.has(head.name),
    incarnation: incarnationOf(heads.uuid, head.createdAt),
    ahead: countAhead(head, logOf),
    ...(isByReview && guarded.has(head.name) ? { isReviewOnly: true } : {}),
    ...reviewOf(head, open),
  }));
}

/** The newest open review that offers the branch. */
function reviewOf(
  { name, createdAt }: BranchHead,
  open: readonly ReviewRecord[],
): Pick<BranchInfo, 'review'> {
  const review = open.find(({ from }) => from.branch === name && from.createdAt === (createdAt ?? ''));
  return review ? { review: { id: review.id, into: review.into.branch } } : {};
}

/** Steps of a branch since it left its parent or was last merged into it. Versions that other programs made count one each. */
function countAhead(
  { name, version, parent }: BranchHead,
  logOf: (branch: string) => readonly EditRecord[],
): number {
  if (!parent || version <= parent.version) return 0;
  const merged = logOf(parent.branch).find(
    ({ mergedFrom }) => mergedFrom?.branch === name && mergedFrom.version >= parent.version,
  );
  const since = merged?.mergedFrom?.version ?? parent.version;
  if (version <= since) return 0;
  const steps = logOf(name).filter(({ toVersion }) => toVersion > since);
  if (steps.length === 0) return version - since;
  const undone = undoneIds(steps);
  return steps.filter(
    ({ id, kind, fromVersion, toVersion }) => kind !== 'undo' && toVersion > fromVersion && !undone.has(id),
  ).length;
}

/** Where the message of a tag is kept: Lance stores none. */
export const tagMessageFact = (uuid: string, tag: string): string => `tag.message:${uuid}:${tag}`;

export const toTagInfo = ({ store }: Pick<Ports, 'store'>, uuid: string, tag: StoredTag): TagInfo => ({
  ...tag,
  message: store.facts.get(tagMessageFact(uuid, tag.name)),
});
