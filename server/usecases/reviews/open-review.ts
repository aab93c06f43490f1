import { randomUUID } from 'node:crypto';
import { AppError } from '#shared/api/problem.ts';
import type { OpenReviewBody, Review } from '#shared/api/reviews.ts';
import { parseRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ReviewRecord } from '../../ports/review-store.ts';
import { mayEditReview } from '../authorize.ts';
import { type ResolvedRef, resolveRef } from '../resolve-ref.ts';
import { getReview } from './get-review.ts';
import { noteEvent } from './note-event.ts';
import { type By, type ReviewPorts, requireReview } from './review-ports.ts';
import { rulesOf } from './rules-of-table.ts';

/** The head of a branch; versions and tags do not move, so nothing can be asked of them. */
async function resolveBranch(
  ports: ReviewPorts,
  { table, text, what }: { table: string; text: string; what: string },
  context: CallContext,
): Promise<ResolvedRef> {
  const ref = parseRef(text);
  if (ref.kind !== 'branch' || ref.version !== undefined)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `A review is ${what} a branch, and ${text} is ${ref.kind === 'tag' ? 'a tag' : 'one version'}.`,
      hint: 'Name the branch alone, or make a branch there first.',
    });
  return resolveRef(ports, table, text, context);
}

/**
 * Asks for a branch to be merged. A branch that changed nothing yet may be offered: its review says so. EXISTS when
 * there is an open one for the same two branches, UNSUPPORTED for tables that cannot be merged.
 */
export async function openReview(
  ports: ReviewPorts,
  { table, from: fromText, into: intoText, title, description, reviewers }: OpenReviewBody,
  { principal, ...context }: By,
): Promise<Review> {
  const into = await resolveBranch(ports, { table, text: intoText, what: 'into' }, context);
  const from = await resolveBranch(ports, { table, text: fromText, what: 'of' }, context);
  const { uuid } = into;
  const named = { from: from.ref.branch, into: into.ref.branch };
  if (named.from === named.into)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `A branch cannot be merged into itself: both are ${named.from}.`,
      hint: 'Name the branch that has the changes as “from”, and the one that is to get them as “into”.',
    });
  const { key, notices } = await ports.reader.describe(from.pinned, context);
  if (key.length === 0)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `${table} has no row key, so its branches cannot be merged or reviewed.`,
      hint: notices[0] ?? 'Declare the key in the table’s settings.',
    });
  const at = ports.now().toISOString();
  const record: Omit<ReviewRecord, 'id'> = {
    table,
    tableUuid: uuid,
    from: { branch: named.from, createdAt: from.branchCreatedAt },
    into: { branch: named.into, createdAt: into.branchCreatedAt },
    title,
    description,
    author: principal.name,
    reviewers: distinct(reviewers ?? rulesOf(ports, uuid).reviewers),
    state: 'open',
    createdAt: at,
    updatedAt: at,
    openedAtVersion: from.ref.version,
    ended: null,
    refs: null,
    merged: null,
    changes: null,
    hasPins: false,
  };
  const id = ports.store.reviews.atomically(() => {
    assertNoneOpen(ports, record);
    const given = ports.store.reviews.add(record);
    ports.store.reviews.addEvent(given, {
      id: randomUUID(),
      at,
      author: principal.name,
      kind: 'opened',
      version: from.ref.version,
    });
    return given;
  });
  return getReview(ports, { id }, { principal, ...context });
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)];

/** At most one open review asks for the same merge. */
export function assertNoneOpen(
  { store }: Pick<ReviewPorts, 'store'>,
  { tableUuid, from, into }: Pick<ReviewRecord, 'tableUuid' | 'from' | 'into'>,
): void {
  const other = store.reviews
    .list({ state: 'open', tableUuid, branch: from.branch })
    .find(
      (review) =>
        review.from.branch === from.branch &&
        review.from.createdAt === from.createdAt &&
        review.into.branch === into.branch &&
        review.into.createdAt === into.createdAt,
    );
  if (!other) return;
  throw new AppError({
    code: 'EXISTS',
    message: `Review ${other.id}, “${other.title}”, asks for ${from.branch} to be merged into ${into.branch} already.`,
    hint: `Go on there (/reviews/${other.id}), or close it first.`,
  });
}

/** Changes what a review says of itself; for its author and for maintainers. */
export async function patchReview(
  ports: ReviewPorts,
  {
    id,
    title,
    description,
    reviewers,
  }: { id: string; title?: string; description?: string; reviewers?: string[] },
  { principal, ...context }: By,
): Promise<Review> {
  const record = requireReview(ports, id);
  if (!mayEditReview(principal, record.author))
    throw new AppError({
      code: 'FORBIDDEN',
      message: `Review ${id} is ${record.author}’s; ${principal.name} may not change it.`,
    });
  const isTextChanged =
    (title ?? record.title) !== record.title || (description ?? record.description) !== record.description;
  const asked = reviewers && distinct(reviewers);
  const author = principal.name;
  if (isTextChanged)
    noteEvent(ports, id, {
      patch: { title: title ?? record.title, description: description ?? record.description },
      event: {
        kind: 'edited',
        author,
        ...(title === undefined || title === record.title ? {} : { body: title }),
      },
    });
  if (asked && asked.join('\n') !== record.reviewers.join('\n'))
    noteEvent(ports, id, {
      patch: { reviewers: asked },
      event: { kind: 'reviewers', author, names: asked },
    });
  return getReview(ports, { id }, { principal, ...context });
}
