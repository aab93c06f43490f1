import { isAppError } from '#shared/api/problem.ts';
import type { SavedText } from '#shared/api/queries.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { parseCells } from '#shared/sql/cells.ts';
import { splitStatements } from '#shared/sql/split-statements.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { PinnedVersion } from '../ports/query-store.ts';
import { resolveRef } from './resolve-ref.ts';
import { resolveRelations } from './resolve-relations.ts';

type StatementPorts = Pick<Ports, 'reader' | 'store' | 'sql'>;

export interface PinnedText {
  /** What bare names mean, each with a version. */
  refs: Record<string, string>;
  /** All versions that it reads, also those that the text names itself. */
  pins: PinnedVersion[];
}

/** Names of the relations of all statements; those that DuckDB cannot read yet have none. */
async function namesIn(ports: StatementPorts, sql: string, context: CallContext): Promise<string[]> {
  const names = new Set<string>();
  const statements = parseCells(sql).flatMap(({ body }) => splitStatements(body));
  for (const { text } of statements) {
    try {
      for (const name of (await ports.sql.namesOf({ sql: text }, context)).names) names.add(name);
    } catch (error) {
      if (!isAppError(error) || !unreadable.has(error.code)) throw error;
    }
  }
  return [...names];
}

/** A text may be saved before it is right. */
const unreadable: ReadonlySet<string> = new Set([
  'SQL_SYNTAX',
  'SQL_BIND',
  'BAD_REQUEST',
  'FORBIDDEN',
  'UNSUPPORTED',
]);

/** What the names of a text mean now. Throws what is wrong with its refs: BAD_REQUEST, NOT_FOUND, GONE. */
export async function pinText(
  ports: StatementPorts,
  text: Pick<SavedText, 'sql' | 'view' | 'refs'>,
  context: CallContext,
): Promise<PinnedText> {
  if (text.view) {
    const { table } = text.view;
    const { ref, uuid, branchCreatedAt } = await resolveRef(ports, table, text.refs[table] ?? '', context);
    return { refs: { [table]: formatRef(ref) }, pins: [{ tableUuid: uuid, table, ref, branchCreatedAt }] };
  }
  const names = await namesIn(ports, text.sql ?? '', context);
  const { relations, versions } = await resolveRelations(ports, names, text.refs, context);
  const pins = new Map<string, PinnedVersion>();
  const refs: Record<string, string> = {};
  for (const [index, { name, table, ref, key }] of relations.entries()) {
    pins.set(key, versions[index] as PinnedVersion);
    if (!name.includes('@')) refs[table] = formatRef(ref);
  }
  return { refs, pins: [...pins.values()] };
}
