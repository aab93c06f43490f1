import type { ChangeKind, Conflict, DiffOverview, DiffSummary, MergeChoice } from '#shared/api/edits.ts';
import type { RowCounts } from '#shared/domain/edits.ts';
import type { EqualChange } from '#shared/domain/equal-changes.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { RowId, RowKey } from '#shared/domain/selection.ts';
import type { ByteStream, CallContext } from './call.ts';
import type { Changeset } from './table-writer.ts';

export interface DiffInput {
  table: string;
  /** `null`: the refs have no common base, or none is wanted; then `into` stands for it (two-way). */
  base: PinnedRef | null;
  from: PinnedRef;
  into: PinnedRef;
}

export interface MergePlanInput extends DiffInput {
  take?: 'from' | 'into';
  choices?: MergeChoice[];
  /** Cherry-pick: only these rows of `from`, only these columns. */
  only?: { rowIds?: RowId[]; keys?: RowKey[]; columns?: string[] };
  /**
   * In a table without a key, match rows by their stable ids: for taking back a change of a branch on that branch, where
   * ids mean the same rows. UNSUPPORTED where the table has no stable ids.
   */
  byRowId?: boolean;
  /** Only say what would happen: a plan that is ready comes without its changeset. */
  dryRun?: boolean;
}

export interface MergePlan {
  status: 'conflicts' | 'up-to-date' | 'ready';
  rows: RowCounts;
  addedColumns: string[];
  conflicts: Conflict[];
  conflictCount: number;
  toBackfill: number;
  /** Present when `ready`, but for a dry run; empty when all conflicts were settled for what `into` has. */
  changeset: Changeset | null;
}

/** Three-way comparison of pinned refs. Cost grows with what changed, not with the table. */
export interface TableDiff {
  summarize(input: DiffInput, context: CallContext): Promise<DiffSummary>;
  /** How the values of changed columns moved, and which changes are equal, over all changed cells. */
  overview(input: DiffInput, context: CallContext): Promise<DiffOverview>;
  rows(
    input: DiffInput & {
      change?: ChangeKind[];
      column?: string;
      conflictsOnly?: boolean;
      where?: string;
      keys?: RowKey[];
      equal?: EqualChange;
      offset?: number;
      limit?: number;
    },
    context: CallContext,
  ): Promise<ByteStream>;
  planMerge(input: MergePlanInput, context: CallContext): Promise<MergePlan>;
}
