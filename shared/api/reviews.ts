import * as z from 'zod';
import { CheckList } from '../domain/checks.ts';
import { ChangeMessage } from '../domain/edits.ts';
import { PinnedRef } from '../domain/ref.ts';
import { ReviewRules } from '../domain/review-rules.ts';
import { RowKey } from '../domain/selection.ts';
import { defineContract, json, none } from './contract-kit.ts';
import { DiffSummary, MergeChoice, MergeResult } from './edits.ts';
import { Blocker, CheckRun, Comment, MergedStep, ReviewEvent, ReviewState, Verdict } from './review-parts.ts';
import { TableParams } from './tables.ts';

const Title = z.string().trim().min(1).max(200);
const Body = z.string().max(50_000);
const Reviewers = z.array(z.string().trim().min(1).max(200)).max(50);

export const ReviewSummary = z.object({
  /** A number as text, counted from 1 over all tables. */
  id: z.string(),
  table: z.string(),
  from: z.string(),
  into: z.string(),
  title: z.string(),
  description: z.string(),
  author: z.string(),
  reviewers: z.array(z.string()),
  state: ReviewState,
  createdAt: z.string(),
  updatedAt: z.string(),
  /** When and by whom it was merged or closed. */
  ended: z.object({ at: z.string(), by: z.string() }).nullable(),
  /** The last word of each person. */
  verdicts: z.array(Verdict),
  comments: z.object({ threads: z.number(), unresolved: z.number() }),
});
export type ReviewSummary = z.infer<typeof ReviewSummary>;

export const Review = ReviewSummary.extend({
  /** The refs that it is about: the heads now while it is open, else as they were when it ended. Null: gone. */
  refs: z.object({ base: PinnedRef.nullable(), from: PinnedRef.nullable(), into: PinnedRef.nullable() }),
  /** What to hand to `diff` and `diff/rows` (and to blobs) to see its changes, now or years after the merge. Null: gone. */
  compare: z.object({ from: z.string(), into: z.string(), base: z.string().optional() }).nullable(),
  /** The version of `into` that the merge made, and its edit; the newest 500 steps of the branch unless it was squashed. */
  merged: z
    .object({
      version: z.number(),
      editId: z.string(),
      isSquashed: z.boolean(),
      steps: z.array(MergedStep).nullish(),
    })
    .nullable(),
  /** Null when it was not asked for (`changes=false`) or cannot be told; `notices` says why. */
  changes: DiffSummary.nullable(),
  canMerge: z.boolean(),
  /** Why it cannot be merged now; conflicts can be settled in the merge itself by `choices` or `take`. */
  blockers: z.array(Blocker),
  threads: z.array(Comment),
  /** As kept with the table at the head of `into`. */
  checks: CheckList,
  /** The last run; null: never. */
  checkRun: CheckRun.nullable(),
  /** A run that is under way. */
  checkJob: z.string().nullable(),
  timeline: z.array(ReviewEvent),
  rules: ReviewRules,
  /** What the asking person may do to it now, by rights and rules. */
  may: z.object({
    edit: z.boolean(),
    comment: z.boolean(),
    approve: z.boolean(),
    merge: z.boolean(),
    close: z.boolean(),
    reopen: z.boolean(),
    deleteBranch: z.boolean(),
  }),
  notices: z.array(z.string()),
});
export type Review = z.infer<typeof Review>;

export const ReviewList = z.object({
  reviews: z.array(ReviewSummary),
  /** Of all that the filter has, whatever state was asked for. */
  counts: z.object({ open: z.number(), merged: z.number(), closed: z.number() }),
  /** Of all that the filter and the state have; `reviews` is a window of them. */
  total: z.number(),
});
export type ReviewList = z.infer<typeof ReviewList>;

/** How an open review stands, as far as a list shows it. */
export const ReviewStanding = z.object({
  id: z.string(),
  /** Rows in conflict, and conflicting columns of the table where no row is; null where it cannot be told. */
  conflicts: z.object({ rows: z.number(), cells: z.number() }).nullable(),
  /** Of the checks kept with the table. `waiting`: required ones that have not run on what the branch holds now. */
  checks: z.object({ passed: z.number(), failed: z.number(), waiting: z.number(), total: z.number() }),
  canMerge: z.boolean(),
  blockers: z.array(Blocker),
});
export type ReviewStanding = z.infer<typeof ReviewStanding>;

