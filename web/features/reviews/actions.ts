import type { QueryClient } from '@tanstack/react-query';
import type { CommentBody, MergeReviewBody, OpenReviewBody, Review } from '#shared/api/reviews.ts';
import { callJson, callNone, queryKeys, refreshHeads } from '../../api/index.ts';
import { showDone } from '../../state/undo.ts';
import { announce, showToast } from '../../ui/index.ts';
import { planDeleted, planPending, planReplaced, planResolved, planReworded } from './model/threads.ts';
import { noteReview, refreshLists, refreshReview, reviewKeys } from './queries.ts';

/** A review and where its answers are kept. */
export interface ReviewAction {
  client: QueryClient;
  id: string;
}

type Threads = Review['threads'];

/** Shows the threads as they will be, and takes that back when the server refuses. */
async function changeThreads<T>(
  { client, id }: ReviewAction,
  plan: (threads: Threads) => Threads,
  send: () => Promise<T>,
): Promise<T> {
  const key = reviewKeys.detail(id);
  await client.cancelQueries({ queryKey: key });
  const before = client.getQueryData<Review>(key);
  if (before) noteReview(client, { ...before, threads: plan(before.threads) });
  try {
    return await send();
  } catch (error) {
    if (before) noteReview(client, before);
    throw error;
  } finally {
    void client.invalidateQueries({ queryKey: key });
  }
}

let pendingId = 0;

/** Opens a review. */
export async function openReview(client: QueryClient, body: OpenReviewBody): Promise<Review> {
  const review = await callJson('openReview', { body });
  noteReview(client, review);
  void refreshLists(client);
  return review;
}

type Words = Partial<Pick<Review, 'title' | 'description' | 'reviewers'>>;

async function sendWords({ client, id }: ReviewAction, patch: Words): Promise<void> {
  const before = client.getQueryData<Review>(reviewKeys.detail(id));
  if (before) noteReview(client, { ...before, ...patch });
  try {
    noteReview(client, await callJson('patchReview', { params: { id }, body: patch }));
  } catch (error) {
    if (before) noteReview(client, before);
    throw error;
  }
  void refreshLists(client);
}

/** Changes what the review says of itself; shown at once. Undo says again what it said. */
export async function patchReview(action: ReviewAction, patch: Words): Promise<void> {
  const before = action.client.getQueryData<Review>(reviewKeys.detail(action.id));
  await sendWords(action, patch);
  if (!before) return;
  const { title, description, reviewers } = before;
  const words: Words = patch.reviewers ? { reviewers } : { title, description };
  showDone({
    label: patch.reviewers ? 'Changed the reviewers' : 'Changed what the review says',
    undo: () => sendWords(action, words),
    redo: () => sendWords(action, patch),
  });
}

/** Says something: it stands there at once. */
export async function addComment(action: ReviewAction, body: CommentBody, author: string): Promise<void> {
  pendingId += 1;
  const pending = { body, author, at: new Date().toISOString(), id: pendingId };
  await changeThreads(
    action,
    (threads) => planPending(threads, pending),
    () => callJson('commentOnReview', { params: { id: action.id }, body }),
  );
  announce(body.replyTo === undefined ? 'Commented' : 'Replied');
}

/** Says a comment or reply of one's own in other words. */
export const rewordComment = (action: ReviewAction, comment: string, body: string): Promise<unknown> =>
  changeThreads(
    action,
    (threads) => planReworded(threads, comment, body),
    () => callJson('patchComment', { params: { id: action.id, comment }, body: { body } }),
  );

export async function deleteComment(action: ReviewAction, comment: string): Promise<void> {
  await changeThreads(
    action,
    (threads) => planDeleted(threads, comment),
    () => callNone('deleteComment', { params: { id: action.id, comment } }),
  );
  showToast('Deleted the comment');
}

