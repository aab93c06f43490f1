import type { EditOp, RowCounts } from '#shared/domain/edits.ts';
import type { ColumnRole } from '#shared/domain/columns.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from './call.ts';

export interface ColumnFactsPatch {
  role?: ColumnRole | null;
  description?: string;
  tags?: string[];
  hidden?: boolean;
}

/** Rows and columns to change on a branch, free of how Lance does it. Rows are whole Arrow IPC files, sorted by key. */
export interface Changeset {
  /** Arrow schema (IPC file without batches) of columns to add, all null at first. */
  addColumns: Uint8Array | null;
  dropColumns: string[];
  renameColumns: { name: string; to: string }[];
  /** Key columns and the columns that change; rows that exist. Each file at most 100,000 rows. */
  updates: Uint8Array[];
  /** All columns; keys that do not exist. */
  inserts: Uint8Array[];
  /** Key columns only. */
  deletes: Uint8Array | null;
}

export interface Applied {
  version: number;
  changed: RowCounts;
}

/** Writes to a branch's head. Callers hold the table's turn (`usecases/table-turns.ts`). */
export interface TableWriter {
  createBranch(input: { table: string; name: string; from: PinnedRef }, context: CallContext): Promise<void>;
  deleteBranch(input: { table: string; name: string }, context: CallContext): Promise<void>;
  createTag(input: { table: string; name: string; ref: PinnedRef }, context: CallContext): Promise<void>;
  deleteTag(input: { table: string; name: string }, context: CallContext): Promise<void>;
  createIndex(input: { table: string; branch: string; column: string; kind: string }, context: CallContext): Promise<void>;
  dropIndex(input: { table: string; branch: string; index: string }, context: CallContext): Promise<void>;
  setFacts(
    input: { table: string; branch: string; key?: string[]; description?: string; columns?: Record<string, ColumnFactsPatch> },
    context: CallContext,
  ): Promise<{ version: number }>;
  /** Turns the operations into one changeset against the head `expected`; nothing is written. */
  planEdit(input: { table: string; head: PinnedRef; ops: EditOp[] }, context: CallContext): Promise<{ changeset: Changeset; changed: RowCounts }>;
  /** How many Lance versions a changeset needs: more than one must run inside a journal group. */
  countSteps(input: { table: string; head: PinnedRef; changeset: Changeset }, context: CallContext): Promise<{ steps: number }>;
  /** HEAD_MOVED when the branch is no longer at `head`. */
  apply(input: { table: string; head: PinnedRef; changeset: Changeset }, context: CallContext): Promise<Applied>;
  /** Makes `branch` as `ref` of the same table, as one new version. */
  restore(input: { table: string; branch: string; ref: PinnedRef }, context: CallContext): Promise<Applied>;
}
