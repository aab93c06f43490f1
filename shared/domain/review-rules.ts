import * as z from 'zod';

const PersonName = z.string().trim().min(1).max(200);

/** What must hold before a review of a table can be merged; the administrator's choice, per table. */
export const ReviewRules = z.strictObject({
  /** People that must have approved, with no request for changes standing. */
  approvalsNeeded: z.number().int().min(0).max(20).default(0),
  /** Whether authors may approve what they opened; without accounts there is nobody else. */
  mayApproveOwn: z.boolean().default(true),
  /** Whether approvals of an earlier version of the branch still count. */
  countStaleApprovals: z.boolean().default(false),
  /** Whether threads that are not resolved keep a review from being merged. */
  needsResolvedThreads: z.boolean().default(false),
  /** Protected branches take merges of reviews only; merging without one is refused. */
  mergeByReviewOnly: z.boolean().default(false),
  /** Names of those who may merge; empty: whoever has the right to merge. */
  mayMerge: z.array(PersonName).max(200).default([]),
  /** Whether the history keeps the branch's single versions in the record of the merge. */
  squash: z.enum(['choose', 'always', 'never']).default('choose'),
  /** The choice that the dialog of the merge begins with. */
  deleteBranchAfterMerge: z.boolean().default(false),
  /** Asked to review by default. */
  reviewers: z.array(PersonName).max(50).default([]),
});
export type ReviewRules = z.infer<typeof ReviewRules>;

/** The rules of a table that nobody gave any. */
export const defaultRules: ReviewRules = ReviewRules.parse({});
