import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { EditRecord, StudioStore } from '../../ports/studio-store.ts';

type EditLog = Pick<StudioStore, 'addEdit' | 'getEdit' | 'listEdits'>;

/** What was done to each branch, in the order in which it was done. */
export function createEditLog(database: DatabaseSync): EditLog {
  const insert = database.prepare(`
    INSERT INTO edits (
      id, table_uuid, branch, branch_created_at, kind, from_version, to_version, author, message,
      inserted, updated, deleted, at, undoes, merged_from, merge_base, detail
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const byId = database.prepare('SELECT * FROM edits WHERE id = ?');
  const ofBranch = database.prepare(
    'SELECT * FROM edits WHERE table_uuid = ? AND branch = ? AND branch_created_at = ? ORDER BY seq DESC LIMIT ?',
  );
  const inRange = database.prepare(
    `SELECT * FROM edits WHERE table_uuid = ? AND branch = ? AND branch_created_at = ?
     AND from_version < ? AND to_version > ? ORDER BY seq DESC LIMIT ?`,
  );
  return {
    addEdit(record) {
      insert.run(
        record.id,
        record.tableUuid,
        record.branch,
        record.branchCreatedAt,
        record.kind,
        record.fromVersion,
        record.toVersion,
        record.author,
        record.message,
        record.changed.inserted,
        record.changed.updated,
        record.changed.deleted,
        record.at,
        record.undoes,
        record.mergedFrom === null ? null : JSON.stringify(record.mergedFrom),
        record.mergeBase === null ? null : JSON.stringify(record.mergeBase),
        JSON.stringify(record.detail ?? null),
      );
    },
    getEdit(id) {
      const row = byId.get(id);
      return row ? toRecord(row) : null;
    },
    listEdits: ({ tableUuid, branch, branchCreatedAt, limit, above, below }) =>
      (above === undefined && below === undefined
        ? ofBranch.all(tableUuid, branch, branchCreatedAt, limit ?? -1)
        : inRange.all(
            tableUuid,
            branch,
            branchCreatedAt,
            below ?? Number.MAX_SAFE_INTEGER,
            above ?? -1,
            limit ?? -1,
          )
      ).map(toRecord),
  };
}

type Row = Record<string, SQLOutputValue>;

const parseOrNull = (value: SQLOutputValue | undefined) =>
  typeof value === 'string' ? JSON.parse(value) : null;

const toRecord = (row: Row): EditRecord => ({
  id: String(row.id),
  tableUuid: String(row.table_uuid),
  branch: String(row.branch),
  branchCreatedAt: String(row.branch_created_at),
  kind: String(row.kind),
  fromVersion: Number(row.from_version),
  toVersion: Number(row.to_version),
  author: String(row.author),
  message: row.message === null ? null : String(row.message),
  changed: { inserted: Number(row.inserted), updated: Number(row.updated), deleted: Number(row.deleted) },
  at: String(row.at),
  undoes: row.undoes === null ? null : String(row.undoes),
  mergedFrom: parseOrNull(row.merged_from),
  mergeBase: parseOrNull(row.merge_base),
  detail: parseOrNull(row.detail),
});
