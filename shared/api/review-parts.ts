import * as z from 'zod';
import { RowCounts } from '../domain/edits.ts';
import { PinnedRef } from '../domain/ref.ts';
import { RowKey } from '../domain/selection.ts';
import { ProblemCode, TextPlace } from './problem.ts';

export const ReviewState = z.enum(['open', 'merged', 'closed']);
export type ReviewState = z.infer<typeof ReviewState>;

/** What one person last said of the whole review, and of which version. */
export const Verdict = z.object({
  author: z.string(),
  verdict: z.enum(['approved', 'changes-requested']),
  body: z.string(),
  at: z.string(),
  /** The version of `from` that it was said of. */
  fromVersion: z.number(),
  /** The branch has other rows or columns by now; in a list, that it has moved. */
  isStale: z.boolean(),
});
export type Verdict = z.infer<typeof Verdict>;

/** A cell or row as it was when something was said about it, short enough to be shown. */
export const SeenValue = z.object({
  /** As JSON, texts cut at 200 characters, vectors and blobs as what they are (`512 numbers`, `image/png, 12 kB`). */
  preview: z.unknown(),
  isCut: z.boolean(),
});
export type SeenValue = z.infer<typeof SeenValue>;

/**
 * How the thing that a comment is about stands now against when it was written: `same`, `changed`, `row-removed`,
 * `column-removed`, or `unknown` (the branch is gone, or the value could not be read).
 */
export const SinceWritten = z.object({
  state: z.enum(['same', 'changed', 'row-removed', 'column-removed', 'unknown']),
  before: SeenValue.nullable(),
  now: SeenValue.nullable(),
  /** Of a comment on a row: the cells that changed. */
  columns: z.array(z.string()).optional(),
});
export type SinceWritten = z.infer<typeof SinceWritten>;

const Said = {
  id: z.string(),
  author: z.string(),
  /** Markdown; empty where it was deleted and only its replies remain. */
  body: z.string(),
  mentions: z.array(z.string()),
  at: z.string(),
  editedAt: z.string().nullable(),
  isDeleted: z.boolean(),
};

export const Reply = z.object(Said);
export type Reply = z.infer<typeof Reply>;

/** A thread: a comment on the review, on a row (`rowKey`) or on a cell (`rowKey` and `column`), with its replies. */
export const Comment = z.object({
  ...Said,
  rowKey: RowKey.nullable(),
  column: z.string().nullable(),
  /** The version of `from` that it was written about. */
  fromVersion: z.number().nullable(),
  resolved: z.object({ by: z.string(), at: z.string() }).nullable(),
  replies: z.array(Reply),
  /** Null for comments on the whole review. */
  since: SinceWritten.nullable(),
});
export type Comment = z.infer<typeof Comment>;

export const CheckProblem = z.object({
  code: ProblemCode,
  detail: z.string(),
  hint: z.string().optional(),
  at: TextPlace.optional(),
});

/** What a check found, on the rows that the merge would give. */
export const CheckResult = z.object({
  name: z.string(),
  severity: z.enum(['required', 'warning']),
  /** `error`: it could not be run, which counts as failed. */
  outcome: z.enum(['passed', 'failed', 'error']),
  /** Failing rows, all of them counted; null after an error. */
  failing: z.number().nullable(),
  /** How many fail in `into` as it stands, so that one sees what the merge brings; null where it was not counted. */
  failingBefore: z.number().nullable(),
  /** What was looked at, in words: `all 218 rows of the merge`. */
  scope: z.string(),
  /** The first failing rows, as JSON. */
  sample: z.array(z.record(z.string(), z.unknown())),
  /** Keys of the first failing rows; empty where a statement returns rows without the key. */
  keys: z.array(RowKey),
  /** Shows the failing rows among `keys` at a ref; `covers` says which. Null where there are no keys. */
  open: z.object({ ref: z.string(), where: z.string(), covers: z.string() }).nullable(),
  problem: CheckProblem.nullable(),
  elapsedMs: z.number(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** A run of a review's checks, tied to the heads and the choices that it ran with. */
export const CheckRun = z.object({
  at: z.string(),
  author: z.string(),
  from: PinnedRef,
  into: PinnedRef,
  /** Set where conflicts were settled for the run; the same choices give the same text. */
  choicesDigest: z.string(),
  results: z.array(CheckResult),
  /** The rows of a head, or the checks themselves, changed since: run them again. */
  isStale: z.boolean(),
});
export type CheckRun = z.infer<typeof CheckRun>;

export const BlockerCode = z.enum([
  'not-open',
  'table-gone',
  'branch-gone',
  'nothing-to-merge',
  'not-mergeable',
  'conflicts',
  'may-not-merge',
  'approvals',
  'changes-requested',
  'checks-not-run',
  'checks-failed',
  'checks-unreadable',
  'threads',
]);
export type BlockerCode = z.infer<typeof BlockerCode>;

/** One reason why a review cannot be merged now. */
export const Blocker = z.object({
  code: BlockerCode,
  message: z.string(),
  hint: z.string(),
  /** Names of the checks or people it is about. */
  names: z.array(z.string()),
});
export type Blocker = z.infer<typeof Blocker>;

/** A step of the branch that a merge consists of. */
export const MergedStep = z.object({
  version: z.number(),
  at: z.string(),
  author: z.string().nullable(),
  message: z.string().nullable(),
  kind: z.string(),
  rows: RowCounts,
});
export type MergedStep = z.infer<typeof MergedStep>;

/** One thing that happened; fields beyond the first four are there where the kind has them. */
export const ReviewEvent = z.object({
  id: z.string(),
  at: z.string(),
  author: z.string(),
  kind: z.enum([
    'opened',
    'edited',
    'reviewers',
    'commented',
    'resolved',
    'unresolved',
    'approved',
    'changes-requested',
    'withdrew',
    /** The branch got a step (an edit of Curio, or versions of other programs). */
    'changed',
    'checks-run',
    'merged',
    'closed',
    'reopened',
    'branch-deleted',
  ]),
  /** What was said, or the message of a step. */
  body: z.string().optional(),
  version: z.number().optional(),
  changed: RowCounts.optional(),
  commentId: z.string().optional(),
  names: z.array(z.string()).optional(),
  checks: z.object({ passed: z.number(), failed: z.number(), errors: z.number() }).optional(),
});
export type ReviewEvent = z.infer<typeof ReviewEvent>;
