/** Reviews with what belongs to them, and the branches that are kept for them. */
export const reviewTables = `
  CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_name TEXT NOT NULL,
    table_uuid TEXT NOT NULL,
    from_branch TEXT NOT NULL,
    from_created_at TEXT NOT NULL,
    into_branch TEXT NOT NULL,
    into_created_at TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    author TEXT NOT NULL,
    reviewers TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    opened_at_version INTEGER NOT NULL,
    ended TEXT,
    refs TEXT,
    merged TEXT,
    changes TEXT,
    has_pins INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX reviews_by_change ON reviews (updated_at);
  CREATE INDEX reviews_of_table ON reviews (table_uuid, state);
  CREATE UNIQUE INDEX one_open_review ON reviews (
    table_uuid, from_branch, from_created_at, into_branch, into_created_at
  ) WHERE state = 'open';
  CREATE TABLE review_comments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    review_id INTEGER NOT NULL,
    reply_to TEXT,
    author TEXT NOT NULL,
    body TEXT NOT NULL,
    mentions TEXT NOT NULL,
    at TEXT NOT NULL,
    edited_at TEXT,
    is_deleted INTEGER NOT NULL,
    row_key TEXT,
    column_name TEXT,
    from_version INTEGER,
    seen TEXT,
    resolved TEXT
  ) STRICT;
  CREATE INDEX comments_of_review ON review_comments (review_id, seq);
  CREATE TABLE review_verdicts (
    review_id INTEGER NOT NULL,
    author TEXT NOT NULL,
    verdict TEXT NOT NULL,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    from_version INTEGER NOT NULL,
    PRIMARY KEY (review_id, author)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE review_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    review_id INTEGER NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_of_review ON review_events (review_id, seq);
  CREATE TABLE review_runs (review_id INTEGER PRIMARY KEY, run TEXT NOT NULL) STRICT;
  CREATE TABLE review_rules (table_uuid TEXT PRIMARY KEY, rules TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE scratch_branches (
    table_name TEXT NOT NULL,
    branch TEXT NOT NULL,
    PRIMARY KEY (table_name, branch)
  ) STRICT, WITHOUT ROWID;
`;
