import type { RowCounts } from '#shared/domain/edits.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { JobArchive } from './jobs.ts';
import type { PinStore, QueryStore } from './query-store.ts';
import type { ReviewStore } from './review-store.ts';

/** What was done to a branch as one step, for history and undo. */
export interface EditRecord {
  id: string;
  tableUuid: string;
  branch: string;
  /** Tells a branch name that is used again from the one before. Empty for main. */
  branchCreatedAt: string;
  /** edit, undo, merge, rebase, cherry-pick, revert, restore, import, … */
  kind: string;
  /** The head before, and the head after. */
  fromVersion: number;
  toVersion: number;
  author: string;
  message: string | null;
  changed: RowCounts;
  at: string;
  /** The edit that an undo takes back. */
  undoes: string | null;
  /** Merge, rebase: the other parent and the base that was used. */
  mergedFrom: PinnedRef | null;
  mergeBase: PinnedRef | null;
  /** Choices of a merge and whatever else an auditor wants, as JSON. */
  detail: unknown;
}

/** A change that needs several Lance versions; until it is sealed the branch is shown at `fromVersion`. */
export interface OpenGroup {
  id: string;
  table: string;
  tableUuid: string;
  branch: string;
  branchCreatedAt: string;
  fromVersion: number;
  kind: string;
  /** What recovery needs to finish or undo it, as JSON. */
  plan: unknown;
  at: string;
}

/** Studio state beside the tables (SQLite). Calls are synchronous: a local file, under a millisecond. */
export interface StudioStore {
  /**
   * Keeps what recovery needs to finish a group (its changeset, serialised), in pieces so that nobody waits for long.
   * Called before the group is opened; it goes when the group is sealed or dropped.
   */
  keepRedo(groupId: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  readRedo(groupId: string): Uint8Array | null;
  openGroup(group: OpenGroup): void;
  listOpenGroups(tableUuid?: string): OpenGroup[];
  /** In one transaction: the record is kept and the group is gone. */
  sealGroup(groupId: string, record: EditRecord): void;
  dropGroup(groupId: string): void;
  addEdit(record: EditRecord): void;
  getEdit(id: string): EditRecord | null;
  /** Newest first. `above`, `below`: only edits that end after the one version and begin before the other. */
  listEdits(filter: {
    tableUuid: string;
    branch: string;
    branchCreatedAt: string;
    limit?: number;
    above?: number;
    below?: number;
  }): EditRecord[];
  /** Protected besides main. */
  listProtectedBranches(tableUuid: string): string[];
  setProtectedBranch(tableUuid: string, branch: string, isProtected: boolean): void;
  trash: {
    add(table: string, at: string): void;
    remove(table: string): void;
    list(): { name: string; deletedAt: string }[];
  };
  /** The last 200 jobs, and those that have not ended. */
  jobs: JobArchive;
  queries: QueryStore;
  /** Versions that something points at, and that must therefore not be lost. */
  pins: PinStore;
  reviews: ReviewStore;
  /** Small facts by key, such as `demo.made`, tag messages, where the home folder was last seen. */
  facts: {
    get(key: string): string | null;
    set(key: string, value: string | null): void;
  };
  close(): void;
}
