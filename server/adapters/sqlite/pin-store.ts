import type { DatabaseSync } from 'node:sqlite';
import type { PinnedVersion, PinStore } from '../../ports/query-store.ts';

export function createPinStore(database: DatabaseSync): PinStore {
  const add = database.prepare(
    `INSERT INTO pins (owner, table_uuid, branch, branch_created_at, version, table_name) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET table_name = excluded.table_name`,
  );
  const listOf = database.prepare('SELECT * FROM pins WHERE owner = ? ORDER BY table_uuid, branch, version');
  const listOn = database.prepare('SELECT * FROM pins WHERE table_uuid = ? AND branch = ?');
  const held = database.prepare(
    'SELECT 1 FROM pins WHERE table_uuid = ? AND branch = ? AND branch_created_at = ? AND version = ? LIMIT 1',
  );
  const remove = database.prepare('DELETE FROM pins WHERE owner = ?');
  const toPin = (row: Record<string, unknown>): PinnedVersion => ({
    tableUuid: String(row.table_uuid),
    table: String(row.table_name),
    ref: { branch: String(row.branch), version: Number(row.version) },
    branchCreatedAt: String(row.branch_created_at),
  });
  return {
    add: (owner, { tableUuid, table, ref, branchCreatedAt }) =>
      void add.run(owner, tableUuid, ref.branch, branchCreatedAt, ref.version, table),
    listOf: (owner) => listOf.all(owner).map(toPin),
    listOn: ({ tableUuid, branch }) => listOn.all(tableUuid, branch).map(toPin),
    isHeld: ({ tableUuid, ref, branchCreatedAt }) =>
      held.get(tableUuid, ref.branch, branchCreatedAt, ref.version) !== undefined,
    remove: (owner) => void remove.run(owner),
  };
}
