import type { Comment, Verdict } from '#shared/api/review-parts.ts';
import type { Review } from '#shared/api/reviews.ts';
import { defaultRules } from '#shared/domain/review-rules.ts';

const at = '2026-01-01T00:00:00Z';

export const fakeVerdict = (author: string, over: Partial<Verdict> = {}): Verdict => ({
  author,
  verdict: 'approved',
  body: '',
  at,
  fromVersion: 12,
  isStale: false,
  ...over,
});

export const fakeThread = (over: Partial<Comment> = {}): Comment => ({
  id: 't1',
  author: 'ann',
  body: 'said',
  mentions: [],
  at,
  editedAt: null,
  isDeleted: false,
  rowKey: null,
  column: null,
  fromVersion: 12,
  resolved: null,
  replies: [],
  since: null,
  ...over,
});

/** An open review of `fix` into `main` that nothing blocks. */
export const fakeReview = (over: Partial<Review> = {}): Review => ({
  id: '7',
  table: 'wonders',
  from: 'fix',
  into: 'main',
  title: 'Mend the glosses',
  description: 'They were **wrong**.',
  author: 'you',
  reviewers: [],
  state: 'open',
  createdAt: at,
  updatedAt: at,
  ended: null,
  verdicts: [],
  comments: { threads: 0, unresolved: 0 },
  refs: {
    base: { branch: 'main', version: 9 },
    from: { branch: 'fix', version: 12 },
    into: { branch: 'main', version: 10 },
  },
  compare: { from: 'fix', into: 'main' },
  merged: null,
  changes: null,
  canMerge: true,
  blockers: [],
  threads: [],
  checks: [],
  checkRun: null,
  checkJob: null,
  timeline: [{ id: 'e1', at, author: 'you', kind: 'opened' }],
  rules: defaultRules,
  may: {
    edit: true,
    comment: true,
    approve: true,
    merge: true,
    close: true,
    reopen: false,
    deleteBranch: true,
  },
  notices: [],
  ...over,
});
