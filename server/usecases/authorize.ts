import type { Contract } from '#shared/api/contract.ts';
import { AppError } from '#shared/api/problem.ts';
import type { ReviewRules } from '#shared/domain/review-rules.ts';

/** Who asks. Until an administrator turns on accounts there is one: the person at this machine. */
export interface Principal {
  name: string;
  kind: 'local';
}

export type Action = 'read' | 'write' | 'review' | 'merge' | 'maintain' | 'import' | 'delete';

/** What each route does to what it names; a route that is missing here does not compile. */
export const actionOf: Record<keyof Contract, Action> = {
  health: 'read',
  session: 'read',
  listTables: 'read',
  describeTable: 'read',
  rowsGet: 'read',
  rowsPost: 'read',
  countRows: 'read',
  locateRow: 'read',
  groupRows: 'read',
  profile: 'read',
  facets: 'read',
  facetsLive: 'read',
  profileDetails: 'read',
  associations: 'read',
  search: 'read',
  listIndexes: 'read',
  listBranches: 'read',
  listTags: 'read',
  history: 'read',
  tableGraph: 'read',
  rowHistory: 'read',
  diff: 'read',
  diffRows: 'read',
  diffOverview: 'read',
  blob: 'read',
  thumb: 'read',
  mediaFacts: 'read',
  runSql: 'read',
  planSql: 'read',
  checkSql: 'read',
  exportSql: 'read',
  sqlActivity: 'read',
  listQueries: 'read',
  getQuery: 'read',
  queryFile: 'read',
  listJobs: 'read',
  getJob: 'read',
  jobEvents: 'read',
  listTrash: 'read',
  listReviews: 'read',
  readStandings: 'read',
  getReview: 'read',
  listChecks: 'read',
  tryChecks: 'read',
  getReviewRules: 'read',
  createQuery: 'write',
  putQuery: 'write',
  deleteQuery: 'write',
  restoreQuery: 'write',
  importQueries: 'write',
  edit: 'write',
  undo: 'write',
  createBranch: 'write',
  deleteBranch: 'write',
  rebase: 'write',
  cherryPick: 'write',
  revert: 'write',
  restore: 'write',
  createTag: 'write',
  deleteTag: 'write',
  cancelJob: 'write',
  cropRows: 'write',
  openReview: 'review',
  patchReview: 'review',
  commentOnReview: 'review',
  patchComment: 'review',
  deleteComment: 'review',
  approveReview: 'review',
  requestChanges: 'review',
  withdrawVerdict: 'review',
  runReviewChecks: 'review',
  closeReview: 'review',
  reopenReview: 'review',
  merge: 'merge',
  mergeReview: 'merge',
  putChecks: 'maintain',
  putReviewRules: 'maintain',
  patchTable: 'maintain',
  createIndex: 'maintain',
  dropIndex: 'maintain',
  importTable: 'import',
  uploadFiles: 'import',
  trashTable: 'delete',
  restoreTable: 'delete',
  purgeTable: 'delete',
};

const localActions: ReadonlySet<Action> = new Set([
  'read',
  'write',
  'review',
  'merge',
  'maintain',
  'import',
  'delete',
]);

export const actionsOf = (_principal: Principal): Action[] => [...localActions];

/** The one place that decides rights. Throws FORBIDDEN. */
export function authorize(principal: Principal, action: Action, table?: string): void {
  if (actionsOf(principal).includes(action)) return;
  throw new AppError({
    code: 'FORBIDDEN',
    message: `${principal.name} may not ${action}${table === undefined ? '' : ` ${table}`}.`,
    hint: 'Ask an administrator for the right.',
  });
}

/** Who may merge reviews of a table: those with the right, and of them whom its rules name. */
export const mayMergeBy = (principal: Principal, { mayMerge }: ReviewRules): boolean =>
  actionsOf(principal).includes('merge') && (mayMerge.length === 0 || mayMerge.includes(principal.name));

/** Whether somebody's word on a review may count. */
export const mayApproveBy = (
  principal: Principal,
  { author, rules }: { author: string; rules: ReviewRules },
): boolean => actionsOf(principal).includes('review') && (rules.mayApproveOwn || author !== principal.name);

/** What was written belongs to who wrote it. Throws FORBIDDEN. */
export function assertOwn(principal: Principal, author: string, what: string): void {
  if (author === principal.name) return;
  throw new AppError({
    code: 'FORBIDDEN',
    message: `${what} is ${author}’s; ${principal.name} may not change it.`,
    hint: 'Answer it instead.',
  });
}

/** What a review says of itself is changed and ended by its author and by maintainers of the table. */
export const mayEditReview = (principal: Principal, author: string): boolean =>
  author === principal.name || actionsOf(principal).includes('maintain');
