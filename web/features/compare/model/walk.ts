import type { Change } from './change.ts';

export interface WalkOptions {
  by: 1 | -1;
  isConflictsOnly?: boolean;
}

/** The place to go to from `at`; `at` itself at either end, -1 where there is nothing. Conflicts go round. */
export function planWalk(
  changes: readonly Pick<Change, 'conflictKind'>[],
  at: number,
  { by, isConflictsOnly = false }: WalkOptions,
): number {
  const count = changes.length;
  if (count === 0) return -1;
  if (!isConflictsOnly) return Math.max(0, Math.min(count - 1, at + by));
  for (let step = 1; step <= count; step += 1) {
    const next = (((at + by * step) % count) + count) % count;
    if (changes[next]?.conflictKind) return next;
  }
  return at;
}
