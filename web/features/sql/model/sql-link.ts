import { QueryParam } from '#shared/domain/query-param.ts';
import { formatRef, type PinnedRef, parseRef } from '#shared/domain/ref.ts';
import { formatRelationName, parseRelationName } from '#shared/sql/relation-name.ts';
import { sqlPath } from '../../../state/addresses.ts';

/** A text with the refs that its bare table names mean, and the values of its parameters. */
export interface SqlLink {
  sql: string;
  /** `{clips: "main:5"}` */
  refs: Record<string, string>;
  params?: QueryParam[];
  /** The cells that show a chart, by name. */
  charts?: Readonly<Record<string, string>>;
}

/** Addresses longer than this are refused on the way: proxies and servers take 8 kB at least. */
export const maxLinkLength = 7_000;

/** The address of a statement: `?q=…&ref=clips@main:5&p=["label","text","cat"]&c=["","bar;x:label"]`. */
export function formatSqlLink({ sql, refs, params = [], charts = {} }: SqlLink): string {
  const search = new URLSearchParams();
  if (sql !== '') search.set('q', sql);
  for (const [table, ref] of Object.entries(refs))
    search.append('ref', formatRelationName({ table, ref: parseRef(ref) }));
  for (const { name, type, value } of params) search.append('p', JSON.stringify([name, type, value]));
  for (const chart of Object.entries(charts)) search.append('c', JSON.stringify(chart));
  return search.size === 0 ? sqlPath : `${sqlPath}?${search}`;
}

/** Inverse of {@link formatSqlLink}; `null` where the address names no statement. What cannot be read is left out. */
export function parseSqlLink(search: string): Required<SqlLink> | null {
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
  const charts = Object.fromEntries(params.getAll('c').flatMap(readChart));
  return { sql, refs, params: params.getAll('p').flatMap(readParam), charts };
}

function readChart(text: string): [string, string][] {
  try {
    const [cell, chart] = JSON.parse(text) as unknown[];
    return typeof cell === 'string' && typeof chart === 'string' ? [[cell, chart]] : [];
  } catch {
    return [];
  }
}

function readParam(text: string): QueryParam[] {
  try {
    const [name, type, value] = JSON.parse(text) as unknown[];
    const parsed = QueryParam.safeParse({ name, type, value });
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}

/** Refs that make a statement mean the same rows for ever: those that its plan found for bare names. */
export const pinnedRefsOf = (
  tables: readonly { name: string; table: string; ref: PinnedRef }[],
): Record<string, string> =>
  Object.fromEntries(
    tables.filter(({ name }) => !name.includes('@')).map(({ table, ref }) => [table, formatRef(ref)]),
  );
