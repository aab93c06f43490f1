import type { DatabaseSync } from 'node:sqlite';
import type { SavedRevision } from '#shared/api/queries.ts';
import type { QueryStore, StoredQuery } from '../../ports/query-store.ts';

/** Earlier texts of one query that are kept. */
export const maxHistory = 500;

export function createQueryStore(database: DatabaseSync): QueryStore {
  const list = database.prepare(
    'SELECT facts FROM saved_queries WHERE deleted_at IS NULL ORDER BY changed_at DESC, id',
  );
  const get = database.prepare('SELECT facts FROM saved_queries WHERE id = ?');
  const history = database.prepare(
    'SELECT facts FROM saved_query_texts WHERE query_id = ? ORDER BY revision DESC',
  );
  const put = database.prepare(
    `INSERT INTO saved_queries (id, name, facts, changed_at, deleted_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, facts = excluded.facts,
       changed_at = excluded.changed_at, deleted_at = excluded.deleted_at`,
  );
  const putText = database.prepare(
    'INSERT OR REPLACE INTO saved_query_texts (query_id, revision, facts) VALUES (?, ?, ?)',
  );
  const trim = database.prepare('DELETE FROM saved_query_texts WHERE query_id = ? AND revision <= ?');
  const deleted = database.prepare(
    'SELECT id FROM saved_queries WHERE deleted_at IS NOT NULL AND deleted_at < ?',
  );
  const removeTexts = database.prepare('DELETE FROM saved_query_texts WHERE query_id = ?');
  const remove = database.prepare('DELETE FROM saved_queries WHERE id = ?');
  const read = <T>(row: Record<string, unknown> | undefined): T | null =>
    row === undefined ? null : (JSON.parse(String(row.facts)) as T);
  const inTransaction = (work: () => void): void => {
    database.exec('BEGIN IMMEDIATE');
    try {
      work();
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };
  return {
    list: () => list.all().flatMap((row) => read<StoredQuery>(row) ?? []),
    get: (id) => read<StoredQuery>(get.get(id)),
    history: (id) => history.all(id).flatMap((row) => read<SavedRevision>(row) ?? []),
    findByName: (name) =>
      list
        .all()
        .flatMap((row) => read<StoredQuery>(row) ?? [])
        .find((query) => query.name.toLowerCase() === name.toLowerCase()) ?? null,
    put(query, before) {
      inTransaction(() => {
        put.run(query.id, query.name, JSON.stringify(query), query.at, query.deletedAt);
        if (!before) return;
        putText.run(query.id, before.revision, JSON.stringify(before));
        trim.run(query.id, before.revision - maxHistory);
      });
    },
    listDeleted: (before) => deleted.all(before).map((row) => String(row.id)),
    remove(id) {
      inTransaction(() => {
        removeTexts.run(id);
        remove.run(id);
      });
    },
  };
}
