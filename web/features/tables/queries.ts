import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { callJson, callNone, refreshHeads } from '../../api/index.ts';
import { showDone } from '../../state/undo.ts';

export const trashKey = ['trash'] as const;

export const trashQuery = queryOptions({
  queryKey: trashKey,
  queryFn: async ({ signal }) => (await callJson('listTrash', { signal })).tables,
  staleTime: 0,
});

export const useTrash = () => useQuery(trashQuery);

const refresh = (client: QueryClient): Promise<unknown> =>
  Promise.all([refreshHeads(client), client.invalidateQueries({ queryKey: trashKey })]);

export async function restoreTable(client: QueryClient, table: string): Promise<void> {
  await callNone('restoreTable', { params: { table } });
  await refresh(client);
}

/** Moves a table to the trash; a step that can be undone. */
export async function trashTable(client: QueryClient, table: string): Promise<void> {
  const trash = async () => {
    await callNone('trashTable', { params: { table } });
    await refresh(client);
  };
  await trash();
  showDone({ label: `Moved ${table} to the trash`, undo: () => restoreTable(client, table), redo: trash });
}

/** Deletes a table for good. */
export async function purgeTable(client: QueryClient, table: string): Promise<void> {
  await callNone('purgeTable', { params: { table } });
  await refresh(client);
}

export interface SettingsToSave {
  table: string;
  patch: { description?: string; key?: string[] };
  branches: readonly string[];
}

/** Saves description and key on each of the branches, one after the other. */
export async function saveSettings(
  client: QueryClient,
  { table, patch, branches }: SettingsToSave,
): Promise<void> {
  try {
    for (const branch of branches)
      await callJson('patchTable', { params: { table }, body: { branch, ...patch } });
  } finally {
    await refreshHeads(client, table);
  }
}
