import type { SavedQuerySummary, SavedRevision } from '#shared/api/queries.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';

export interface StoredQuery extends SavedQuerySummary {
  /** In the bin since then. */
  deletedAt: string | null;
}

/** Saved queries with their earlier texts, in the studio's store. */
export interface QueryStore {
  /** All that are not deleted, the last changed first. */
  list(): StoredQuery[];
  /** Also a deleted one. */
  get(id: string): StoredQuery | null;
  /** Earlier texts, the last one first. */
  history(id: string): SavedRevision[];
  /** One that is not deleted, whatever the case of its letters. */
  findByName(name: string): StoredQuery | null;
  /** Keeps the query; in the same transaction what it was goes to its history, where that is given. */
  put(query: StoredQuery, before: SavedRevision | null): void;
  /** Deleted before that time. */
  listDeleted(before: string): string[];
  /** For good, with its history. */
  remove(id: string): void;
}

/** A version that must not be lost while somebody points at it. */
export interface PinnedVersion {
  tableUuid: string;
  /** Where the branch that keeps it is. */
  table: string;
  ref: PinnedRef;
  branchCreatedAt: string;
}

/** Who holds which versions: `query:ID` and the like. */
export interface PinStore {
  add(owner: string, pin: PinnedVersion): void;
  listOf(owner: string): PinnedVersion[];
  /** Pins on versions of one branch, whoever holds them. */
  listOn(branch: { tableUuid: string; branch: string }): PinnedVersion[];
  isHeld(pin: PinnedVersion): boolean;
  remove(owner: string): void;
}
