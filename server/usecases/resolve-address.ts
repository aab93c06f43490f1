import { incarnationOf } from '../incarnation.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { type ResolvedRef, resolveRef } from './resolve-ref.ts';

interface Kept {
  resolved: ResolvedRef;
  untilMs: number;
}

/** A screen of media is asked for within this. */
const keptMs = 1_000;
const maxKept = 500;
const byOwner = new WeakMap<object, Map<string, Kept>>();

/**
 * Resolves the ref of an address of media. One that names a version and the incarnation of its branch cannot come to
 * mean anything else, so it is resolved once a second: the trash, too, is heard of so late. Errors as for `resolveRef`.
 */
export async function resolveAddress(
  ports: Ports,
  { table, ref, of }: { table: string; ref: string; of?: string },
  context: CallContext,
): Promise<ResolvedRef> {
  if (of === undefined) return resolveRef(ports, table, ref, context);
  const kept = byOwner.get(ports) ?? new Map<string, Kept>();
  byOwner.set(ports, kept);
  const key = [table, of, ref].join('\0');
  const now = performance.now();
  const found = kept.get(key);
  if (found && found.untilMs > now) return found.resolved;
  kept.delete(key);
  const resolved = await resolveRef(ports, table, ref, context);
  if (resolved.isPinned && incarnationOf(resolved.uuid, resolved.branchCreatedAt) === of) {
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, { resolved, untilMs: now + keptMs });
  }
  return resolved;
}
