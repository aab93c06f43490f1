import type { QueryClient } from '@tanstack/react-query';
import type { MergeResult } from '#shared/api/edits.ts';
import type { BranchInfo } from '#shared/api/tables.ts';
import { callJson, refreshHeads } from '../../api/index.ts';
import { tablePath } from '../../state/addresses.ts';
import { revertOnNewBranch } from '../branches/index.ts';

export interface MergeToTakeBack {
  client: QueryClient;
  table: string;
  /** The branch that was merged. */
  from: string;
  result: Pick<MergeResult, 'into' | 'version' | 'editId'>;
  branches: readonly BranchInfo[];
}

/** Takes a merge back by its inverse: at once, or on a new branch where it landed on a protected one. Gives where to go on. */
export async function takeBackMerge({
  client,
  table,
  from,
  result,
  branches,
}: MergeToTakeBack): Promise<string> {
  const { into, version, editId } = result;
  if (version === undefined) return tablePath(table, { ref: into.branch });
  const isProtected = branches.find(({ name }) => name === into.branch)?.isProtected ?? true;
  if (isProtected || !editId) {
    const message = `Take back the merge of ${from}`;
    return revertOnNewBranch(
      { client, table },
      { branch: into.branch, version, about: from, message, branches },
    );
  }
  await callJson('undo', { params: { table }, body: { branch: into.branch, editId } });
  await refreshHeads(client, table);
  return tablePath(table, { ref: into.branch, view: 'history' });
}
