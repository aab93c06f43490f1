import type { sqlApi } from '#shared/api/sql.ts';
import { maxJsonRows } from '../../arrow/rows-as-json.ts';
import type { Ports } from '../../ports/index.ts';
import { planSql } from '../../usecases/plan-sql.ts';
import { runSql } from '../../usecases/run-sql.ts';
import type { Handlers } from '../handler.ts';

export function sqlRoutes(ports: Ports): Handlers<typeof sqlApi> {
  return {
    async runSql({ query, body, signal }) {
      const maxRows =
        query.format === 'json' ? Math.min(body.maxRows ?? maxJsonRows, maxJsonRows) : body.maxRows;
      return { stream: await runSql(ports, { ...body, maxRows }, { signal }) };
    },
    planSql: ({ body, signal }) => planSql(ports, body, { signal }),
  };
}
