import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import type { VersionInfo } from '#shared/api/tables.ts';
import { callJson, refreshHeads } from '../../api/index.ts';
import { showDone } from '../../state/undo.ts';
import { versionRef } from './model.ts';

const pageSize = 100;

/** The versions of a branch, newest first, page by page. */
export function useHistory(table: string, branch: string) {
  const query = useInfiniteQuery({
    queryKey: ['table', table, 'history', branch],
    queryFn: ({ signal, pageParam }) =>
      callJson('history', {
        params: { table },
        query: { ref: branch, limit: pageSize, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.isComplete ? undefined : page.versions.at(-1)?.version),
    staleTime: 15_000,
  });
  const versions: VersionInfo[] = query.data?.pages.flatMap((page) => page.versions) ?? [];
  return { ...query, versions };
}

interface BranchTarget {
  client: QueryClient;
  table: string;
  branch: string;
}

function offerUndo({ client, table, branch }: BranchTarget, label: string, firstEditId: string): void {
  let editId = firstEditId;
  const takeBack = async () => {
    editId = (await callJson('undo', { params: { table }, body: { branch, editId } })).editId;
    await refreshHeads(client, table);
  };
  showDone({ label, undo: takeBack, redo: takeBack });
}

/** Makes the branch as it was at a version, as a new version. */
export async function restoreVersion(target: BranchTarget, version: VersionInfo): Promise<void> {
  const { client, table, branch } = target;
  const label = `Restored ${branch} to version ${version.version}`;
  const { editId } = await callJson('restore', {
    params: { table },
    body: { branch, ref: versionRef(version), message: label },
  });
  await refreshHeads(client, table);
  offerUndo(target, label, editId);
}

export type RevertOutcome =
  | { status: 'done' }
  | { status: 'nothing' }
  | { status: 'conflicts'; count: number };

/** Undoes what one version did, by its inverse; tells of cells that were changed again since. */
export async function revertVersion(target: BranchTarget, version: VersionInfo): Promise<RevertOutcome> {
  const { client, table, branch } = target;
  const label = `Reverted version ${version.version} on ${branch}`;
  const result = await callJson('revert', {
    params: { table },
    body: { branch, versions: [version.version], message: label },
  });
  if (result.status === 'conflicts') return { status: 'conflicts', count: result.conflictCount };
  if (result.status !== 'merged') return { status: 'nothing' };
  await refreshHeads(client, table);
  if (result.editId) offerUndo(target, label, result.editId);
  return { status: 'done' };
}
