import * as z from 'zod';
import { ColumnRole } from '../domain/columns.ts';
import { PinnedRef } from '../domain/ref.ts';
import { RowId, RowKey } from '../domain/selection.ts';
import { defineContract, json } from './contract-kit.ts';
import { BranchInfo, TableParams, TagInfo, VersionInfo } from './tables.ts';

/** A version in the graph of a table: what it did, and the versions that it came from. */
export const GraphVersion = VersionInfo.extend({
  /** The version before it, on its branch or where the branch was forked; null where history begins or was cleaned up. */
  parent: PinnedRef.nullable(),
  /** `mergedFrom` names a branch that is still there, not one that was deleted and perhaps made again. */
  isSourceThere: z.boolean(),
  /** What a restore went back to. */
  restoredTo: PinnedRef.nullable(),
  /** The edit that an undo took back. */
  undoes: z.string().nullable(),
  /** The review that merged it. */
  review: z.string().nullable(),
});
export type GraphVersion = z.infer<typeof GraphVersion>;

const Words = z.array(z.string().max(200)).min(1).max(200);

export const GraphBody = z.strictObject({
  /** Only these branches. */
  branches: Words.optional(),
  /** Only what these people did; an empty text stands for other programs. */
  authors: Words.optional(),
  kinds: Words.optional(),
  /** In messages, authors and names of merged branches; upper and lower case alike. */
  text: z.string().max(500).optional(),
  limit: z.number().int().positive().max(500).default(100),
  /** From the answer before. */
  cursor: z.string().max(1_000_000).optional(),
});
export type GraphBody = z.infer<typeof GraphBody>;

export const TableGraph = z.object({
  /** Of all branches together, newest first. */
  versions: z.array(GraphVersion),
  /** All branches, with where they were forked; on the first page only. */
  branches: z.array(BranchInfo),
  tags: z.array(TagInfo),
  /** For the next page; null when all was looked at. */
  cursor: z.string().nullable(),
  /** Versions that were looked at for this page, and the time of the oldest of them. */
  looked: z.object({ versions: z.number(), backTo: z.string().nullable() }),
});
export type TableGraph = z.infer<typeof TableGraph>;

/** A cell before and after a version. Values as `?format=json` prints them; blobs as kind and size. */
export const CellStep = z.object({
  column: z.string(),
  /** Its name before, where the version or a later one renamed it. */
  formerly: z.string().nullable(),
  type: z.string(),
  role: ColumnRole,
  /** False where the column was not there before. */
  hadColumn: z.boolean(),
  before: z.unknown(),
  after: z.unknown(),
  /** Texts longer than 20,000 characters and lists longer than 64 items come without their rest. */
  isCut: z.boolean(),
});
export type CellStep = z.infer<typeof CellStep>;

/** Where a row lay: with the ref, what the addresses of its pictures are made from. */
export const RowPlaceAt = z.object({ ref: PinnedRef, rowId: z.string() });
export type RowPlaceAt = z.infer<typeof RowPlaceAt>;

export const RowEvent = z.object({
  /** The version that did it. */
  ref: PinnedRef,
  change: z.enum(['added', 'modified', 'removed', 'unknown']),
  at: z.string().nullable(),
  author: z.string().nullable(),
  message: z.string().nullable(),
  kind: z.string(),
  editId: z.string().nullable(),
  review: z.string().nullable(),
  mergedFrom: PinnedRef.nullable(),
  before: RowPlaceAt.nullable(),
  after: RowPlaceAt.nullable(),
  cells: z.array(CellStep),
  /** Cells beyond the first 100. */
  moreCells: z.number(),
  /** For a merge: columns whose value is not the one of the merged branch, but was settled in the merge. */
  settled: z.array(z.string()),
  /** What a person should know: the branch is gone, the version before was cleaned up. */
  note: z.string().nullable(),
  /** For a merge: what was done to the row on the merged branch, newest first. */
  get origin() {
    return z.array(RowEvent);
  },
});
export type RowEvent = z.infer<typeof RowEvent>;

export const RowHistoryBody = z.strictObject({
  ref: z.string().default('main'),
  key: RowKey.optional(),
  rowId: RowId.optional(),
  /** Only what changed this cell. */
  column: z.string().max(500).optional(),
  limit: z.number().int().positive().max(100).default(20),
  /** From the answer before; the row and the ref are then those it was begun with. */
  cursor: z.string().max(10_000).optional(),
});
export type RowHistoryBody = z.infer<typeof RowHistoryBody>;

export const RowHistory = z.object({
  ref: PinnedRef,
  /** The row key, a list where it has several columns; null in a table without one. */
  key: z.unknown(),
  /** Whether the row is there at the ref. */
  isThere: z.boolean(),
  events: z.array(RowEvent),
  cursor: z.string().nullable(),
  /** The oldest version that this answer speaks for. */
  lookedBackTo: PinnedRef,
  /** Why it ends there: `begin` (all of it), `cleaned-up` (older versions are gone), `more` (ask on with the cursor). */
  end: z.enum(['begin', 'cleaned-up', 'more']),
});
export type RowHistory = z.infer<typeof RowHistory>;

export const historyApi = defineContract({
  tableGraph: {
    method: 'POST',
    path: '/api/v1/tables/:table/graph',
    summary: 'Versions of all branches with forks and merges, newest first',
    params: TableParams,
    body: GraphBody,
    reply: json(TableGraph),
  },
  rowHistory: {
    method: 'POST',
    path: '/api/v1/tables/:table/rows/history',
    summary: 'What was done to one row or one cell, when, by whom and in which review',
    params: TableParams,
    body: RowHistoryBody,
    reply: json(RowHistory),
  },
});
