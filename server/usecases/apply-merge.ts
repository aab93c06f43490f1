import { randomUUID } from 'node:crypto';
import type { MergeChoice, MergeResult } from '#shared/api/edits.ts';
import { AppError, isAppError } from '#shared/api/problem.ts';
import { type PinnedRef, parseRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { MergePlan } from '../ports/table-diff.ts';
import { applyChangeset, type ChangeNote, isEmptyChangeset, toTarget } from './apply-changeset.ts';
import type { ResolvedRef } from './resolve-ref.ts';
import { withTableTurn } from './table-turns.ts';

export type MergePorts = Pick<Ports, 'reader' | 'writer' | 'diff' | 'store' | 'now'>;

/** What every way of merging takes. */
export interface MergeOptions {
  /** HEAD_MOVED unless the refs stand at these versions. */
  expected?: { from?: number; into?: number };
  /** Settles all conflicts that no choice settles. */
  take?: 'from' | 'into';
  choices?: MergeChoice[];
  message?: string;
  dryRun?: boolean;
  author: string;
}

/** A merge that was planned against pinned refs. */
export interface Planned {
  base: PinnedRef | null;
  from: ResolvedRef;
  into: ResolvedRef;
  plan: MergePlan;
  note: ChangeNote;
}

const tries = 4;

/**
 * Plans and applies in one turn of the table. When another program moves the head between the two, it is planned anew,
 * unless the caller said which heads it expects. A dry run takes no turn.
 */
export async function runMerge(
  ports: MergePorts,
  table: string,
  { options, plan: makePlan }: { options: MergeOptions; plan(): Promise<Planned> },
  context: CallContext,
): Promise<MergeResult> {
  if (options.dryRun) return resultOf(await makePlan());
  return withTableTurn(table, context.signal, async () => {
    for (let attempt = 1; ; attempt++) {
      const planned = await makePlan();
      if (planned.plan.status !== 'ready') return resultOf(planned);
      try {
        return await applyMerge(
          ports,
          { ...planned, isExact: options.expected?.into !== undefined },
          context,
        );
      } catch (error) {
        const isMoved = isAppError(error) && error.code === 'HEAD_MOVED';
        if (!isMoved || options.expected?.into !== undefined || attempt === tries) throw error;
      }
    }
  });
}

/** Rows go to the head of a branch only, and not to a tag that happens to be there. */
export function assertHead({ ref, isHead, heads }: ResolvedRef, text: string): void {
  if (isHead && parseRef(text).kind === 'branch') return;
  const head = heads.branches.find(({ name }) => name === ref.branch);
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `${text} is not the newest version of a branch, so nothing can be merged into it.`,
    hint: `Merge into ${ref.branch}${head ? `, which is at version ${head.version}` : ''}, or make a branch at that version.`,
  });
}

/** HEAD_MOVED unless the refs stand where the caller saw them. */
export function assertExpected({ expected }: MergeOptions, from: ResolvedRef, into: ResolvedRef): void {
  for (const [wanted, { ref }] of [
    [expected?.from, from],
    [expected?.into, into],
  ] as const) {
    if (wanted === undefined || wanted === ref.version) continue;
    throw new AppError({
      code: 'HEAD_MOVED',
      message: `${ref.branch} is at version ${ref.version} by now, not at ${wanted}.`,
      hint: 'Look at what changed, then merge again.',
    });
  }
}

/** What a merge says that writes nothing or has not been written. */
function resultOf({ base, from, into, plan }: Planned): MergeResult {
  const { status, rows, addedColumns, conflicts, conflictCount, toBackfill } = plan;
  return {
    status,
    base,
    from: from.ref,
    into: into.ref,
    rows,
    columns: { added: addedColumns },
    conflicts,
    conflictCount,
    toBackfill,
  };
}

async function applyMerge(
  ports: MergePorts,
  planned: Planned & { isExact: boolean },
  context: CallContext,
): Promise<MergeResult> {
  const { into, plan, note, isExact } = planned;
  const result: MergeResult = { ...resultOf(planned), status: 'merged' };
  const target = { ...toTarget(into), isExact };
  if (plan.changeset && !isEmptyChangeset(plan.changeset)) {
    const applied = await applyChangeset(
      ports,
      { target, changeset: plan.changeset, note: { ...note, planned: plan.rows } },
      context,
    );
    return { ...result, version: applied.version, editId: applied.editId };
  }
  if (note.mergedFrom) recordChoices(ports, planned);
  return { ...result, version: into.ref.version };
}

/** All conflicts were settled for what `into` has: nothing is written or can be undone, but the next merge must know. */
function recordChoices({ store, now }: Pick<Ports, 'store' | 'now'>, { into, note }: Planned): void {
  store.addEdit({
    id: randomUUID(),
    tableUuid: into.uuid,
    branch: into.ref.branch,
    branchCreatedAt: into.branchCreatedAt,
    kind: note.kind,
    fromVersion: into.ref.version,
    toVersion: into.ref.version,
    author: note.author,
    message: note.message,
    changed: { inserted: 0, updated: 0, deleted: 0 },
    at: now().toISOString(),
    undoes: null,
    mergedFrom: note.mergedFrom ?? null,
    mergeBase: note.mergeBase ?? null,
    detail: note.detail ?? null,
  });
}
