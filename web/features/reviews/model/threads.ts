import type { Comment, Reply } from '#shared/api/review-parts.ts';
import type { CommentBody } from '#shared/api/reviews.ts';

const pendingPrefix = 'pending-';

/** A comment that was sent and not yet confirmed. */
export const isPending = ({ id }: Pick<Comment, 'id'>): boolean => id.startsWith(pendingPrefix);

export interface Pending {
  body: CommentBody;
  author: string;
  at: string;
  id: number;
}

/** The threads with a comment that is on its way. */
export function planPending(threads: readonly Comment[], { body, author, at, id }: Pending): Comment[] {
  const said: Reply = {
    id: `${pendingPrefix}${id}`,
    author,
    body: body.body,
    mentions: [],
    at,
    editedAt: null,
    isDeleted: false,
  };
  if (body.replyTo !== undefined)
    return threads.map((thread) =>
      thread.id === body.replyTo ? { ...thread, replies: [...thread.replies, said] } : thread,
    );
  return [
    ...threads,
    {
      ...said,
      rowKey: body.rowKey ?? null,
      column: body.column ?? null,
      fromVersion: null,
      resolved: null,
      replies: [],
      since: null,
    },
  ];
}

/** The threads with one of them as the server has it now. */
export const planReplaced = (threads: readonly Comment[], thread: Comment): Comment[] =>
  threads.some(({ id }) => id === thread.id)
    ? threads.map((one) => (one.id === thread.id ? thread : one))
    : [...threads.filter((one) => !isPending(one)), thread];

/** The threads with a comment or reply saying something else. */
export const planReworded = (threads: readonly Comment[], id: string, body: string): Comment[] =>
  threads.map((thread) =>
    thread.id === id
      ? { ...thread, body }
      : { ...thread, replies: thread.replies.map((reply) => (reply.id === id ? { ...reply, body } : reply)) },
  );

/** The threads without a comment or reply; one that was answered leaves its place. */
export const planDeleted = (threads: readonly Comment[], id: string): Comment[] =>
  threads
    .filter((thread) => thread.id !== id || thread.replies.length > 0)
    .map((thread) =>
      thread.id === id
        ? { ...thread, body: '', isDeleted: true }
        : { ...thread, replies: thread.replies.filter((reply) => reply.id !== id) },
    );

export const planResolved = (
  threads: readonly Comment[],
  id: string,
  resolved: Comment['resolved'],
): Comment[] => threads.map((thread) => (thread.id === id ? { ...thread, resolved } : thread));

export const countUnresolved = (threads: readonly Comment[]): number =>
  threads.filter(({ resolved, isDeleted, replies }) => !resolved && !(isDeleted && replies.length === 0))
    .length;
