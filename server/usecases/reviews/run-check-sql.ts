import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import { readRowsAsJson } from '../../arrow/rows-as-json.ts';
import type { CallContext } from '../../ports/call.ts';
import type { SqlRelation } from '../../ports/sql-engine.ts';
import { resolveRelations } from '../resolve-relations.ts';
import { inCheckTurn } from './check-turns.ts';
import type { JsonRow } from './read-rows-by-key.ts';
import type { ReviewPorts } from './review-ports.ts';

/** What names mean in the statement of a check. */
export interface CheckRelations {
  table: string;
  /** What the table's own name means: the rows that the check is about. */
  subject: { ref: PinnedRef; key: string };
  /** `"T@main"` where main is what receives the merge: as it stood when the run began. */
  into: { ref: PinnedRef; key: string } | null;
}

interface CheckSql {
  sql: string;
  relations: CheckRelations;
  maxRows: number;
}

type SqlPorts = Pick<ReviewPorts, 'reader' | 'store' | 'sql'>;

/** The first rows that a statement returns, and how many there are. */
export async function runCheckSql(
  ports: SqlPorts,
  { sql, relations, maxRows }: CheckSql,
  context: CallContext,
): Promise<{ rows: JsonRow[]; total: number }> {
  const { names } = await ports.sql.namesOf({ sql }, context);
  const isSubject = (name: string): boolean => name.toLowerCase() === relations.table.toLowerCase();
  const others = names.filter((name) => !isSubject(name));
  const resolved = await resolveRelations(ports, others, undefined, context);
  const bound = {
    relations: [
      ...names
        .filter(isSubject)
        .map((name): SqlRelation => ({ name, table: relations.table, ...relations.subject })),
      ...resolved.relations.map((relation) => pinInto(relation, relations)),
    ],
    missing: resolved.missing,
  };
  return inCheckTurn(context, async (limited) => {
    const stream = await ports.sql.run({ sql, ...bound, maxRows }, limited);
    const { rows, total, scope } = await readRowsAsJson(stream.chunks, limited.signal);
    if (rows.length < maxRows || total > rows.length || scope === 'all') return { rows, total };
    const counting = `SELECT count(*) AS n FROM (\n${sql.trim().replace(/;\s*$/, '')}\n)`;
    const counted = await ports.sql.run({ sql: counting, ...bound }, limited);
    const [count] = (await readRowsAsJson(counted.chunks, limited.signal)).rows;
    return { rows, total: Number(count?.n ?? total) };
  });
}

/** The head of the branch that receives is the one that the merge is planned against, even if it moved since. */
function pinInto(relation: SqlRelation, { table, into }: CheckRelations): SqlRelation {
  const isHead = relation.name.toLowerCase() === `${table}@${into?.ref.branch}`.toLowerCase();
  return into && isHead ? { ...relation, ...into } : relation;
}

/** The identity of a pinned ref for the engine's cache of columns. */
export const relationKey = (uuid: string, branchCreatedAt: string, ref: PinnedRef): string =>
  `${uuid}/${branchCreatedAt}/${formatRef(ref)}`;
