import * as z from 'zod';
import { ColumnShift } from '../domain/column-shift.ts';
import { ChangeMessage, EditOp, RowCounts } from '../domain/edits.ts';
import { EqualChange } from '../domain/equal-changes.ts';
import { PinnedRef } from '../domain/ref.ts';
import { RowId, RowKey } from '../domain/selection.ts';
import { arrow, defineContract, json } from './contract-kit.ts';
import { FormatQuery, TableParams } from './tables.ts';

export const ChangeKind = z.enum(['added', 'removed', 'modified']);
export type ChangeKind = z.infer<typeof ChangeKind>;

export const EditBody = z.strictObject({
  branch: z.string(),
  expectedVersion: z.number().int().optional(),
  message: ChangeMessage.optional(),
  ops: z.array(EditOp).min(1),
});

export const EditResult = z.object({ version: z.number(), changed: RowCounts, editId: z.string() });
export type EditResult = z.infer<typeof EditResult>;

export const DiffSummary = z.object({
  base: PinnedRef.nullable(),
  from: PinnedRef,
  into: PinnedRef,
  mode: z.enum(['three-way', 'two-way']),
  rows: z.object({ added: z.number(), removed: z.number(), modified: z.number() }),
  columns: z.object({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    /** Renamed or retyped: `before` and `after` as `name type`. */
    changed: z.array(z.object({ name: z.string(), before: z.string(), after: z.string() })),
    /** Facts of columns (role, description, …) that were set, changed or taken away (`null`). */
    facts: z.array(
      z.object({
        column: z.string(),
        fact: z.string(),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    ),
  }),
  /** Changed cells per column, among modified rows; only columns that have some. */
  cells: z.record(z.string(), z.number()),
  conflicts: z.object({ rows: z.number(), cells: z.number() }),
  mergeable: z.boolean(),
  /** Why it cannot be merged, in a sentence with the way out. */
  notices: z.array(z.string()),
});
export type DiffSummary = z.infer<typeof DiffSummary>;

export const DiffOverview = z.object({
  from: PinnedRef,
  into: PinnedRef,
  /** Per column with changed cells how its values moved, over these cells; only columns where that says something. */
  shifts: z.record(z.string(), ColumnShift),
  /** Changes that two rows and more share, largest first; the first 50. */
  groups: z.array(z.object({ change: EqualChange, rows: z.number() })),
  groupCount: z.number(),
  /** Columns with so many different changes that not all were told apart. */
  ungrouped: z.array(z.string()),
});
export type DiffOverview = z.infer<typeof DiffOverview>;

export const Side = z.enum(['from', 'into', 'base']);
export type Side = z.infer<typeof Side>;

/** How one conflict is settled; without `column` the whole row. `value` overrides `take`. */
export const MergeChoice = z.strictObject({
  key: RowKey,
  column: z.string().optional(),
  take: Side.optional(),
  value: z.unknown().optional(),
});
export type MergeChoice = z.infer<typeof MergeChoice>;

export const Conflict = z.object({
  key: z.unknown(),
  /** `cell`, or what happened to the row as a whole: `removed-modified` (from removed), `modified-removed` (into removed), `added-added`. */
  kind: z.enum(['cell', 'removed-modified', 'modified-removed', 'added-added']),
  column: z.string().nullable(),
  base: z.unknown(),
  from: z.unknown(),
  into: z.unknown(),
});
export type Conflict = z.infer<typeof Conflict>;

export const MergeResult = z.object({
  status: z.enum(['merged', 'conflicts', 'up-to-date', 'ready']),
  version: z.number().optional(),
  base: PinnedRef.nullable(),
  from: PinnedRef,
  into: PinnedRef,
  rows: RowCounts,
  columns: z.object({ added: z.array(z.string()) }),
  /** The first 100; `conflictCount` counts all. */
  conflicts: z.array(Conflict),
  conflictCount: z.number(),
  toBackfill: z.number(),
  editId: z.string().optional(),
});
export type MergeResult = z.infer<typeof MergeResult>;

const MergeOptions = {
  expected: z.strictObject({ from: z.number(), into: z.number() }).partial().optional(),
  take: z.enum(['from', 'into']).optional(),
  choices: z.array(MergeChoice).optional(),
  message: ChangeMessage.optional(),
  dryRun: z.boolean().optional(),
};

export const MergeBody = z.strictObject({
  from: z.string(),
  into: z.string().default('main'),
  ...MergeOptions,
});
export type MergeBody = z.infer<typeof MergeBody>;

export const DiffBody = z.strictObject({
  from: z.string(),
  into: z.string().default('main'),
  base: z.string().optional(),
});

export const DiffRowsBody = z.strictObject({
  from: z.string(),
  into: z.string().default('main'),
  base: z.string().optional(),
  change: z.array(ChangeKind).optional(),
  column: z.string().optional(),
  conflictsOnly: z.boolean().optional(),
  where: z.string().optional(),
  /** Only the changes of these rows. */
  keys: z.array(RowKey).max(10_000).optional(),
  /** Only rows in which a column changed alike. */
  equal: EqualChange.optional(),
  offset: z.number().int().nonnegative().optional(),
  limit: z.number().int().nonnegative().max(10_000).optional(),
});
export type DiffRowsBody = z.infer<typeof DiffRowsBody>;

export const editsApi = defineContract({
  edit: {
    method: 'POST',
    path: '/api/v1/tables/:table/edits',
    summary: 'Changes rows or columns of a branch as one step',
    params: TableParams,
    body: EditBody,
    reply: json(EditResult),
  },
  undo: {
    method: 'POST',
    path: '/api/v1/tables/:table/undo',
    summary: 'Takes an edit back by its inverse (the last one unless named)',
    params: TableParams,
    body: z.strictObject({ branch: z.string(), editId: z.string().optional() }),
    reply: json(EditResult),
  },
  diff: {
    method: 'POST',
    path: '/api/v1/tables/:table/diff',
    summary: 'What from changed since the base, in numbers',
    params: TableParams,
    body: DiffBody,
    reply: json(DiffSummary),
  },
  diffOverview: {
    method: 'POST',
    path: '/api/v1/tables/:table/diff/overview',
    summary: 'How the values of changed columns moved, and which changes are equal, over all changes',
    params: TableParams,
    body: DiffBody,
    reply: json(DiffOverview),
  },
  diffRows: {
    method: 'POST',
    path: '/api/v1/tables/:table/diff/rows',
    summary: 'The changed rows with old and new cells',
    params: TableParams,
    query: FormatQuery,
    body: DiffRowsBody,
    reply: arrow,
  },
  merge: {
    method: 'POST',
    path: '/api/v1/tables/:table/merge',
    summary: 'Brings the changes of from onto into',
    params: TableParams,
    body: MergeBody,
    reply: json(MergeResult),
  },
  rebase: {
    method: 'POST',
    path: '/api/v1/tables/:table/rebase',
    summary: 'Brings the changes of onto onto a branch',
    params: TableParams,
    body: z.strictObject({ branch: z.string(), onto: z.string().default('main'), ...MergeOptions }),
    reply: json(MergeResult),
  },
  cherryPick: {
    method: 'POST',
    path: '/api/v1/tables/:table/cherry-pick',
    summary: 'Brings chosen rows, columns or versions',
    params: TableParams,
    body: z.strictObject({
      from: z.string(),
      into: z.string(),
      /** Row ids of `from`. */
      rowIds: z.array(RowId).optional(),
      /** Keys of rows that `from` changed, also of those that it removed. */
      keys: z.array(RowKey).optional(),
      columns: z.array(z.string()).optional(),
      versions: z.array(z.number().int()).optional(),
      ...MergeOptions,
    }),
    reply: json(MergeResult),
  },
  revert: {
    method: 'POST',
    path: '/api/v1/tables/:table/revert',
    summary: 'Undoes versions by their inverse',
    params: TableParams,
    body: z.strictObject({ branch: z.string(), versions: z.array(z.number().int()).min(1), ...MergeOptions }),
    reply: json(MergeResult),
  },
  restore: {
    method: 'POST',
    path: '/api/v1/tables/:table/restore',
    summary: 'Makes a branch as it was at a ref, as a new version',
    params: TableParams,
    body: z.strictObject({ branch: z.string(), ref: z.string(), message: ChangeMessage.optional() }),
    reply: json(EditResult),
  },
});
