import type { Comment, Reply, ReviewEvent, SinceWritten, Verdict } from '#shared/api/review-parts.ts';
import type { ReviewSummary } from '#shared/api/reviews.ts';
import type { ReviewRecord, StoredComment, StoredVerdict } from '../../ports/review-store.ts';

const toReply = (comment: StoredComment): Reply => ({
  id: comment.id,
  author: comment.author,
  body: comment.body,
  mentions: comment.mentions,
  at: comment.at,
  editedAt: comment.editedAt,
  isDeleted: comment.isDeleted,
});

const byTime = (a: StoredComment, b: StoredComment): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

export const toThread = (
  first: StoredComment,
  all: readonly StoredComment[],
  since: SinceWritten | null,
): Comment => ({
  ...toReply(first),
  rowKey: first.rowKey,
  column: first.column,
  fromVersion: first.fromVersion,
  resolved: first.resolved,
  replies: all
    .filter(({ replyTo }) => replyTo === first.id)
    .sort(byTime)
    .map(toReply),
  since,
});

export const toVerdict = (
  { author, verdict, body, at, fromVersion }: StoredVerdict,
  isStale: boolean,
): Verdict => ({
  author,
  verdict,
  body,
  at,
  fromVersion,
  isStale,
});

export const toSummary = (
  record: ReviewRecord,
  {
    verdicts,
    comments,
  }: { verdicts: Verdict[]; comments: { threads: number; unresolved: number } | undefined },
): ReviewSummary => ({
  id: record.id,
  table: record.table,
  from: record.from.branch,
  into: record.into.branch,
  title: record.title,
  description: record.description,
  author: record.author,
  reviewers: record.reviewers,
  state: record.state,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
  ended: record.ended,
  verdicts,
  comments: comments ?? { threads: 0, unresolved: 0 },
});

/** Oldest first; at one time, in the order given. */
export const inOrder = (events: readonly ReviewEvent[]): ReviewEvent[] =>
  [...events].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
