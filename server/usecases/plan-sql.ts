import type { SqlBody, SqlPlan } from '#shared/api/sql.ts';
import { planPlacement } from '#shared/domain/placement.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { resolveRelations } from './resolve-relations.ts';

/** What the page's engine may use, as `web/engine` sets it. */
const browserMemoryBytes = 1_600_000_000;

/** What a statement reads and where it would run in a browser that holds nothing yet. */
export async function planSql(
  ports: Pick<Ports, 'reader' | 'store' | 'sql'>,
  body: SqlBody,
  context: CallContext,
): Promise<SqlPlan> {
  const { sql, params, refs, maxRows } = body;
  const { names } = await ports.sql.namesOf({ sql }, context);
  const { relations, missing } = await resolveRelations(ports, names, refs, context);
  const plan = await ports.sql.plan({ sql, params, relations, missing, maxRows }, context);
  const tables = plan.reads.flatMap(({ name, ...reads }) => {
    const relation = relations.find((other) => other.name === name);
    return relation ? [{ name, table: relation.table, ref: relation.ref, key: relation.key, ...reads }] : [];
  });
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const { serverOnlyBecause, resultColumns: columns, total } = plan;
  const placement = planPlacement({
    bytes,
    residentBytes: 0,
    memoryLimitBytes: browserMemoryBytes,
    serverOnlyBecause,
  });
  return { tables, bytes, ...placement, serverOnlyBecause, columns, total };
}
