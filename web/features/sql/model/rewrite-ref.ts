import type { AppError } from '#shared/api/problem.ts';
import { parseRelationName } from '#shared/sql/relation-name.ts';
import { tokenizeSql } from '#shared/sql/split-statements.ts';
import { writeName } from './quote-name.ts';
import { nameOfToken } from './relations-in-text.ts';

/** Another name for a relation whose ref is gone. */
export interface RefChange {
  /** As the text has it, without quotes: `clips@main:1`. */
  from: string;
  /** As it is to be written: `clips`, `"clips@exp"`. */
  to: string;
}

interface KnownTable {
  name: string;
  branches: readonly { name: string }[];
}

/** For an error that says that a ref in the text is gone: the branch's newest version, else the table's. `null` elsewhere. */
export function planRefChange(error: AppError, sql: string, tables: readonly KnownTable[]): RefChange | null {
  if (error.code !== 'GONE') return null;
  const from = error.issues?.map(({ path }) => path).find((path) => path.includes('@') && names(sql, path));
  if (from === undefined) return null;
  const { table, ref } = parseRelationName(from);
  const known = tables.find(({ name }) => name.toLowerCase() === table.toLowerCase());
  if (!known) return null;
  const branch = ref?.kind === 'branch' && ref.branch !== 'main' ? ref.branch : null;
  const isThere =
    branch !== null && from !== `${table}@${branch}` && known.branches.some(({ name }) => name === branch);
  return { from, to: writeName(isThere ? `${table}@${branch}` : table) };
}

const names = (sql: string, name: string): boolean => placesOf(sql, name).length > 0;

const placesOf = (sql: string, name: string) =>
  [...tokenizeSql(sql)].filter(
    (token) => token.kind === 'name' && nameOfToken(sql, token).toLowerCase() === name.toLowerCase(),
  );

/** Writes the other name wherever the text has the one that is gone. */
export function applyRefChange(sql: string, { from, to }: RefChange): string {
  let changed = sql;
  for (const { start, end } of placesOf(sql, from).reverse())
    changed = changed.slice(0, start) + to + changed.slice(end);
  return changed;
}
