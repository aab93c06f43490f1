import type { CellStep } from '#shared/api/history.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import type { CallContext } from './call.ts';

/** A row at one version, by what Lance keeps about it. */
export interface RowStamp {
  rowId: string;
  /** The versions that created it and last wrote it; they lie on the line of branches that the version is on. */
  createdAt: number;
  lastUpdated: number;
}

/** A column through renames: by its field id, else by its name. */
export interface TracedColumn {
  name: string;
  id: number;
}

export interface RowStepInput {
  table: string;
  /** `null`: only the row at `after`. */
  before: PinnedRef | null;
  after: PinnedRef;
  row: { rowId: string } | { key: RowKey };
  /** Only the cells of this column. */
  column?: TracedColumn;
  /** `before` lies on the line that `after` came from, so that row ids mean the same rows. */
  isOneLine: boolean;
}

export interface RowStep {
  before: RowStamp | null;
  after: RowStamp | null;
  /** The key of the row, `null` in tables without one. */
  key: RowKey | null;
  /** The key is given once and never again. */
  isHiddenKey: boolean;
  hasStableRowIds: boolean;
  /** Field ids of the columns at `after`. */
  fieldIds: Record<string, number>;
  /** Cells that differ; all of a row that is on one side only. */
  cells: CellStep[];
  moreCells: number;
}

/** One row from version to version. Cost is that of reading the row, with an index on the key or its id. */
export interface RowTrace {
  /** GONE when a version is not stored any more. */
  rowStep(input: RowStepInput, context: CallContext): Promise<RowStep>;
  /** Which of the versions of a branch were made by going back to an earlier one; those not stored are left out. `incarnation` tells the branch of the table from others that had their names. */
  restores(
    input: { table: string; branch: string; incarnation: string; versions: number[] },
    context: CallContext,
  ): Promise<{ versions: number[] }>;
}
