import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import {
  type ImportOutcome,
  type SavedQuery,
  type SavedQuerySummary,
  type SavedTextInput,
  savedTextOf,
} from '#shared/api/queries.ts';
import { addressOf, callJson, callNone, savedQueriesQuery } from '../../api/index.ts';
import { showDone } from '../../state/undo.ts';

const listKey = savedQueriesQuery.queryKey;

/** One with its earlier texts. */
export const savedQuery = (id: string) =>
  queryOptions({
    queryKey: ['queries', 'one', id],
    queryFn: ({ signal }) => callJson('getQuery', { params: { id }, signal }),
    retry: false,
  });

export const useSavedQueries = () => useQuery(savedQueriesQuery);

/** The page knows at once what the server answered. */
function note(client: QueryClient, query: SavedQuery): SavedQuery {
  const { history: _, ...summary } = query;
  client.setQueryData(savedQuery(query.id).queryKey, query);
  client.setQueryData(listKey, (list: SavedQuerySummary[] | undefined) =>
    list ? [summary, ...list.filter(({ id }) => id !== query.id)] : list,
  );
  return query;
}

export const createQuery = async (
  client: QueryClient,
  body: SavedTextInput & { origin?: string },
): Promise<SavedQuery> => note(client, await callJson('createQuery', { body }));

export const changeQuery = async (
  client: QueryClient,
  id: string,
  body: SavedTextInput & { revision?: number },
): Promise<SavedQuery> => note(client, await callJson('putQuery', { params: { id }, body }));

/** The query with other facts, its text as it is. */
export const describeQueryAs = (
  client: QueryClient,
  query: SavedQuerySummary,
  facts: Partial<Pick<SavedTextInput, 'name' | 'description' | 'visibility'>>,
): Promise<SavedQuery> =>
  changeQuery(client, query.id, { ...savedTextOf(query), ...facts, revision: query.revision });

/** A copy of one's own that remembers where it came from, under a name that is free. */
export async function forkQuery(client: QueryClient, query: SavedQuerySummary): Promise<SavedQuery> {
  const taken = new Set(
    (await client.ensureQueryData(savedQueriesQuery)).map(({ name }) => name.toLowerCase()),
  );
  let name = `${query.name} (fork)`;
  for (let copy = 2; taken.has(name.toLowerCase()); copy += 1) name = `${query.name} (fork ${copy})`;
  return createQuery(client, { ...savedTextOf(query), name, origin: query.id });
}

/** Deletes a query; the step can be undone. */
export async function deleteQuery(client: QueryClient, query: SavedQuerySummary): Promise<void> {
  const remove = async () => {
    await callNone('deleteQuery', { params: { id: query.id } });
    client.removeQueries({ queryKey: savedQuery(query.id).queryKey });
    client.setQueryData(listKey, (list: SavedQuerySummary[] | undefined) =>
      list?.filter(({ id }) => id !== query.id),
    );
  };
  await remove();
  showDone({
    label: `Deleted the query “${query.name}”`,
    undo: async () => {
      note(client, await callJson('restoreQuery', { params: { id: query.id } }));
    },
    redo: remove,
  });
}

/** Downloads the query as a file. */
export function downloadQuery(id: string): void {
  const link = document.createElement('a');
  link.href = addressOf('queryFile', { id });
  link.download = '';
  link.click();
}

/** Takes files in; what was refused is told with the reason. */
export async function importQueryFiles(
  client: QueryClient,
  files: readonly File[],
): Promise<ImportOutcome[]> {
  const body = {
    files: await Promise.all(files.map(async (file) => ({ path: file.name, text: await file.text() }))),
  };
  const { files: outcomes } = await callJson('importQueries', { body });
  await client.invalidateQueries({ queryKey: ['queries'] });
  return outcomes;
}
