/** Saved queries, their earlier texts, and who holds which versions. */
export const queryTables = `
  CREATE TABLE IF NOT EXISTS saved_queries (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    facts TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    deleted_at TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS saved_query_texts (
    query_id TEXT NOT NULL REFERENCES saved_queries (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (query_id, revision)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS pins (
    owner TEXT NOT NULL,
    table_uuid TEXT NOT NULL,
    branch TEXT NOT NULL,
    branch_created_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    table_name TEXT NOT NULL,
    PRIMARY KEY (owner, table_uuid, branch, branch_created_at, version)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS pins_of_version ON pins (table_uuid, branch, version);
`;
