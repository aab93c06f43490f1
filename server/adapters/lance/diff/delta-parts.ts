import type { DataType } from '../../../arrow/arrow.ts';
import type { TrustVersions } from './find-candidates.ts';
import type { IdPairs } from './id-lists.ts';
import type { Side } from './side.ts';
import type { ChangedFields } from './trust-versions.ts';

/** A column that both sides have. */
export interface SharedColumn {
  /** Its number in the comparison. */
  column: number;
  baseName: string;
  sideName: string;
  /** The type as which both are read, where they have two. */
  as: DataType | null;
}

export interface DeltaInput {
  base: Side;
  side: Side;
  /** Columns that are compared; the key is not among them. */
  columns: readonly SharedColumn[];
  /** The key columns, in their order; empty where rows are known by their ids only. */
  key: readonly SharedColumn[];
  trust: TrustVersions;
  /** Asked only where many rows would have to be read. */
  changedFields: ChangedFields;
  /** Row ids below it mean the same row on both sides; 0 where they say nothing. */
  sharedRowIds: number;
  signal: AbortSignal;
}

/** Rows that have no partner yet. */
export interface Loose {
  gone: Float64Array;
  come: Float64Array;
}

export interface Paired {
  pairs: IdPairs;
  rest: Loose;
}
