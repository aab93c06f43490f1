import { AppError, formatProblem, isAppError } from '#shared/api/problem.ts';
import { SqlBody, type sqlApi } from '#shared/api/sql.ts';
import { arrowStreamType } from '#shared/api/wire.ts';
import { rowsAsCsv } from '../../arrow/rows-as-csv.ts';
import { maxJsonRows } from '../../arrow/rows-as-json.ts';
import type { Ports } from '../../ports/index.ts';
import { planSql } from '../../usecases/plan-sql.ts';
import { runSql } from '../../usecases/run-sql.ts';
import { createSqlRuns, sqlEngines } from '../../usecases/sql-runs.ts';
import type { BytesReply, Handlers } from '../handler.ts';
import { assertPlainJson } from '../plain-json.ts';

const fileHeaders = {
  csv: {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="result.csv"',
  },
  arrow: { 'Content-Type': arrowStreamType, 'Content-Disposition': 'attachment; filename="result.arrows"' },
} as const;

/** What is wrong with a statement itself. */
const statementCodes: ReadonlySet<string> = new Set([
  'SQL_SYNTAX',
  'SQL_BIND',
  'BAD_REQUEST',
  'FORBIDDEN',
  'UNSUPPORTED',
  'TOO_LARGE',
  'GONE',
]);

function parseBody(text: string): SqlBody {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'q is not JSON.',
      hint: 'Send {"sql": "…"} in q.',
      cause: error,
    });
  }
  assertPlainJson(value);
  const parsed = SqlBody.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError({
    code: 'BAD_REQUEST',
    message: 'q is not the body of a statement.',
    hint: 'Send {"sql": "…"} in q.',
    cause: parsed.error,
  });
}

export function sqlRoutes(ports: Ports): Handlers<typeof sqlApi> {
  const runs = createSqlRuns();
  return {
    async runSql({ query, body, signal }) {
      const maxRows =
        query.format === 'json' ? Math.min(body.maxRows ?? maxJsonRows, maxJsonRows) : body.maxRows;
      return { stream: await runSql(ports, { ...body, maxRows }, { signal, runs }) };
    },

    planSql: ({ body, signal }) => planSql(ports, body, { signal }),

    async checkSql({ body, signal }) {
      try {
        return { plan: await planSql(ports, body, { signal }), problem: null };
      } catch (error) {
        if (!isAppError(error) || !statementCodes.has(error.code)) throw error;
        return { plan: null, problem: formatProblem(error) };
      }
    },

    sqlActivity: ({ query }) => ({ engines: sqlEngines, ...runs.activity(query.runId) }),

    async exportSql({ query, signal }): Promise<BytesReply> {
      const { chunks } = await runSql(ports, parseBody(query.q), { signal, runs });
      const body = query.format === 'csv' ? rowsAsCsv(chunks) : chunks;
      return { status: 200, headers: { ...fileHeaders[query.format], 'Cache-Control': 'no-store' }, body };
    },
  };
}