export const ReviewsQuery = z.object({
  state: z.enum(['open', 'merged', 'closed', 'all']).default('open'),
  table: z.string().optional(),
  /** Reviews from or into this branch. */
  branch: z.string().optional(),
  /** Somebody who opened it, or was asked to review it. */
  person: z.string().optional(),
  /** Words in the title or description. */
  text: z.string().max(200).optional(),
  offset: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().positive().max(500).default(100),
});
export type ReviewsQuery = z.infer<typeof ReviewsQuery>;

export const OpenReviewBody = z.strictObject({
  table: z.string(),
  from: z.string(),
  into: z.string().default('main'),
  title: Title,
  description: Body.default(''),
  /** Those of the table's rules when absent. */
  reviewers: Reviewers.optional(),
});
export type OpenReviewBody = z.infer<typeof OpenReviewBody>;

export const CommentBody = z.strictObject({
  body: Body.min(1),
  rowKey: RowKey.optional(),
  column: z.string().optional(),
  /** The id of the comment that it answers; then it has no row of its own. */
  replyTo: z.string().optional(),
});
export type CommentBody = z.infer<typeof CommentBody>;

const VerdictBody = z.strictObject({
  body: Body.default(''),
  /** HEAD_MOVED unless the branch stands where the reviewer saw it. */
  expected: z.strictObject({ from: z.number() }).optional(),
});

const Settled = {
  take: z.enum(['from', 'into']).optional(),
  choices: z.array(MergeChoice).optional(),
};

export const MergeReviewBody = z.strictObject({
  expected: z.strictObject({ from: z.number(), into: z.number() }).partial().optional(),
  ...Settled,
  message: ChangeMessage.optional(),
  squash: z.boolean().optional(),
  /** As the table's rules say when absent. */
  deleteBranch: z.boolean().optional(),
});
export type MergeReviewBody = z.infer<typeof MergeReviewBody>;

const JobStarted = z.object({ job: z.object({ id: z.string() }) });
const ReviewParams = z.object({ id: z.string() });
const CommentParams = z.object({ id: z.string(), comment: z.string() });

export const TableChecks = z.object({
  /** Where they were read. */
  ref: PinnedRef,
  checks: CheckList,
  notices: z.array(z.string()),
});
export type TableChecks = z.infer<typeof TableChecks>;

export const TableRules = z.object({
  rules: ReviewRules,
  /** Main first; it is always among them. */
  protectedBranches: z.array(z.string()),
});
export type TableRules = z.infer<typeof TableRules>;

const path = '/api/v1/reviews/:id';

