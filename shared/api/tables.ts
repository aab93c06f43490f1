import * as z from 'zod';
import { AnnotationFact } from '../domain/annotations/layout.ts';
import { ColumnInfo, ColumnRole, ColumnTags, Description, IndexInfo } from '../domain/columns.ts';
import { ChangeMessage, RowCounts } from '../domain/edits.ts';
import { PinnedRef } from '../domain/ref.ts';
import { RowId } from '../domain/selection.ts';
import { arrow, defineContract, json, none } from './contract-kit.ts';

export const BranchInfo = z.object({
  name: z.string(),
  version: z.number(),
  /** `null` for main. */
  parent: z.object({ branch: z.string(), version: z.number() }).nullable(),
  updatedAt: z.string(),
  isProtected: z.boolean(),
  /** Tells the branch from others that had its name: `of` in addresses that browsers may keep. */
  incarnation: z.string().optional(),
  /** Steps since it left its parent, or was last merged into it; what was undone does not count. */
  ahead: z.number().optional(),
  /** Takes merges of reviews only, by the rules of the table. */
  isReviewOnly: z.boolean().optional(),
  /** The newest open review that asks for it to be merged. */
  review: z.object({ id: z.string(), into: z.string() }).optional(),
});
export type BranchInfo = z.infer<typeof BranchInfo>;

export const TagInfo = z.object({
  name: z.string(),
  branch: z.string(),
  version: z.number(),
  createdAt: z.string().nullable(),
  message: z.string().nullable(),
});
export type TagInfo = z.infer<typeof TagInfo>;

export const TableSummary = z.object({
  name: z.string(),
  rows: z.number(),
  bytes: z.number(),
  key: z.array(z.string()),
  description: z.string(),
  branches: z.array(BranchInfo),
  updatedAt: z.string(),
  /** A column of pictures for the card, and up to six row ids that have one. */
  preview: z.object({ column: z.string(), rowIds: z.array(z.string()) }).nullable(),
  /** What cannot be done with the table and why (no key, no stable row ids, cannot be opened, …). */
  notices: z.array(z.string()),
});
export type TableSummary = z.infer<typeof TableSummary>;

export const TableDetail = z.object({
  name: z.string(),
  ref: PinnedRef,
  /** True when `ref` is the newest version of its branch, so that edits go there. */
  isHead: z.boolean(),
  rows: z.number(),
  bytes: z.number(),
  key: z.array(z.string()),
  description: z.string(),
  columns: z.array(ColumnInfo),
  indexes: z.array(IndexInfo),
  tags: z.array(TagInfo),
  branches: z.array(BranchInfo),
  hasStableRowIds: z.boolean(),
  notices: z.array(z.string()),
});
export type TableDetail = z.infer<typeof TableDetail>;

export const TableParams = z.object({ table: z.string() });
export const RefQuery = z.object({ ref: z.string().default('main') });

export const OrderBy = z.object({
  column: z.string(),
  desc: z.boolean().optional(),
  /** Where rows without a value stand, whichever way the others go; last unless said. */
  nulls: z.enum(['first', 'last']).optional(),
});
export type OrderBy = z.infer<typeof OrderBy>;

export const RowsQuery = z.strictObject({
  ref: z.string().default('main'),
  columns: z.array(z.string()).optional(),
  where: z.string().optional(),
  orderBy: z.array(OrderBy).optional(),
  offset: z.number().int().nonnegative().optional(),
  limit: z.number().int().nonnegative().optional(),
  /**
   * Texts and JSON of more bytes come cut at a whole character; `_cut` then says per row which, as JSON: column and
   * size in bytes. Whole without it.
   */
  maxCellBytes: z.number().int().positive().optional(),
});
export type RowsQuery = z.infer<typeof RowsQuery>;

export const FormatQuery = z.object({ format: z.enum(['arrow', 'json']).default('arrow') });

const TopValue = z.object({ value: z.unknown(), rows: z.number() });
export const ColumnProfile = z.object({
  name: z.string(),
  nulls: z.number(),
  /** Floats that are no number; they are in no other figure. */
  nans: z.number().optional(),
  distinct: z.number().nullable(),
  isDistinctExact: z.boolean(),
  min: z.unknown(),
  max: z.unknown(),
  mean: z.number().nullable(),
  /** 5, 25, 50, 75 and 95 per cent. Times here, in the mean and in the histogram are milliseconds (since 1970, or since midnight). */
  quantiles: z.array(z.number()).nullable(),
  histogram: z.array(z.object({ from: z.number(), to: z.number(), rows: z.number() })).nullable(),
  top: z.array(TopValue).nullable(),
  /** `all 218 rows`, `a sample of 100000 of 3000000 rows`, … */
  scope: z.string(),
  isSample: z.boolean().optional(),
});
export type ColumnProfile = z.infer<typeof ColumnProfile>;

