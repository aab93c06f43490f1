import type { ColumnProfile, OrderBy, SearchBody } from '#shared/api/tables.ts';
import type { ColumnInfo, IndexInfo } from '#shared/domain/columns.ts';
import type { RowCounts } from '#shared/domain/edits.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { ByteStream, CallContext } from './call.ts';

export interface BranchHead {
  name: string;
  version: number;
  parent: PinnedRef | null;
  /** When the branch was made, ISO 8601; tells a name that is used again from the one before. `null` for main. */
  createdAt: string | null;
  updatedAt: string;
}

export interface StoredTag {
  name: string;
  branch: string;
  version: number;
  createdAt: string | null;
}

export interface TableHeads {
  /** Stable for the life of the table; part of every cache key. */
  uuid: string;
  branches: BranchHead[];
  tags: StoredTag[];
}

export interface StoredTable {
  name: string;
  /** Why the table cannot be opened, if it cannot. */
  problem: string | null;
}

export interface TableFacts {
  uuid: string;
  rows: number;
  bytes: number;
  key: string[];
  description: string;
  /** As the table keeps them (`parseChecks`); empty where it has none. */
  checks: string;
  columns: ColumnInfo[];
  indexes: IndexInfo[];
  hasStableRowIds: boolean;
  /** What cannot be done with the table, with the way out. */
  notices: string[];
  preview: { column: string; rowIds: string[] } | null;
}

export interface StoredVersion {
  version: number;
  at: string;
  kind: string;
  rows: RowCounts;
}

/** One table at one pinned ref. */
export interface Pinned {
  table: string;
  ref: PinnedRef;
  /** What tells table and branch from others that had their names, when the caller has just read it (`resolveRef`). */
  known?: { uuid: string; branchCreatedAt: string };
}

export interface RowsInput extends Pinned {
  /** `undefined`: all that are not hidden. `_rowid` always comes along. */
  columns?: string[];
  /** In Lance's dialect, already parsed, bound and printed by `shared/sql`. */
  where?: string;
  orderBy?: OrderBy[];
  offset?: number;
  limit?: number;
  /** A window without order and filter counts the rows as they lie, as whole results of large tables do. */
  asStored?: boolean;
  /** Longer texts come cut at a whole character; a column `_cut` says which and how large they are, where there are any. */
  maxCellBytes?: number;
  /** Blob cells carry their address as `url`: for SQL, where no row says which table a cell came from. */
  withBlobUrls?: boolean;
}

export interface RowsFacts {
  total: number;
}

export interface LocateInput extends Pinned {
  /** The row that is wanted, as a condition in Lance's dialect. */
  wanted: string;
  where?: string;
  orderBy?: OrderBy[];
}

/** Where a row stands in a result. */
export interface RowPlace {
  /** Null when the ref has no such row. */
  rowId: string | null;
  /** From 0; null when the result leaves the row out. */
  position: number | null;
  /** Rows of the result. */
  total: number;
}

export interface GroupsInput extends Pinned {
  where?: string;
  /** The first is what is grouped by; the others are the order inside of groups, so that pages share the kept order. */
  orderBy: OrderBy[];
  /** More groups than this are refused. */
  maxGroups: number;
}

/** Where the bytes of a value lie: a file of the table that never changes under its name, relative to the home. */
export interface BlobPlace {
  path: string;
  start: number;
}

export interface BlobFacts {
  /** Of the whole value. */
  sizeBytes: number;
  contentType: string;
  /** Changes when the content does. */
  etag: string;
  /** The bytes lie outside of the table and may become others, also at a pinned ref. */
  mayChange?: boolean;
  /** The cell is a text that names its media: they are to be opened there, and nothing comes along here. */
  link?: string;
  /** Where they can be read without Lance ({@link TableReader.placedBytes}); absent where only Lance can. */
  place?: BlobPlace;
}

/** Reads of pinned refs: the same input gives the same answer for ever. Errors are AppErrors. */
export interface TableReader {
  listTables(input: Record<string, never>, context: CallContext): Promise<StoredTable[]>;
  /** Heads as stored, sealed or not. NOT_FOUND when there is no such table. */
  readHeads(input: { table: string }, context: CallContext): Promise<TableHeads>;
  /** Whether a version of a branch is still stored. */
  hasVersion(input: Pinned, context: CallContext): Promise<{ exists: boolean }>;
  describe(input: Pinned, context: CallContext): Promise<TableFacts>;
  /** Arrow stream with its end marker; facts are also in the schema metadata. */
  rows(input: RowsInput, context: CallContext): Promise<ByteStream<RowsFacts>>;
  count(input: Pinned & { where?: string }, context: CallContext): Promise<{ rows: number }>;
  locate(input: LocateInput, context: CallContext): Promise<RowPlace>;
  /** Groups of equal values: `_rowid` of the first row of each, the value, `_start` and `_rows`. UNSUPPORTED when there are too many. */
  groups(input: GroupsInput, context: CallContext): Promise<ByteStream<RowsFacts>>;
  profile(
    input: Pinned & { where?: string; columns?: string[] },
    context: CallContext,
  ): Promise<{ rows: number; columns: ColumnProfile[] }>;
  search(input: Pinned & Omit<SearchBody, 'ref'>, context: CallContext): Promise<ByteStream>;
  /** Bytes `start` (inclusive) to `end` (exclusive) of a blob or binary cell; NOT_FOUND for null and for missing rows. */
  blob(
    input: Pinned & { column: string; rowId: string; start?: number; end?: number },
    context: CallContext,
  ): Promise<ByteStream<BlobFacts>>;
  /** Bytes `start` (inclusive) to `end` (exclusive) from the place on. NOT_FOUND when the file is there no more. */
  placedBytes(
    input: { place: BlobPlace; start: number; end: number },
    context: CallContext,
  ): Promise<ByteStream<null>>;
  /** Newest first, from `before` (exclusive) down. */
  versions(
    input: { table: string; branch: string; before?: number; limit: number },
    context: CallContext,
  ): Promise<{ versions: StoredVersion[]; isComplete: boolean }>;
}
