import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { GraphBody } from '#shared/api/history.ts';
import type { VersionInfo } from '#shared/api/tables.ts';
import { callJson, refreshHeads } from '../../api/index.ts';
import { showDone } from '../../state/undo.ts';
import { versionRef } from './model.ts';

const pageSize = 100;

/** What of the graph is asked for. */
export type GraphFilter = Pick<GraphBody, 'branches' | 'authors' | 'kinds' | 'text'>;

/** Versions of all branches, newest first, page by page. What was there stays while other filters are asked for. */
export function useGraph(table: string, filter: GraphFilter) {
  const query = useInfiniteQuery({
    queryKey: ['table', table, 'graph', filter],
    queryFn: ({ signal, pageParam }) =>
      callJson('tableGraph', {
        params: { table },
        body: { ...filter, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    staleTime: 15_000,
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages ?? [];
  const versions = useMemo(() => pages.flatMap((page) => page.versions), [pages]);
  const looked = pages.reduce((sum, page) => sum + page.looked.versions, 0);
  return { ...query, versions, first: pages[0], looked, backTo: pages.at(-1)?.looked.backTo ?? null };
}

/** What one version did, against the one before it: rows, cells per column, columns. */
export const useVersionDiff = (table: string, ref: string, previous: string | null) =>
  useQuery({
    queryKey: ['table', table, 'version-diff', ref, previous],
    queryFn: ({ signal }) =>
      callJson('diff', { params: { table }, body: { from: ref, into: previous!, base: previous! }, signal }),
    enabled: previous !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

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
