import { randomUUID } from 'node:crypto';
import { AppError, isAppError, notFound } from '#shared/api/problem.ts';
import type { Comment } from '#shared/api/review-parts.ts';
import type { CommentBody } from '#shared/api/reviews.ts';
import { parseMentions } from '#shared/domain/mentions.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ReviewRecord, StoredComment } from '../../ports/review-store.ts';
import { assertOwn, type Principal } from '../authorize.ts';
import { isStanding, readLiveRefs } from './live-refs.ts';
import { noteEvent } from './note-event.ts';
import { type JsonRow, keyColumnsOf, keyText, readRowsByKey } from './read-rows-by-key.ts';
import { toThread } from './review-parts.ts';
import { type By, type ReviewPorts, requireReview } from './review-ports.ts';
import { commentedColumns, readSince, seeValue, sinceUnknown } from './seen-values.ts';

type Place = Pick<StoredComment, 'rowKey' | 'column' | 'fromVersion' | 'seen'>;
const nowhere: Place = { rowKey: null, column: null, fromVersion: null, seen: null };

interface Refs {
  base: PinnedRef | null;
  from: PinnedRef;
  into: PinnedRef;
}

/** The refs that rows of a review are looked up in: the heads, or what it ended with. */
async function refsOf(ports: ReviewPorts, record: ReviewRecord, context: CallContext): Promise<Refs | null> {
  if (record.state !== 'open') return record.refs;
  const live = await readLiveRefs(ports, record, context);
  return isStanding(live) ? live : null;
}

/** Comments on the review, a row or a cell, or answers. Comments can be made after it has ended, too. */
export async function addComment(
  ports: ReviewPorts,
  { id, body, rowKey, column, replyTo }: CommentBody & { id: string },
  { principal, ...context }: By,
): Promise<Comment> {
  const record = requireReview(ports, id);
  const parent = replyTo === undefined ? null : requireComment(ports, id, replyTo);
  if (replyTo !== undefined && rowKey !== undefined)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'An answer stands where its thread stands; it takes no rowKey.',
      hint: 'Leave out either replyTo or rowKey.',
    });
  if (column !== undefined && rowKey === undefined)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'A comment on a cell needs the key of its row.',
      hint: 'Send rowKey beside column.',
    });
  const place = rowKey === undefined ? nowhere : await findPlace(ports, { record, rowKey, column }, context);
  const comment: StoredComment = {
    id: randomUUID(),
    reviewId: id,
    replyTo: parent ? (parent.replyTo ?? parent.id) : null,
    author: principal.name,
    body,
    mentions: parseMentions(body),
    at: ports.now().toISOString(),
    editedAt: null,
    isDeleted: false,
    ...place,
    resolved: null,
  };
  noteEvent(ports, id, {
    event: { kind: 'commented', author: principal.name, commentId: comment.id },
    alsoKeep: () => ports.store.reviews.addComment(comment),
  });
  return readThread(ports, comment, context);
}

interface PlaceInput {
  record: ReviewRecord;
  rowKey: RowKey;
  column?: string;
}

/** What stands at a place now; a row that the branch removed is found where it still is. */
async function findPlace(
  ports: ReviewPorts,
  { record, rowKey, column }: PlaceInput,
  context: CallContext,
): Promise<Place> {
  const refs = await refsOf(ports, record, context);
  if (!refs)
    throw new AppError({
      code: 'GONE',
      message: `The rows of review ${record.id} are not there any more.`,
      hint: 'Comment on the review itself.',
    });
  const row = await readRow(ports, { record, ref: refs.from, rowKey, column }, context);
  const isElsewhere =
    row !== null || (await isOnAnyOf(ports, { record, rowKey }, [refs.base, refs.into], context));
  if (!isElsewhere)
    throw notFound(
      `A row with the key ${JSON.stringify(rowKey)}`,
      `It is neither on ${record.from.branch} nor on ${record.into.branch}.`,
    );
  return {
    rowKey,
    column: column ?? null,
    fromVersion: refs.from.version,
    seen: row && seeValue(row, column ?? null),
  };
}

async function isOnAnyOf(
  ports: ReviewPorts,
  place: PlaceInput,
  refs: readonly (PinnedRef | null)[],
  context: CallContext,
): Promise<boolean> {
  for (const ref of refs) if (ref && (await readRow(ports, { ...place, ref }, context))) return true;
  return false;
}