export const VersionInfo = z.object({
  version: z.number(),
  branch: z.string(),
  at: z.string(),
  author: z.string().nullable(),
  message: z.string().nullable(),
  /** create, import, edit, undo, merge, rebase, revert, restore, schema, index, compaction or other. */
  kind: z.string(),
  rows: RowCounts,
  editId: z.string().nullable(),
  /** A merge's other parent. */
  mergedFrom: PinnedRef.nullable(),
});
export type VersionInfo = z.infer<typeof VersionInfo>;

export const SearchBody = z.strictObject({
  ref: z.string().default('main'),
  mode: z.enum(['vector', 'text', 'hybrid']),
  text: z.string().optional(),
  rowId: RowId.optional(),
  vector: z.array(z.number()).optional(),
  image: z.string().optional(),
  column: z.string().optional(),
  textColumns: z.array(z.string()).optional(),
  where: z.string().optional(),
  columns: z.array(z.string()).optional(),
  /** `cosine` unless the column's index was built for another. */
  metric: z.enum(['cosine', 'l2', 'dot']).optional(),
  k: z.number().int().positive().max(10_000).default(50),
});
export type SearchBody = z.infer<typeof SearchBody>;

const ColumnPatch = z.strictObject({
  role: ColumnRole.nullable().optional(),
  description: Description.optional(),
  tags: ColumnTags.optional(),
  hidden: z.boolean().optional(),
  /** How the column's annotations are read; `null` leaves it to a guess. */
  annotations: AnnotationFact.nullable().optional(),
});

const JobStarted = z.object({ job: z.object({ id: z.string() }) });

