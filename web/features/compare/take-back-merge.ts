import type { QueryClient } from '@tanstack/react-query';
import type { MergeResult } from '#shared/api/edits.ts';
import type { BranchInfo } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { callJson, refreshHeads } from '../../api/index.ts';
import { comparePath, tablePath } from '../../state/addresses.ts';
import { createBranch } from '../branches/index.ts';

export interface MergeToTakeBack {
  client: QueryClient;
  table: string;
  /** Of the branch that was merged, for a name. */
  from: string;
  result: MergeResult;
  branches: readonly BranchInfo[];
}

function freeName(from: string, branches: readonly BranchInfo[]): string {
  const stem = `undo-${from.replace(/[:@]/g, '-')}`;
  const taken = new Set(branches.map(({ name }) => name));
  let name = stem;
  for (let count = 2; taken.has(name); count += 1) name = `${stem}-${count}`;
  return name;
}

/**
 * Takes a merge back by its inverse. A protected branch changes by merges only, so there it is done on a new branch,
 * which is then to be merged. Gives the address to go on at.
 */
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
  if (!isProtected && editId) {
    await callJson('undo', { params: { table }, body: { branch: into.branch, editId } });
    await refreshHeads(client, table);
    return tablePath(table, { ref: into.branch, view: 'history' });
  }
  const name = freeName(from, branches);
  await createBranch({ client, table }, { name, from: formatRef({ branch: into.branch, version }) });
  await callJson('revert', {
    params: { table },
    body: { branch: name, versions: [version], message: `Take back the merge of ${from}` },
  });
  await refreshHeads(client, table);
  return comparePath(table, name, into.branch);
}
