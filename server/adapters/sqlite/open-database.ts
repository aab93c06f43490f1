import { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/api/problem.ts';
import { queryTables } from './query-tables.ts';
import { reviewTables } from './review-tables.ts';

/** Each entry brings the file from the version of its place in the list to the next; entries are never changed. */
const migrations: readonly string[] = [
  `
  CREATE TABLE edits (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    table_uuid TEXT NOT NULL,
    branch TEXT NOT NULL,
    branch_created_at TEXT NOT NULL,
    kind TEXT NOT NULL,
    from_version INTEGER NOT NULL,
    to_version INTEGER NOT NULL,
    author TEXT NOT NULL,
    message TEXT,
    inserted INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    at TEXT NOT NULL,
    undoes TEXT,
    merged_from TEXT,
    merge_base TEXT,
    detail TEXT NOT NULL
  ) STRICT;
  CREATE INDEX edits_of_branch ON edits (table_uuid, branch, branch_created_at, seq);

  CREATE TABLE open_groups (
    id TEXT PRIMARY KEY,
    table_name TEXT NOT NULL,
    table_uuid TEXT NOT NULL,
    branch TEXT NOT NULL,
    branch_created_at TEXT NOT NULL,
    from_version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    plan TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE redo (
    group_id TEXT NOT NULL,
    piece INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (group_id, piece)
  ) STRICT;

  CREATE TABLE protected_branches (
    table_uuid TEXT NOT NULL,
    branch TEXT NOT NULL,
    PRIMARY KEY (table_uuid, branch)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE trash (name TEXT PRIMARY KEY, deleted_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    info TEXT NOT NULL
  ) STRICT;
  `,
  queryTables,
  reviewTables,
];

const busyTimeoutMs = 5_000;

/** Opens `studio.db`, made or brought up to date where needed. Throws INVALID_FILE or UNSUPPORTED. */
export function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    database.exec(
      'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216;',
    );
    migrate(database);
    database.exec(
      'DELETE FROM redo WHERE group_id NOT IN (SELECT id FROM open_groups); PRAGMA incremental_vacuum;',
    );
    return database;
  } catch (error) {
    database?.close();
    throw translateSqliteError(error);
  }
}

function migrate(database: DatabaseSync): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > migrations.length)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: 'studio.db was written by a newer Curio.',
      hint: 'Start the newer Curio, or set CURIO_STATE to another folder.',
    });
  migrations.slice(version).forEach((migration, index) => {
    database.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${version + index + 1}; COMMIT;`);
  });
}

const primaryCodes = {
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
} as const;

/** Says what is wrong with `studio.db` without its path; other errors stay as they are. */
export function translateSqliteError(error: unknown): unknown {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (typeof code !== 'number') return error;
  switch (code & 0xff) {
    case primaryCodes.corrupt:
    case primaryCodes.notADatabase:
      return new AppError({
        code: 'INVALID_FILE',
        message: 'studio.db in the state folder is damaged.',
        hint: 'Put a backup of it in its place, or move it away: the tables are whole without it, only history notes, reviews and queries are lost.',
        cause: error,
      });
    case primaryCodes.full:
      return new AppError({
        code: 'INTERNAL',
        message: 'The disk of the state folder is full.',
        hint: 'Make room on it and try again.',
        cause: error,
      });
    case primaryCodes.readOnly:
    case primaryCodes.cantOpen:
    case primaryCodes.io:
      return new AppError({
        code: 'INTERNAL',
        message: 'studio.db cannot be written.',
        hint: 'Check the rights and the disk of the state folder.',
        cause: error,
      });
    case primaryCodes.busy:
      return new AppError({
        code: 'INTERNAL',
        message: 'studio.db is in use by another program.',
        hint: 'Close what has it open and try again.',
        cause: error,
      });
    default:
      return error;
  }
}
