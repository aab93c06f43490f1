import type { BlobFacts } from '../ports/table-reader.ts';
import type { ResolvedRef } from './resolve-ref.ts';

const maxKnown = 100_000;

/** What was found out about values at pinned refs, which never change: the oldest go first. */
export class KnownBlobs {
  #facts = new Map<string, BlobFacts>();

  get(key: string): BlobFacts | undefined {
    return this.#facts.get(key);
  }

  /** Only what lies in the table is kept; media elsewhere may become others. */
  add(key: string, facts: BlobFacts): void {
    if (facts.link !== undefined || facts.mayChange) return;
    if (this.#facts.size >= maxKnown) this.#facts.delete(this.#facts.keys().next().value as string);
    this.#facts.set(key, facts);
  }

  forget(key: string): void {
    this.#facts.delete(key);
  }
}

const byOwner = new WeakMap<object, KnownBlobs>();

/** Those of one server's ports. */
export function knownBlobsOf(owner: object): KnownBlobs {
  const known = byOwner.get(owner) ?? new KnownBlobs();
  byOwner.set(owner, known);
  return known;
}

/** Names a value for ever: names of tables and branches that are used again have other keys. */
export const keyOfBlob = (
  { uuid, branchCreatedAt, ref }: Pick<ResolvedRef, 'uuid' | 'branchCreatedAt' | 'ref'>,
  { column, rowId }: { column: string; rowId: string },
): string => [uuid, branchCreatedAt, ref.branch, ref.version, rowId, column].join('\0');