export const reviewsApi = defineContract({
  listReviews: {
    method: 'GET',
    path: '/api/v1/reviews',
    summary: 'Reviews, last changed first, with counts by state',
    query: ReviewsQuery,
    reply: json(ReviewList),
  },
  openReview: {
    method: 'POST',
    path: '/api/v1/reviews',
    summary: 'Asks for a branch to be merged into another',
    body: OpenReviewBody,
    reply: json(Review, 201),
  },
  readStandings: {
    method: 'POST',
    path: '/api/v1/reviews/standings',
    summary: 'How open reviews stand: conflicts, checks and what blocks them; others are left out',
    body: z.strictObject({ ids: z.array(z.string()).min(1).max(50) }),
    reply: json(z.object({ standings: z.array(ReviewStanding) })),
  },
  getReview: {
    method: 'GET',
    path,
    summary: 'One review as it stands now: heads, changes, blockers, threads, checks and what happened',
    params: ReviewParams,
    query: z.object({ changes: z.enum(['true', 'false']).default('true') }),
    reply: json(Review),
  },
  patchReview: {
    method: 'PATCH',
    path,
    summary: 'Changes title, description or reviewers',
    params: ReviewParams,
    body: z.strictObject({
      title: Title.optional(),
      description: Body.optional(),
      reviewers: Reviewers.optional(),
    }),
    reply: json(Review),
  },
  commentOnReview: {
    method: 'POST',
    path: `${path}/comments`,
    summary: 'Comments on the review, a row or a cell, or answers a comment',
    params: ReviewParams,
    body: CommentBody,
    reply: json(Comment, 201),
  },
  patchComment: {
    method: 'PATCH',
    path: `${path}/comments/:comment`,
    summary:
      'Changes a comment or reply of one’s own, resolves a thread or opens it again; gives the whole thread',
    params: CommentParams,
    body: z.strictObject({ body: Body.min(1).optional(), isResolved: z.boolean().optional() }),
    reply: json(Comment),
  },
  deleteComment: {
    method: 'DELETE',
    path: `${path}/comments/:comment`,
    summary: 'Deletes a comment or reply of one’s own',
    params: CommentParams,
    reply: none,
  },
  approveReview: {
    method: 'POST',
    path: `${path}/approve`,
    summary: 'Approves the branch as it stands',
    params: ReviewParams,
    body: VerdictBody,
    reply: json(Review),
  },
  requestChanges: {
    method: 'POST',
    path: `${path}/request-changes`,
    summary: 'Asks for changes before it may be merged',
    params: ReviewParams,
    body: VerdictBody.extend({ body: Body.min(1) }),
    reply: json(Review),
  },
  withdrawVerdict: {
    method: 'POST',
    path: `${path}/withdraw`,
    summary: 'Takes back one’s own approval or request for changes',
    params: ReviewParams,
    body: z.strictObject({}),
    reply: json(Review),
  },
  runReviewChecks: {
    method: 'POST',
    path: `${path}/checks`,
    summary: 'Runs the table’s checks on the rows that the merge would give, as a job (all unless named)',
    params: ReviewParams,
    body: z.strictObject({ checks: z.array(z.string()).min(1).optional(), ...Settled }),
    reply: json(JobStarted, 202),
  },
  mergeReview: {
    method: 'POST',
    path: `${path}/merge`,
    summary: 'Merges it when nothing blocks it',
    params: ReviewParams,
    body: MergeReviewBody,
    reply: json(z.object({ review: Review, merge: MergeResult })),
  },
  closeReview: {
    method: 'POST',
    path: `${path}/close`,
    summary: 'Closes it without a merge',
    params: ReviewParams,
    body: z.strictObject({ body: Body.default(''), deleteBranch: z.boolean().default(false) }),
    reply: json(Review),
  },
  reopenReview: {
    method: 'POST',
    path: `${path}/reopen`,
    summary: 'Opens a closed review again, as long as its branch is there',
    params: ReviewParams,
    body: z.strictObject({ body: Body.default('') }),
    reply: json(Review),
  },
  listChecks: {
    method: 'GET',
    path: '/api/v1/tables/:table/checks',
    summary: 'The checks that are kept with a table, at a ref',
    params: TableParams,
    query: z.object({ ref: z.string().default('main') }),
    reply: json(TableChecks),
  },
  putChecks: {
    method: 'PUT',
    path: '/api/v1/tables/:table/checks',
    summary: 'Replaces the checks of a branch of a table',
    params: TableParams,
    body: z.strictObject({
      branch: z.string().default('main'),
      /** HEAD_MOVED unless the branch stands where the checks were read. */
      expectedVersion: z.number().int().optional(),
      checks: CheckList,
    }),
    reply: json(TableChecks),
  },
  tryChecks: {
    method: 'POST',
    path: '/api/v1/tables/:table/checks/run',
    summary: 'Runs checks on a ref as it stands, kept or not yet, as a job with `{results}`',
    params: TableParams,
    body: z.strictObject({ ref: z.string().default('main'), checks: CheckList.optional() }),
    reply: json(JobStarted, 202),
  },
  getReviewRules: {
    method: 'GET',
    path: '/api/v1/tables/:table/review-rules',
    summary: 'What must hold before a review of a table is merged',
    params: TableParams,
    reply: json(TableRules),
  },
  putReviewRules: {
    method: 'PUT',
    path: '/api/v1/tables/:table/review-rules',
    summary: 'Sets the rules and the protected branches of a table',
    params: TableParams,
    body: z.strictObject({
      rules: ReviewRules,
      protectedBranches: z.array(z.string()).max(200).optional(),
    }),
    reply: json(TableRules),
  },
});