/** Resolves a thread, or opens it again; Undo does the other. */
export async function resolveThread(
  action: ReviewAction,
  { comment, isResolved, by }: { comment: string; isResolved: boolean; by: string },
): Promise<void> {
  const set = async (next: boolean) => {
    const resolved = next ? { by, at: new Date().toISOString() } : null;
    const thread = await changeThreads(
      action,
      (threads) => planResolved(threads, comment, resolved),
      () => callJson('patchComment', { params: { id: action.id, comment }, body: { isResolved: next } }),
    );
    const now = action.client.getQueryData<Review>(reviewKeys.detail(action.id));
    if (now) noteReview(action.client, { ...now, threads: planReplaced(now.threads, thread) });
  };
  await set(isResolved);
  showDone({
    label: isResolved ? 'Resolved the thread' : 'Opened the thread again',
    undo: () => set(!isResolved),
    redo: () => set(isResolved),
  });
}

export interface VerdictInput {
  verdict: 'approved' | 'changes-requested';
  body: string;
  /** The version that the reviewer saw. */
  fromVersion: number | null;
}

/** Approves, or asks for changes; Undo takes the word back. */
export async function giveVerdict(
  { client, id }: ReviewAction,
  { verdict, body, fromVersion }: VerdictInput,
): Promise<void> {
  const expected = fromVersion === null ? {} : { expected: { from: fromVersion } };
  const route = verdict === 'approved' ? 'approveReview' : 'requestChanges';
  const give = async () => {
    noteReview(client, await callJson(route, { params: { id }, body: { body, ...expected } }));
    void refreshLists(client);
  };
  await give();
  showDone({
    label: verdict === 'approved' ? 'Approved' : 'Asked for changes',
    undo: () => withdrawVerdict({ client, id }),
    redo: give,
  });
}

export async function withdrawVerdict({ client, id }: ReviewAction): Promise<void> {
  noteReview(client, await callJson('withdrawVerdict', { params: { id }, body: {} }));
  void refreshLists(client);
}

/** Closes it without a merge; Undo opens it again. */
export async function closeReview({ client, id }: ReviewAction, { body }: { body: string }): Promise<void> {
  const close = async () => {
    noteReview(client, await callJson('closeReview', { params: { id }, body: { body } }));
    await refreshLists(client);
  };
  await close();
  showDone({
    label: `Closed review ${id}`,
    undo: () => reopenReview({ client, id }, { body: '' }),
    redo: close,
  });
}

export async function reopenReview({ client, id }: ReviewAction, { body }: { body: string }): Promise<void> {
  noteReview(client, await callJson('reopenReview', { params: { id }, body: { body } }));
  await refreshLists(client);
}

/** Merges it; the changes stay in sight as they were. */
export async function mergeReview(
  { client, id }: ReviewAction,
  { table, body }: { table: string; body: MergeReviewBody },
): Promise<Review> {
  const { review } = await callJson('mergeReview', { params: { id }, body });
  noteReview(client, review);
  await Promise.all([
    refreshLists(client),
    client.invalidateQueries({
      queryKey: queryKeys.table(table),
      predicate: ({ queryKey }) => queryKey[2] !== 'diff',
    }),
  ]);
  announce(`Merged ${review.from} into ${review.into}`);
  return review;
}

/** Deletes the branch of a review that is over. It can be seen in the review for ever. */
export async function deleteReviewBranch(
  { client, id }: ReviewAction,
  { table, branch }: { table: string; branch: string },
): Promise<void> {
  await callNone('deleteBranch', { params: { table, branch } });
  showToast(`Deleted branch ${branch}`);
  await Promise.all([refreshHeads(client, table), refreshReview(client, id)]);
}

export interface CheckInput {
  checks?: string[];
  take?: 'from' | 'into';
  choices?: MergeReviewBody['choices'];
}

/** Starts the checks; gives the id of the job. */
export async function runChecks({ client, id }: ReviewAction, input: CheckInput): Promise<string> {
  const { job } = await callJson('runReviewChecks', { params: { id }, body: input });
  const now = client.getQueryData<Review>(reviewKeys.detail(id));
  if (now) noteReview(client, { ...now, checkJob: job.id });
  return job.id;
}
