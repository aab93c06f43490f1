import { formatRef, type PinnedRef, parseRef } from '#shared/domain/ref.ts';
import { formatRelationName, parseRelationName } from '#shared/sql/relation-name.ts';
import { sqlPath } from '../../../state/addresses.ts';

/** A statement with the refs that its bare table names mean. */
export interface SqlLink {
  sql: string;
  /** `{clips: "main:5"}` */
  refs: Record<string, string>;
}

/** The address of a statement: `?q=…&ref=clips@main:5`. */
export function formatSqlLink({ sql, refs }: SqlLink): string {
  const search = new URLSearchParams();
  if (sql !== '') search.set('q', sql);
  for (const [table, ref] of Object.entries(refs))
    search.append('ref', formatRelationName({ table, ref: parseRef(ref) }));
  return search.size === 0 ? sqlPath : `${sqlPath}?${search}`;
}

/** Inverse of {@link formatSqlLink}; `null` where the address names no statement. Refs that cannot be read are left out. */
export function parseSqlLink(search: string): SqlLink | null {
  const params = new URLSearchParams(search);
  const sql = params.get('q');
  if (sql === null) return null;
  const refs: Record<string, string> = {};
  for (const text of params.getAll('ref')) {
    try {
      const { table, ref } = parseRelationName(text);
      if (ref !== null && table !== '') refs[table] = formatRef(ref);
    } catch {
      // a ref that cannot be read means no ref
    }
  }
  return { sql, refs };
}

/** Refs that make a statement mean the same rows for ever: those that its plan found for bare names. */
export const pinnedRefsOf = (
  tables: readonly { name: string; table: string; ref: PinnedRef }[],
): Record<string, string> =>
  Object.fromEntries(
    tables.filter(({ name }) => !name.includes('@')).map(({ table, ref }) => [table, formatRef(ref)]),
  );
