import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { OpenGroup, StudioStore } from '../../ports/studio-store.ts';

type GroupJournal = Pick<
  StudioStore,
  'keepRedo' | 'readRedo' | 'openGroup' | 'listOpenGroups' | 'sealGroup' | 'dropGroup'
>;

const pieceBytes = 4 * 1024 * 1024;

/** Changes under way. Every ref that is resolved asks for the open groups, so they are also held in memory. */
export function createGroupJournal(database: DatabaseSync, addEdit: StudioStore['addEdit']): GroupJournal {
  const insert = database.prepare(
    'INSERT INTO open_groups (id, table_name, table_uuid, branch, branch_created_at, from_version, kind, plan, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM open_groups WHERE id = ?');
  const insertRedo = database.prepare('INSERT INTO redo (group_id, piece, bytes) VALUES (?, ?, ?)');
  const selectRedo = database.prepare('SELECT bytes FROM redo WHERE group_id = ? ORDER BY piece');
  const removeRedo = database.prepare('DELETE FROM redo WHERE group_id = ?');
  const open = new Map<string, OpenGroup>();
  for (const row of database.prepare('SELECT * FROM open_groups ORDER BY rowid').all())
    open.set(String(row.id), toGroup(row));

  const transaction = (work: () => void) => {
    database.exec('BEGIN IMMEDIATE');
    try {
      work();
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
  const close = (groupId: string, work: () => void) => {
    transaction(() => {
      work();
      remove.run(groupId);
      removeRedo.run(groupId);
    });
    open.delete(groupId);
  };

  return {
    async keepRedo(groupId, bytes, signal) {
      try {
        for (let piece = 0; piece * pieceBytes < bytes.byteLength; piece += 1) {
          signal.throwIfAborted();
          insertRedo.run(groupId, piece, bytes.subarray(piece * pieceBytes, (piece + 1) * pieceBytes));
          await setImmediate();
        }
      } catch (error) {
        removeRedo.run(groupId);
        throw error;
      }
    },
    readRedo(groupId) {
      const pieces = selectRedo.all(groupId).map((row) => row.bytes as Uint8Array);
      return pieces.length === 0 ? null : Buffer.concat(pieces);
    },
    openGroup(group) {
      const { id, table, tableUuid, branch, branchCreatedAt, fromVersion, kind, plan, at } = group;
      insert.run(
        id,
        table,
        tableUuid,
        branch,
        branchCreatedAt,
        fromVersion,
        kind,
        JSON.stringify(plan ?? null),
        at,
      );
      open.set(id, group);
    },
    listOpenGroups: (tableUuid) =>
      [...open.values()].filter((group) => tableUuid === undefined || group.tableUuid === tableUuid),
    sealGroup: (groupId, record) => close(groupId, () => addEdit(record)),
    dropGroup: (groupId) => close(groupId, () => undefined),
  };
}

const toGroup = (row: Record<string, SQLOutputValue>): OpenGroup => ({
  id: String(row.id),
  table: String(row.table_name),
  tableUuid: String(row.table_uuid),
  branch: String(row.branch),
  branchCreatedAt: String(row.branch_created_at),
  fromVersion: Number(row.from_version),
  kind: String(row.kind),
  plan: JSON.parse(String(row.plan)),
  at: String(row.at),
});
