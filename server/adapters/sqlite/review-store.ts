import type { DatabaseSync } from 'node:sqlite';
import type { ReviewState } from '#shared/api/review-parts.ts';
import { ReviewRules } from '#shared/domain/review-rules.ts';
import type { ReviewStore } from '../../ports/review-store.ts';
import {
  commentColumns,
  commentValues,
  reviewColumns,
  reviewValues,
  toComment,
  toReview,
  toVerdict,
  whereOf,
} from './review-rows.ts';

const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

/** Reviews with their comments, verdicts, events and runs of checks, and the branches that they keep. */
export function createReviewStore(database: DatabaseSync): ReviewStore {
  return {
    atomically(work) {
      if (database.isTransaction) return work();
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    ...createReviews(database),
    ...createComments(database),
    ...createVerdicts(database),
    ...createRecords(database),
    ...createScratch(database),
  };
}

function createReviews(database: DatabaseSync): Pick<ReviewStore, 'add' | 'get' | 'put' | 'list' | 'count'> {
  const insert = database.prepare(
    `INSERT INTO reviews (${reviewColumns.join(', ')}) VALUES (${marks(reviewColumns.length)})`,
  );
  const update = database.prepare(
    `UPDATE reviews SET ${reviewColumns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
  );
  const byId = database.prepare('SELECT * FROM reviews WHERE id = ?');
  return {
    add: (review) => String(insert.run(...reviewValues(review)).lastInsertRowid),
    get(id) {
      const row = /^[1-9][0-9]{0,14}$/.test(id) ? byId.get(Number(id)) : undefined;
      return row ? toReview(row) : null;
    },
    put: (review) => void update.run(...reviewValues(review), Number(review.id)),
    list(filter) {
      const { where, values } = whereOf(filter);
      const { limit = -1, offset = 0 } = filter;
      return database
        .prepare(`SELECT * FROM reviews ${where} ORDER BY updated_at DESC, id DESC LIMIT ? OFFSET ?`)
        .all(...values, limit, offset)
        .map(toReview);
    },
    count(filter) {
      const counts: Record<ReviewState, number> = { open: 0, merged: 0, closed: 0 };
      const { where, values } = whereOf(filter);
      const rows = database
        .prepare(`SELECT state, count(*) AS n FROM reviews ${where} GROUP BY state`)
        .all(...values);
      for (const row of rows) counts[row.state as ReviewState] = Number(row.n);
      return counts;
    },
  };
}

type Comments = Pick<
  ReviewStore,
  'addComment' | 'putComment' | 'removeComment' | 'getComment' | 'listComments' | 'countThreads'
>;

function createComments(database: DatabaseSync): Comments {
  const insert = database.prepare(
    `INSERT INTO review_comments (${commentColumns.join(', ')}) VALUES (${marks(commentColumns.length)})`,
  );
  const update = database.prepare(
    `UPDATE review_comments SET ${commentColumns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
  );
  const remove = database.prepare('DELETE FROM review_comments WHERE id = ?');
  const byId = database.prepare('SELECT * FROM review_comments WHERE id = ?');
  const ofReview = database.prepare('SELECT * FROM review_comments WHERE review_id = ? ORDER BY seq');
  const threads = database.prepare(`
    SELECT review_id, count(*) AS threads, count(*) FILTER (WHERE resolved IS NULL) AS unresolved
    FROM review_comments
    WHERE reply_to IS NULL AND review_id IN (SELECT value FROM json_each(?)) GROUP BY review_id`);
  return {
    addComment: (comment) => void insert.run(...commentValues(comment)),
    putComment: (comment) => void update.run(...commentValues(comment), comment.id),
    removeComment: (id) => void remove.run(id),
    getComment(id) {
      const row = byId.get(id);
      return row ? toComment(row) : null;
    },
    listComments: (reviewId) => ofReview.all(Number(reviewId)).map(toComment),
    countThreads: (reviewIds) =>
      new Map(
        threads
          .all(JSON.stringify(reviewIds.map(Number)))
          .map((row) => [
            String(row.review_id),
            { threads: Number(row.threads), unresolved: Number(row.unresolved) },
          ]),
      ),
  };
}

function createVerdicts(
  database: DatabaseSync,
): Pick<ReviewStore, 'putVerdict' | 'removeVerdict' | 'listVerdicts'> {
  const put = database.prepare(
    'INSERT OR REPLACE INTO review_verdicts (review_id, author, verdict, body, at, from_version) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM review_verdicts WHERE review_id = ? AND author = ?');
  const list = database.prepare(
    'SELECT * FROM review_verdicts WHERE review_id IN (SELECT value FROM json_each(?)) ORDER BY at, author',
  );
  return {
    putVerdict: ({ reviewId, author, verdict, body, at, fromVersion }) =>
      void put.run(Number(reviewId), author, verdict, body, at, fromVersion),
    removeVerdict: (reviewId, author) => void remove.run(Number(reviewId), author),
    listVerdicts: (reviewIds) => list.all(JSON.stringify(reviewIds.map(Number))).map(toVerdict),
  };
}

type Records = Pick<ReviewStore, 'addEvent' | 'listEvents' | 'putRun' | 'getRun' | 'getRules' | 'putRules'>;

function createRecords(database: DatabaseSync): Records {
  const addEvent = database.prepare('INSERT INTO review_events (review_id, event) VALUES (?, ?)');
  const events = database.prepare('SELECT event FROM review_events WHERE review_id = ? ORDER BY seq');
  const putRun = database.prepare('INSERT OR REPLACE INTO review_runs (review_id, run) VALUES (?, ?)');
  const getRun = database.prepare('SELECT run FROM review_runs WHERE review_id = ?');
  const putRules = database.prepare('INSERT OR REPLACE INTO review_rules (table_uuid, rules) VALUES (?, ?)');
  const getRules = database.prepare('SELECT rules FROM review_rules WHERE table_uuid = ?');
  return {
    addEvent: (reviewId, event) => void addEvent.run(Number(reviewId), JSON.stringify(event)),
    listEvents: (reviewId) => events.all(Number(reviewId)).map((row) => JSON.parse(String(row.event))),
    putRun: (reviewId, run) => void putRun.run(Number(reviewId), JSON.stringify(run)),
    getRun(reviewId) {
      const row = getRun.get(Number(reviewId));
      return row ? JSON.parse(String(row.run)) : null;
    },
    putRules: (tableUuid, rules) => void putRules.run(tableUuid, JSON.stringify(rules)),
    getRules(tableUuid) {
      const row = getRules.get(tableUuid);
      return row ? ReviewRules.parse(JSON.parse(String(row.rules))) : null;
    },
  };
}

type Scratch = Pick<ReviewStore, 'addScratch' | 'removeScratch' | 'listScratch'>;

function createScratch(database: DatabaseSync): Scratch {
  const add = database.prepare('INSERT OR IGNORE INTO scratch_branches (table_name, branch) VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM scratch_branches WHERE table_name = ? AND branch = ?');
  const list = database.prepare('SELECT table_name, branch FROM scratch_branches');
  return {
    addScratch: ({ table, branch }) => void add.run(table, branch),
    removeScratch: ({ table, branch }) => void remove.run(table, branch),
    listScratch: () =>
      list.all().map((row) => ({ table: String(row.table_name), branch: String(row.branch) })),
  };
}
