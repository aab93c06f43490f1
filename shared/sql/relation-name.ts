import { formatRef, type PinnedRef, parseRef, type Ref } from '../domain/ref.ts';

/** What a name in SQL means: a table, and a ref where it names one. */
export interface RelationName {
  table: string;
  /** `null`: the ref that the request or the screen gives the table, else main. */
  ref: Ref | null;
}

/** Reads `clips`, `clips@exp`, `clips@exp:12` or `clips@tag:golden`. Throws BAD_REQUEST where the ref cannot be read. */
export function parseRelationName(name: string): RelationName {
  const at = name.indexOf('@');
  if (at === -1) return { table: name, ref: null };
  return { table: name.slice(0, at), ref: parseRef(name.slice(at + 1)) };
}

/** Inverse of {@link parseRelationName}. */
export const formatRelationName = ({ table, ref }: { table: string; ref: Ref | PinnedRef | null }): string =>
  ref === null ? table : `${table}@${formatRef(ref)}`;
