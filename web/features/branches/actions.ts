import type { QueryClient } from '@tanstack/react-query';
import type { BranchInfo, TagInfo } from '#shared/api/tables.ts';
import { callJson, callNone, noteBranch, noteTag } from '../../api/index.ts';
import { showDone } from '../../state/undo.ts';
import { showToast } from '../../ui/index.ts';
import { commitsAhead, pinnedText } from './model.ts';

export interface TableAction {
  client: QueryClient;
  table: string;
}

/** Makes a branch; says so. */
export async function createBranch(
  { client, table }: TableAction,
  { name, from }: { name: string; from: string },
): Promise<BranchInfo> {
  const branch = await callJson('createBranch', { params: { table }, body: { name, from } });
  noteBranch(client, table, branch);
  return branch;
}

const removeBranch = async ({ client, table }: TableAction, branch: string): Promise<void> => {
  await callNone('deleteBranch', { params: { table, branch } });
  noteBranch(client, table, { name: branch, isGone: true });
};

/** Deletes a branch. One without commits of its own can be made again by Undo. */
export async function deleteBranch(action: TableAction, branch: BranchInfo): Promise<void> {
  const { name, parent } = branch;
  await removeBranch(action, name);
  if (commitsAhead(branch) > 0 || !parent) {
    showToast(`Deleted branch ${name}`);
    return;
  }
  showDone({
    label: `Deleted branch ${name}`,
    undo: async () => {
      await createBranch(action, { name, from: pinnedText(parent.branch, parent.version) });
    },
    redo: () => removeBranch(action, name),
  });
}

/** Names a version. */
export async function createTag(
  { client, table }: TableAction,
  tag: { name: string; ref: string; message?: string },
): Promise<TagInfo> {
  const made = await callJson('createTag', { params: { table }, body: tag });
  noteTag(client, table, made);
  return made;
}

/** Takes a name away from its version; the version stays, so Undo names it again. */
export async function deleteTag(action: TableAction, tag: TagInfo): Promise<void> {
  const remove = async () => {
    await callNone('deleteTag', { params: { table: action.table, tag: tag.name } });
    noteTag(action.client, action.table, { name: tag.name, isGone: true });
  };
  await remove();
  const { name, branch, version, message } = tag;
  showDone({
    label: `Deleted tag ${name}`,
    undo: async () => {
      await createTag(action, { name, ref: pinnedText(branch, version), ...(message ? { message } : {}) });
    },
    redo: remove,
  });
}
