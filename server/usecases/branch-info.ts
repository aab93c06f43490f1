import type { BranchInfo, TagInfo } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { Ports } from '../ports/index.ts';
import type { StoredTag, TableHeads } from '../ports/table-reader.ts';

/** Branches as people see them, main first. */
export function toBranchInfos({ store }: Pick<Ports, 'store'>, heads: TableHeads): BranchInfo[] {
  const guarded = new Set([mainBranch, ...store.listProtectedBranches(heads.uuid)]);
  return heads.branches.map(({ name, version, parent, updatedAt }) => ({
    name,
    version,
    parent,
    updatedAt,
    isProtected: guarded.has(name),
  }));
}

/** Where the message of a tag is kept: Lance stores none. */
export const tagMessageFact = (uuid: string, tag: string): string => `tag.message:${uuid}:${tag}`;

export const toTagInfo = ({ store }: Pick<Ports, 'store'>, uuid: string, tag: StoredTag): TagInfo => ({
  ...tag,
  message: store.facts.get(tagMessageFact(uuid, tag.name)),
});
