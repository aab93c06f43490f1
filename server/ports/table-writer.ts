import type { AnnotationFact } from '#shared/domain/annotations/layout.ts';
import type { ColumnRole } from '#shared/domain/columns.ts';
import type { EditOp, RowCounts } from '#shared/domain/edits.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from './call.ts';

export interface ColumnFactsPatch {
  role?: ColumnRole | null;
  description?: string;
  tags?: string[];
  hidden?: boolean;
  annotations?: AnnotationFact | null;
}

/**
 * Rows and columns to change on a branch, free of how Lance does it. Rows are whole Arrow IPC files, sorted by key.
 * In a table without a key, `_rowid` (uint64, at the head) stands for the key columns of updates and deletes.
 * Columns are named as they are after the renames.
 */
export interface Changeset {
  /** Arrow schema (IPC file without batches) of columns to add, all null at first. */
  addColumns: Uint8Array | null;
  dropColumns: string[];
  renameColumns: { name: string; to: string }[];
  /** Arrow schema (IPC file without batches) of columns that get another type, by their names after the renames; cells are cast. */
  retypeColumns?: Uint8Array | null;
  /** Entries of columns' field metadata to set; `null` takes one away. */
  setFacts?: Record<string, Record<string, string | null>>;
  /** Key columns and the columns that change (files may differ in them); rows that exist. At most 100,000 rows each. */
  updates: Uint8Array[];
  /** All columns; keys that do not exist. */
  inserts: Uint8Array[];
  /** Key columns only. */
  deletes: Uint8Array | null;
}

export interface Applied {
  version: number;
  changed: RowCounts;
  /** The version that it came on top of, where others added rows after the head that it was planned against. */
  onto?: number;
}

export interface PlanEditInput {
  table: string;
  head: PinnedRef;
  ops: EditOp[];
  /** The least hidden key that no branch has used; inserts count on from it or from the branch's own, whichever is more. */
  nextKey?: string;
}

export interface EditPlan {
  changeset: Changeset;
  changed: RowCounts;
  /** Set when hidden keys were given out: the next one that is free. */
  nextKey: string | null;
}

export interface Settled extends Applied {
  state: 'untouched' | 'finished';
}

/** Writes to a branch's head. Callers hold the table's turn (`usecases/table-turns.ts`). */
export interface TableWriter {
  createBranch(input: { table: string; name: string; from: PinnedRef }, context: CallContext): Promise<void>;
  deleteBranch(input: { table: string; name: string }, context: CallContext): Promise<void>;
  createTag(input: { table: string; name: string; ref: PinnedRef }, context: CallContext): Promise<void>;
  deleteTag(input: { table: string; name: string }, context: CallContext): Promise<void>;
  createIndex(
    input: { table: string; branch: string; column: string; kind: string },
    context: CallContext,
  ): Promise<void>;
  dropIndex(input: { table: string; branch: string; index: string }, context: CallContext): Promise<void>;
  setFacts(
    input: {
      table: string;
      branch: string;
      key?: string[];
      description?: string;
      /** As `formatChecks` writes them; empty: none. */
      checks?: string;
      columns?: Record<string, ColumnFactsPatch>;
    },
    context: CallContext,
  ): Promise<{ version: number }>;
  /**
   * Turns the operations, in order, into one changeset against `head`; nothing is written. Filters and expressions in
   * `ops` are in Lance's dialect already, parsed and printed by `shared/sql`.
   */
  planEdit(input: PlanEditInput, context: CallContext): Promise<EditPlan>;
  /** How many Lance versions a changeset needs: more than one must run inside a journal group. */
  countSteps(
    input: { table: string; head: PinnedRef; changeset: Changeset },
    context: CallContext,
  ): Promise<{ steps: number }>;
  /**
   * HEAD_MOVED when the branch is no longer at `head`, but for rows added since (`isExact`: for whatever reason); then
   * nothing was written.
   */
  apply(
    input: { table: string; head: PinnedRef; changeset: Changeset; isExact?: boolean },
    context: CallContext,
  ): Promise<Applied>;
  /**
   * After a crash in `apply`: finishes what was begun at `head`, keeping what others committed to the same cells since.
   * `untouched`: none of it had landed or it was taken back, and none is there now. Doing it again changes nothing. Without a changeset the work was
   * one Lance version, which is there or not.
   */
  settle(
    input: { table: string; head: PinnedRef; changeset: Changeset | null },
    context: CallContext,
  ): Promise<Settled>;
  /** Makes `branch` as an earlier version of its own, as one new version; `changed` is for the caller to count. */
  restore(input: { table: string; branch: string; ref: PinnedRef }, context: CallContext): Promise<Applied>;
  /** Removes what crashes left in the tables: a newest manifest that was never filled, scraps of data. At the start only. */
  mend(input: Record<string, never>, context: CallContext): Promise<{ removed: string[] }>;
}
