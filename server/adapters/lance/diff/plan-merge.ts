import { AppError } from '#shared/api/problem.ts';
import { rowChange } from '#shared/domain/diff.ts';
import { mergeRows, rowFate } from '#shared/domain/merge-rows.ts';
import type { CallContext } from '../../../ports/call.ts';
import type { MergePlan, MergePlanInput } from '../../../ports/table-diff.ts';
import { buildChangeset } from './build-changeset.ts';
import { planColumnSteps } from './column-steps.ts';
import type { Comparison } from './comparison.ts';
import { listConflicts } from './list-conflicts.ts';
import { restrictTo } from './restrict.ts';
import { readChoices } from './settle.ts';
import { obstaclesOf } from './summarize.ts';

const maxListed = 100;

const nothing: MergePlan = {
  status: 'up-to-date',
  rows: { inserted: 0, updated: 0, deleted: 0 },
  addedColumns: [],
  conflicts: [],
  conflictCount: 0,
  toBackfill: 0,
  changeset: null,
};

/** What has to be written to `into` so that it holds the changes of `from` too, or what has to be settled first. */
export async function planMerge(
  whole: Comparison,
  input: Pick<MergePlanInput, 'take' | 'choices' | 'only' | 'byRowId' | 'dryRun'>,
  { signal }: CallContext,
): Promise<MergePlan> {
  const { disputes } = whole;
  assertMergeable(whole, input.byRowId ?? false);
  const scope = await restrictTo(whole, input.only, signal);
  const { comparison } = scope;
  const settled = readChoices(scope, input.choices ?? []);
  const columns = planColumnSteps(scope, settled, input.take ?? null);
  const merged = mergeRows({
    three: comparison.three,
    conflicts: comparison.conflicts,
    isMerged: (column) => columns.finalName(column) !== null,
    take: input.take ?? null,
    settlements: settled.settlements,
    order: scope.ordered.order,
  });
  if (merged.openCount + columns.open.length > 0) {
    const listed = { disputes: columns.open.slice(0, maxListed), cells: merged.open };
    const conflicts = await listConflicts(scope, listed, signal);
    return {
      ...nothing,
      status: 'conflicts',
      rows: merged.counts,
      addedColumns: columns.added.map((column) => columns.finalName(column)!),
      conflicts: conflicts.slice(0, maxListed),
      conflictCount: merged.openCount + columns.open.length,
    };
  }
  const hasSettled = comparison.conflicts.rows > 0 || (scope.mergesSchema && disputes.length > 0);
  const writesRows = merged.fates.some((fate) => fate !== rowFate.none);
  if (!writesRows && !columns.changesSchema && !hasSettled) return nothing;
  const ready = {
    ...nothing,
    status: 'ready' as const,
    rows: merged.counts,
    addedColumns: columns.added.map((column) => columns.finalName(column)!),
    toBackfill: columns.added.length === 0 ? 0 : countMissing(comparison, merged.fates),
  };
  if (input.dryRun) return ready;
  const changeset = await buildChangeset({ scope, columns, merged, settled }, signal);
  return { ...ready, changeset };
}

function assertMergeable(comparison: Comparison, byRowId: boolean): void {
  const isById = byRowId && comparison.noKey !== null && comparison.hasSharedIds;
  const obstacles = isById ? comparison.obstacles : obstaclesOf(comparison);
  const [first] = obstacles;
  if (first === undefined) return;
  throw new AppError({
    code: 'UNSUPPORTED',
    message: `These branches cannot be merged. ${first}`,
    hint: 'They can still be compared.',
    issues: obstacles.map((message) => ({ path: '', message })),
  });
}

/** Rows of the merged table that `from` does not have, so that they are empty in columns that it added. */
function countMissing({ three, intoDelta }: Comparison, fates: Uint8Array): number {
  let missing = intoDelta.added.length;
  for (let row = 0; row < three.count; row++) {
    if (three.from[row] === rowChange.added && three.into[row] === rowChange.added) missing -= 1;
    const isKept = three.from[row] === rowChange.removed && three.into[row] !== rowChange.removed;
    if (isKept && fates[row] !== rowFate.delete) missing += 1;
  }
  return missing;
}
