import { createHash } from 'node:crypto';
import { formatRef } from '#shared/domain/ref.ts';
import type { ResolvedRef } from '../usecases/resolve-ref.ts';

/** Names an answer over a pinned ref for ever; undefined where the request named a branch or tag, which move. */
export function immutableTag(
  { isPinned, uuid, branchCreatedAt, ref }: ResolvedRef,
  input: unknown,
): string | undefined {
  if (!isPinned) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([uuid, branchCreatedAt, formatRef(ref), input]))
    .digest('hex')
    .slice(0, 32);
}
