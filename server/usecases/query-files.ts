import { isAppError } from '#shared/api/problem.ts';
import { type ImportOutcome, type SavedQuery, savedTextOf } from '#shared/api/queries.ts';
import { formatQueryFile, parseQueryFile, type QueryFile } from '#shared/domain/query-file.ts';
import type { CallContext } from '../ports/call.ts';
import type { Principal } from './authorize.ts';
import { createQuery, putQuery, type QueryPorts, restoreQuery } from './saved-queries.ts';

/** The file of a saved query. */
export const fileOfQuery = (query: SavedQuery): string =>
  formatQueryFile({ id: query.id, text: savedTextOf(query) });

/** `queries/by label.sql` → `by label` */
const nameOfPath = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? '').replace(/\.sql$/i, '').trim() || 'query';

/**
 * Takes files in one by one: by their id, else by their name, a query is changed or made. A file that cannot be read
 * or saved is refused with the reason, and the others go on.
 */
export async function importQueries(
  ports: QueryPorts,
  files: readonly { path: string; text: string }[],
  context: CallContext & { principal: Principal },
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  for (const { path, text } of files) {
    context.signal.throwIfAborted();
    try {
      const saved = await importFile(ports, parseQueryFile(text, nameOfPath(path)), context);
      outcomes.push({ path, ...saved, why: null });
    } catch (error) {
      if (!isAppError(error) || error.code === 'ABORTED') throw error;
      const why = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
      outcomes.push({ path, outcome: 'refused', id: null, name: null, why });
    }
  }
  return outcomes;
}

async function importFile(
  ports: QueryPorts,
  { id, text }: QueryFile,
  context: CallContext & { principal: Principal },
): Promise<Pick<ImportOutcome, 'outcome' | 'id' | 'name'>> {
  const known = id === null ? ports.store.queries.findByName(text.name) : ports.store.queries.get(id);
  if (!known) {
    const made = await createQuery(ports, { text, ...(id === null ? {} : { id }) }, context);
    return { outcome: 'created', id: made.id, name: made.name };
  }
  if (known.deletedAt !== null) restoreQuery(ports, known.id, context.principal);
  const saved = await putQuery(ports, { id: known.id, text }, context);
  const isSame = saved.revision === known.revision && known.deletedAt === null;
  return { outcome: isSame ? 'unchanged' : 'updated', id: saved.id, name: saved.name };
}
