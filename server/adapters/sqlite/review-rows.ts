import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { ReviewState } from '#shared/api/review-parts.ts';
import type { ReviewFilter, ReviewRecord, StoredComment, StoredVerdict } from '../../ports/review-store.ts';

export type Row = Record<string, SQLOutputValue>;

const parseOrNull = (value: SQLOutputValue | undefined) =>
  typeof value === 'string' ? JSON.parse(value) : null;
const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export const reviewColumns = [
  'table_name',
  'table_uuid',
  'from_branch',
  'from_created_at',
  'into_branch',
  'into_created_at',
  'title',
  'description',
  'author',
  'reviewers',
  'state',
  'created_at',
  'updated_at',
  'opened_at_version',
  'ended',
  'refs',
  'merged',
  'changes',
  'has_pins',
] as const;

export const reviewValues = (review: Omit<ReviewRecord, 'id'>): SQLInputValue[] => [
  review.table,
  review.tableUuid,
  review.from.branch,
  review.from.createdAt,
  review.into.branch,
  review.into.createdAt,
  review.title,
  review.description,
  review.author,
  JSON.stringify(review.reviewers),
  review.state,
  review.createdAt,
  review.updatedAt,
  review.openedAtVersion,
  jsonOrNull(review.ended),
  jsonOrNull(review.refs),
  jsonOrNull(review.merged),
  jsonOrNull(review.changes),
  review.hasPins ? 1 : 0,
];

export const toReview = (row: Row): ReviewRecord => ({
  id: String(row.id),
  table: String(row.table_name),
  tableUuid: String(row.table_uuid),
  from: { branch: String(row.from_branch), createdAt: String(row.from_created_at) },
  into: { branch: String(row.into_branch), createdAt: String(row.into_created_at) },
  title: String(row.title),
  description: String(row.description),
  author: String(row.author),
  reviewers: JSON.parse(String(row.reviewers)),
  state: row.state as ReviewState,
  createdAt: String(row.created_at),
  updatedAt: String(row.updated_at),
  openedAtVersion: Number(row.opened_at_version),
  ended: parseOrNull(row.ended),
  refs: parseOrNull(row.refs),
  merged: parseOrNull(row.merged),
  changes: parseOrNull(row.changes),
  hasPins: row.has_pins === 1,
});

export const commentColumns = [
  'id',
  'review_id',
  'reply_to',
  'author',
  'body',
  'mentions',
  'at',
  'edited_at',
  'is_deleted',
  'row_key',
  'column_name',
  'from_version',
  'seen',
  'resolved',
] as const;

export const commentValues = (comment: StoredComment): SQLInputValue[] => [
  comment.id,
  Number(comment.reviewId),
  comment.replyTo,
  comment.author,
  comment.body,
  JSON.stringify(comment.mentions),
  comment.at,
  comment.editedAt,
  comment.isDeleted ? 1 : 0,
  // `null` is a key, too: no row is SQL's null, and the key null is the text.
  comment.rowKey === null && comment.fromVersion === null ? null : JSON.stringify(comment.rowKey),
  comment.column,
  comment.fromVersion,
  jsonOrNull(comment.seen),
  jsonOrNull(comment.resolved),
];

export const toComment = (row: Row): StoredComment => ({
  id: String(row.id),
  reviewId: String(row.review_id),
  replyTo: row.reply_to === null ? null : String(row.reply_to),
  author: String(row.author),
  body: String(row.body),
  mentions: JSON.parse(String(row.mentions)),
  at: String(row.at),
  editedAt: row.edited_at === null ? null : String(row.edited_at),
  isDeleted: row.is_deleted === 1,
  rowKey: parseOrNull(row.row_key),
  column: row.column_name === null ? null : String(row.column_name),
  fromVersion: row.from_version === null ? null : Number(row.from_version),
  seen: parseOrNull(row.seen),
  resolved: parseOrNull(row.resolved),
});

export const toVerdict = (row: Row): StoredVerdict => ({
  reviewId: String(row.review_id),
  author: String(row.author),
  verdict: row.verdict as StoredVerdict['verdict'],
  body: String(row.body),
  at: String(row.at),
  fromVersion: Number(row.from_version),
});

const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, (mark) => `\\${mark}`)}%`;

/** A filter as a WHERE clause with its values. */
export function whereOf(filter: ReviewFilter): { where: string; values: SQLInputValue[] } {
  const parts: [string, SQLInputValue[]][] = [];
  const { state, table, tableUuid, branch, person, text } = filter;
  if (state !== undefined) parts.push(['state = ?', [state]]);
  if (table !== undefined) parts.push(['table_name = ?', [table]]);
  if (tableUuid !== undefined) parts.push(['table_uuid = ?', [tableUuid]]);
  if (branch !== undefined) parts.push(['? IN (from_branch, into_branch)', [branch]]);
  if (person !== undefined)
    parts.push([
      '(author = ? OR EXISTS (SELECT 1 FROM json_each(reviewers) WHERE value = ?))',
      [person, person],
    ]);
  for (const word of text?.split(/\s+/).filter((part) => part !== '') ?? [])
    parts.push([
      "(title LIKE ? ESCAPE '\\' OR description LIKE ? ESCAPE '\\')",
      [likeText(word), likeText(word)],
    ]);
  return {
    where: parts.length === 0 ? '' : `WHERE ${parts.map(([sql]) => sql).join(' AND ')}`,
    values: parts.flatMap(([, values]) => values),
  };
}