async function readRow(
  ports: ReviewPorts,
  { record, ref, rowKey, column }: PlaceInput & { ref: PinnedRef },
  context: CallContext,
): Promise<JsonRow | null> {
  const pinned = { table: record.table, ref };
  const facts = await ports.reader.describe(pinned, context);
  const key = keyColumnsOf(facts);
  if (key.length !== (Array.isArray(rowKey) ? rowKey.length : 1))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The key of ${record.table} has ${key.length} columns: ${facts.key.join(', ')}.`,
      hint: 'Send one value for each of them, as an array.',
    });
  const names = facts.columns.map(({ name }) => name);
  if (column !== undefined && !names.includes(column))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `${ref.branch} of ${record.table} has no column “${column}”.`,
      hint: didYouMean(column, names),
    });
  const columns = column === undefined ? commentedColumns(facts, null) : [column];
  const rows = await readRowsByKey(ports, { pinned, facts, keys: [rowKey], columns }, context).catch(
    (error: unknown) => {
      throw isAppError(error) && error.code.startsWith('SQL') ? badKey(rowKey, error) : error;
    },
  );
  return rows.get(keyText(rowKey)) ?? [...rows.values()][0] ?? null;
}

const badKey = (rowKey: RowKey, cause: AppError): AppError =>
  new AppError({
    code: 'BAD_REQUEST',
    message: `${JSON.stringify(rowKey)} can be no key of this table: ${cause.message}`,
    hint: cause.hint ?? 'Send the key as the rows of the table have it.',
    cause,
  });

function requireComment({ store }: ReviewPorts, reviewId: string, id: string): StoredComment {
  const comment = store.reviews.getComment(id);
  if (comment && comment.reviewId === reviewId && !comment.isDeleted) return comment;
  throw notFound('This comment', 'It may have been deleted; look at the review again.');
}

/** The whole thread that a comment is in, with how its place stands now. */
async function readThread(
  ports: ReviewPorts,
  comment: StoredComment,
  context: CallContext,
): Promise<Comment> {
  const all = ports.store.reviews.listComments(comment.reviewId);
  const first = all.find(({ id }) => id === (comment.replyTo ?? comment.id)) ?? comment;
  const record = requireReview(ports, comment.reviewId);
  const refs = await refsOf(ports, record, context);
  const since = refs
    ? await readSince(ports, { table: record.table, ref: refs.from, comments: [first] }, context).catch(
        (error: unknown) => {
          if (!isAppError(error) || context.signal.aborted) throw error;
          return sinceUnknown([first]);
        },
      )
    : sinceUnknown([first]);
  return toThread(first, all, since.get(first.id) ?? null);
}

interface PatchInput {
  id: string;
  comment: string;
  body?: string;
  isResolved?: boolean;
}

/** Changes one's own words; anybody who may review resolves a thread or opens it again. */
export async function patchComment(
  ports: ReviewPorts,
  { id, comment: commentId, body, isResolved }: PatchInput,
  { principal, ...context }: By,
): Promise<Comment> {
  requireReview(ports, id);
  const comment = requireComment(ports, id, commentId);
  const at = ports.now().toISOString();
  if (body !== undefined && body !== comment.body) {
    assertOwn(principal, comment.author, 'This comment');
    ports.store.reviews.putComment({ ...comment, body, mentions: parseMentions(body), editedAt: at });
  }
  if (isResolved !== undefined) resolve(ports, { comment, isResolved }, principal);
  return readThread(ports, comment, context);
}

function resolve(
  ports: ReviewPorts,
  { comment, isResolved }: { comment: StoredComment; isResolved: boolean },
  { name }: Principal,
): void {
  const first = requireFirst(ports, comment);
  if ((first.resolved !== null) === isResolved) return;
  const resolved = isResolved ? { by: name, at: ports.now().toISOString() } : null;
  noteEvent(ports, comment.reviewId, {
    event: { kind: isResolved ? 'resolved' : 'unresolved', author: name, commentId: first.id },
    alsoKeep: () => ports.store.reviews.putComment({ ...first, resolved }),
  });
}

const requireFirst = ({ store }: ReviewPorts, comment: StoredComment): StoredComment =>
  store.reviews.getComment(comment.replyTo ?? comment.id) ?? comment;

/** Deletes one's own words; a thread that has answers stays, with an empty place where they were. */
export function deleteComment(
  ports: ReviewPorts,
  { id, comment: commentId }: { id: string; comment: string },
  principal: Principal,
): void {
  requireReview(ports, id);
  const comment = requireComment(ports, id, commentId);
  assertOwn(principal, comment.author, 'This comment');
  const { reviews } = ports.store;
  reviews.atomically(() => {
    const all = reviews.listComments(id);
    const hasReplies = all.some(({ replyTo }) => replyTo === comment.id);
    if (hasReplies) reviews.putComment({ ...comment, body: '', mentions: [], isDeleted: true });
    else reviews.removeComment(comment.id);
    const first = all.find((other) => other.id === comment.replyTo);
    const isLast = all.filter(({ replyTo }) => replyTo === first?.id).length === 1;
    if (first?.isDeleted && isLast) reviews.removeComment(first.id);
  });
}
