import type { DiffSummary } from '#shared/api/edits.ts';
import type { CheckRun, MergedStep, ReviewEvent, ReviewState, SeenValue } from '#shared/api/review-parts.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { ReviewRules } from '#shared/domain/review-rules.ts';
import type { RowKey } from '#shared/domain/selection.ts';

/** A branch as it was when it was named: the time of its making tells it from others that have had its name. */
export interface NamedBranch {
  branch: string;
  /** Empty for main. */
  createdAt: string;
}

/** The refs that a review was about when it ended. */
export interface EndedRefs {
  base: PinnedRef | null;
  from: PinnedRef;
  /** As it was before the merge. */
  into: PinnedRef;
}

export interface ReviewRecord {
  /** A number as text; given by the store. */
  id: string;
  table: string;
  tableUuid: string;
  from: NamedBranch;
  into: NamedBranch;
  title: string;
  description: string;
  author: string;
  reviewers: string[];
  state: ReviewState;
  createdAt: string;
  updatedAt: string;
  /** The head of `from` when it was opened. */
  openedAtVersion: number;
  ended: { at: string; by: string } | null;
  /** Set when it ended. */
  refs: EndedRefs | null;
  merged: { version: number; editId: string; isSquashed: boolean; steps: MergedStep[] | null } | null;
  /** What `refs` changed, kept so that it can be read when the table is gone. */
  changes: DiffSummary | null;
  /** Whether `refs` are kept from being cleaned up. */
  hasPins: boolean;
}

export interface StoredComment {
  id: string;
  reviewId: string;
  /** The first comment of the thread that it answers. */
  replyTo: string | null;
  author: string;
  body: string;
  mentions: string[];
  at: string;
  editedAt: string | null;
  isDeleted: boolean;
  rowKey: RowKey | null;
  column: string | null;
  fromVersion: number | null;
  /** What stood there when it was written; null where the row was not there. */
  seen: { digest: string; value: SeenValue } | null;
  resolved: { by: string; at: string } | null;
}

export interface StoredVerdict {
  reviewId: string;
  author: string;
  verdict: 'approved' | 'changes-requested';
  body: string;
  at: string;
  fromVersion: number;
}

export interface StoredRun extends Omit<CheckRun, 'isStale'> {
  /** Of the checks as they were, so that a change of them is seen. */
  checksDigest: string;
}

export interface ReviewFilter {
  state?: ReviewState;
  table?: string;
  tableUuid?: string;
  branch?: string;
  person?: string;
  text?: string;
  offset?: number;
  limit?: number;
}

/** A hidden branch that checks run on, so that a start can remove what a crash left. */
export interface ScratchBranch {
  table: string;
  branch: string;
}

/** Reviews and what belongs to them, in `studio.db`. Calls are synchronous; several in `atomically` are one transaction. */
export interface ReviewStore {
  atomically<T>(work: () => T): T;
  /** Gives it its id. */
  add(review: Omit<ReviewRecord, 'id'>): string;
  get(id: string): ReviewRecord | null;
  /** Replaces all but what never changes. */
  put(review: ReviewRecord): void;
  /** Last changed first. */
  list(filter: ReviewFilter): ReviewRecord[];
  count(filter: ReviewFilter): Record<ReviewState, number>;

  addComment(comment: StoredComment): void;
  putComment(comment: StoredComment): void;
  removeComment(id: string): void;
  getComment(id: string): StoredComment | null;
  /** Oldest first. */
  listComments(reviewId: string): StoredComment[];
  /** Threads and those that are not resolved, for many reviews at once. */
  countThreads(reviewIds: readonly string[]): Map<string, { threads: number; unresolved: number }>;

  /** In the place of what the person said before. */
  putVerdict(verdict: StoredVerdict): void;
  removeVerdict(reviewId: string, author: string): void;
  listVerdicts(reviewIds: readonly string[]): StoredVerdict[];

  addEvent(reviewId: string, event: ReviewEvent): void;
  /** Oldest first. */
  listEvents(reviewId: string): ReviewEvent[];

  putRun(reviewId: string, run: StoredRun): void;
  getRun(reviewId: string): StoredRun | null;

  getRules(tableUuid: string): ReviewRules | null;
  putRules(tableUuid: string, rules: ReviewRules): void;

  addScratch(scratch: ScratchBranch): void;
  removeScratch(scratch: ScratchBranch): void;
  listScratch(): ScratchBranch[];
}
