import type { reviewsApi } from '#shared/api/reviews.ts';
import type { Ports } from '../../ports/index.ts';
import { addComment, deleteComment, patchComment } from '../../usecases/reviews/comments.ts';
import { closeReview, reopenReview } from '../../usecases/reviews/end-review.ts';
import { getReview } from '../../usecases/reviews/get-review.ts';
import { listReviews } from '../../usecases/reviews/list-reviews.ts';
import { mergeReview } from '../../usecases/reviews/merge-review.ts';
import { openReview, patchReview } from '../../usecases/reviews/open-review.ts';
import { listChecks, putChecks } from '../../usecases/reviews/read-checks.ts';
import { readStandings } from '../../usecases/reviews/read-standings.ts';
import { putRules, readRules } from '../../usecases/reviews/rules-of-table.ts';
import { startReviewChecks, startTrial } from '../../usecases/reviews/run-review-checks.ts';
import { giveVerdict, withdrawVerdict } from '../../usecases/reviews/verdicts.ts';
import type { Handlers } from '../handler.ts';

export function reviewRoutes(ports: Ports): Handlers<typeof reviewsApi> {
  return {
    listReviews: ({ query, signal }) => listReviews(ports, query, { signal }),
    readStandings: ({ body, principal, signal }) => readStandings(ports, body.ids, { principal, signal }),
    openReview: ({ body, principal, signal }) => openReview(ports, body, { principal, signal }),
    getReview: ({ params, query, principal, signal }) =>
      getReview(ports, { ...params, withChanges: query.changes === 'true' }, { principal, signal }),
    patchReview: ({ params, body, principal, signal }) =>
      patchReview(ports, { ...params, ...body }, { principal, signal }),
    commentOnReview: ({ params, body, principal, signal }) =>
      addComment(ports, { ...params, ...body }, { principal, signal }),
    patchComment: ({ params, body, principal, signal }) =>
      patchComment(ports, { ...params, ...body }, { principal, signal }),
    deleteComment: ({ params, principal }) => deleteComment(ports, params, principal),
    approveReview: ({ params, body, principal, signal }) =>
      giveVerdict(ports, { ...params, ...body, verdict: 'approved' }, { principal, signal }),
    requestChanges: ({ params, body, principal, signal }) =>
      giveVerdict(ports, { ...params, ...body, verdict: 'changes-requested' }, { principal, signal }),
    withdrawVerdict: ({ params, principal, signal }) =>
      withdrawVerdict(ports, params.id, { principal, signal }),
    runReviewChecks: async ({ params, body, principal, signal }) => ({
      job: pickId(await startReviewChecks(ports, { ...params, ...body }, { principal, signal })),
    }),
    mergeReview: ({ params, body, principal, signal }) =>
      mergeReview(ports, { ...params, ...body }, { principal, signal }),
    closeReview: ({ params, body, principal, signal }) =>
      closeReview(ports, { ...params, ...body }, { principal, signal }),
    reopenReview: ({ params, body, principal, signal }) =>
      reopenReview(ports, { ...params, ...body }, { principal, signal }),
    listChecks: ({ params, query, signal }) => listChecks(ports, { ...params, ...query }, { signal }),
    putChecks: ({ params, body, signal }) => putChecks(ports, { ...params, ...body }, { signal }),
    tryChecks: async ({ params, body, signal }) => ({
      job: pickId(await startTrial(ports, { ...params, ...body }, { signal })),
    }),
    getReviewRules: ({ params, signal }) => readRules(ports, params.table, { signal }),
    putReviewRules: ({ params, body, signal }) => putRules(ports, { ...params, ...body }, { signal }),
  };
}

const pickId = ({ id }: { id: string }): { id: string } => ({ id });
