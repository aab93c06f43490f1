import type { SqlBody } from '#shared/api/sql.ts';
import type { ByteStream, CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { resolveRelations } from './resolve-relations.ts';
import type { SqlRuns } from './sql-runs.ts';

/** Runs one read-only statement over pinned refs; the facts of the result say which. */
export async function runSql(
  ports: Pick<Ports, 'reader' | 'store' | 'sql'>,
  body: SqlBody,
  { runs, ...context }: CallContext & { runs: SqlRuns },
): Promise<ByteStream> {
  const { sql, params, refs, maxRows, runId } = body;
  const { names } = await ports.sql.namesOf({ sql }, context);
  const { relations, missing } = await resolveRelations(ports, names, refs, context);
  return runs.follow(runId ?? null, (onTurn) =>
    ports.sql.run({ sql, params, relations, missing, maxRows }, { ...context, onTurn }),
  );
}