export const tablesApi = defineContract({
  listTables: {
    method: 'GET',
    path: '/api/v1/tables',
    summary: 'All tables, with the heads of their branches',
    reply: json(z.object({ tables: z.array(TableSummary) })),
  },
  describeTable: {
    method: 'GET',
    path: '/api/v1/tables/:table',
    summary: 'One table at a ref',
    params: TableParams,
    query: RefQuery,
    reply: json(TableDetail),
  },
  patchTable: {
    method: 'PATCH',
    path: '/api/v1/tables/:table',
    summary: 'Key, description, roles, descriptions and tags of columns',
    params: TableParams,
    body: z.strictObject({
      branch: z.string().default('main'),
      key: z.union([z.string().transform((name) => [name]), z.array(z.string())]).optional(),
      description: Description.optional(),
      columns: z
        .union([
          z.record(z.string(), ColumnPatch),
          z
            .array(ColumnPatch.extend({ name: z.string() }))
            .transform((list) => Object.fromEntries(list.map(({ name, ...facts }) => [name, facts]))),
        ])
        .optional(),
    }),
    reply: json(TableDetail),
  },
  rowsGet: {
    method: 'GET',
    path: '/api/v1/tables/:table/rows',
    summary: 'Rows; cacheable for a pinned ref',
    params: TableParams,
    query: FormatQuery.extend({ q: z.string().optional(), of: z.string().optional() }),
    reply: arrow,
  },
  rowsPost: {
    method: 'POST',
    path: '/api/v1/tables/:table/rows',
    summary: 'Rows',
    params: TableParams,
    query: FormatQuery,
    body: RowsQuery,
    reply: arrow,
  },
  countRows: {
    method: 'POST',
    path: '/api/v1/tables/:table/count',
    summary: 'How many rows match',
    params: TableParams,
    body: z.strictObject({ ref: z.string().default('main'), where: z.string().optional() }),
    reply: json(z.object({ rows: z.number(), ref: PinnedRef })),
  },
  locateRow: {
    method: 'POST',
    path: '/api/v1/tables/:table/rows/locate',
    summary: 'Where a row stands in a result, by its key or its row id',
    params: TableParams,
    body: z.strictObject({
      ref: z.string().default('main'),
      where: z.string().optional(),
      orderBy: z.array(OrderBy).optional(),
      /** The value of the row key, an array where the key has several columns. */
      key: z.unknown().optional(),
      rowId: RowId.optional(),
    }),
    reply: json(
      z.object({
        ref: PinnedRef,
        /** `null`: there is no such row at this ref. */
        rowId: z.string().nullable(),
        /** From 0; `null`: the filter leaves the row out. */
        offset: z.number().nullable(),
        /** Rows of the result. */
        total: z.number(),
      }),
    ),
  },
  groupRows: {
    method: 'POST',
    path: '/api/v1/tables/:table/groups',
    summary:
      'Groups of equal values of the first column of `orderBy`, in that order: its value, `_start` (position of the first row in the sorted result), `_rows`, and `_rowid` of the first row',
    params: TableParams,
    query: FormatQuery,
    body: z.strictObject({
      ref: z.string().default('main'),
      where: z.string().optional(),
      orderBy: z.array(OrderBy).min(1),
      maxGroups: z.number().int().positive().max(10_000).default(2_000),
    }),
    reply: arrow,
  },
  profile: {
    method: 'POST',
    path: '/api/v1/tables/:table/profile',
    summary: 'Distributions of columns',
    params: TableParams,
    body: z.strictObject({
      ref: z.string().default('main'),
      where: z.string().optional(),
      columns: z.array(z.string()).optional(),
      /**
       * Figures over every row instead of a sample, however many: of numbers, times and texts, without histogram and top
       * values. Columns of other types are left out.
       */
      isExact: z.boolean().optional(),
    }),
    reply: json(z.object({ ref: PinnedRef, rows: z.number(), columns: z.array(ColumnProfile) })),
  },
  search: {
    method: 'POST',
    path: '/api/v1/tables/:table/search',
    summary: 'Similar rows, text search, or both',
    params: TableParams,
    query: FormatQuery,
    body: SearchBody,
    reply: arrow,
  },
  listIndexes: {
    method: 'GET',
    path: '/api/v1/tables/:table/indexes',
    summary: 'Indexes with their coverage',
    params: TableParams,
    query: RefQuery,
    reply: json(z.object({ indexes: z.array(IndexInfo) })),
  },
  createIndex: {
    method: 'POST',
    path: '/api/v1/tables/:table/indexes',
    summary: 'Builds an index as a job',
    params: TableParams,
    body: z.strictObject({
      branch: z.string().default('main'),
      column: z.string(),
      kind: z.enum(['btree', 'bitmap', 'labelList', 'text', 'vector']),
    }),
    reply: json(JobStarted, 202),
  },
  dropIndex: {
    method: 'DELETE',
    path: '/api/v1/tables/:table/indexes/:index',
    summary: 'Drops an index',
    params: TableParams.extend({ index: z.string() }),
    query: z.object({ branch: z.string().default('main') }),
    reply: none,
  },
  listBranches: {
    method: 'GET',
    path: '/api/v1/tables/:table/branches',
    summary: 'Branches with their heads',
    params: TableParams,
    reply: json(z.object({ branches: z.array(BranchInfo) })),
  },
  createBranch: {
    method: 'POST',
    path: '/api/v1/tables/:table/branches',
    summary: 'A new branch from a ref',
    params: TableParams,
    body: z.strictObject({ name: z.string(), from: z.string().default('main') }),
    reply: json(BranchInfo, 201),
  },
  deleteBranch: {
    method: 'DELETE',
    path: '/api/v1/tables/:table/branches/:branch',
    summary: 'Deletes a branch',
    params: TableParams.extend({ branch: z.string() }),
    reply: none,
  },
  listTags: {
    method: 'GET',
    path: '/api/v1/tables/:table/tags',
    summary: 'Tags',
    params: TableParams,
    reply: json(z.object({ tags: z.array(TagInfo) })),
  },
  createTag: {
    method: 'POST',
    path: '/api/v1/tables/:table/tags',
    summary: 'Names a version',
    params: TableParams,
    body: z.strictObject({
      name: z.string(),
      ref: z.string().default('main'),
      message: ChangeMessage.optional(),
    }),
    reply: json(TagInfo, 201),
  },
  deleteTag: {
    method: 'DELETE',
    path: '/api/v1/tables/:table/tags/:tag',
    summary: 'Deletes a tag',
    params: TableParams.extend({ tag: z.string() }),
    reply: none,
  },
  history: {
    method: 'GET',
    path: '/api/v1/tables/:table/history',
    summary: 'Versions of a branch, newest first',
    params: TableParams,
    query: RefQuery.extend({
      limit: z.coerce.number().int().positive().max(1000).default(200),
      before: z.coerce.number().int().optional(),
    }),
    reply: json(z.object({ ref: PinnedRef, versions: z.array(VersionInfo), isComplete: z.boolean() })),
  },
});
