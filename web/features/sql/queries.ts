import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type AppError, isAppError } from '#shared/api/problem.ts';
import type { SqlPlan } from '#shared/api/sql.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { parseRelationName } from '#shared/sql/relation-name.ts';
import type { StatementSpan } from '#shared/sql/split-statements.ts';
import { callArrow, describeQuery, sessionQuery } from '../../api/index.ts';
import type { SqlFunction } from './model/suggestions.ts';
import { maxShownRows, planOf } from './runs.ts';

const functionsStatement = `
SELECT function_name AS name, any_value(function_type) AS kind, any_value(description) AS description,
  list(DISTINCT array_to_string(parameters, ', ')) AS parameters
FROM duckdb_functions()
WHERE regexp_matches(function_name, '^[a-z][a-z0-9_]*$') AND NOT starts_with(function_name, 'icu_') AND NOT starts_with(function_name, 'pragma_')
GROUP BY function_name ORDER BY function_name`;

/** DuckDB's functions, once per visit. */
export const functionsQuery = queryOptions({
  queryKey: ['sql', 'functions'],
  queryFn: async ({ signal }): Promise<SqlFunction[]> => {
    const { table } = await callArrow('runSql', { body: { sql: functionsStatement }, signal });
    return table.toArray().map((row) => ({
      name: String(row.name),
      kind: String(row.kind),
      description: row.description === null ? null : String(row.description),
      parameters: [...((row.parameters ?? []) as string[])],
    }));
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Columns of a relation as a statement names it; empty where there is no such table. */
export async function columnsOf(
  name: string,
  refs: Record<string, string>,
  client: QueryClient,
): Promise<ColumnInfo[]> {
  try {
    const { tables } = await client.ensureQueryData(sessionQuery);
    const { table: asked, ref } = parseRelationName(name);
    const table = tables.find((one) => one.name.toLowerCase() === asked.toLowerCase())?.name;
    if (table === undefined) return [];
    const refText = ref === null ? (refs[table] ?? 'main') : formatRef(ref);
    return (await client.ensureQueryData(describeQuery(table, refText))).columns;
  } catch (error) {
    if (isAppError(error)) return [];
    throw error;
  }
}

export interface LivePlan {
  statement: StatementSpan;
  plan: SqlPlan | null;
  error: AppError | null;
}

const restMs = 500;

/** The plan of the statement under the caret, once one stops writing: its errors and where it would run. */
export function useLivePlan(
  statement: StatementSpan | null,
  refs: Record<string, string>,
  client: QueryClient,
): LivePlan | null {
  const [live, setLive] = useState<LivePlan | null>(null);
  const text = statement?.text ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a statement that only moved has the same plan
  useEffect(() => {
    if (!statement || text === '') {
      setLive(null);
      return;
    }
    let isGone = false;
    const timer = setTimeout(() => {
      planOf({ sql: text, refs, maxRows: maxShownRows }, client).then(
        (plan) => !isGone && setLive({ statement, plan, error: null }),
        (error: unknown) =>
          !isGone &&
          setLive({
            statement,
            plan: null,
            error: isAppError(error) && error.code !== 'ABORTED' ? error : null,
          }),
      );
    }, restMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [text, refs, client]);
  return live !== null && live.statement.text === text && statement ? { ...live, statement } : null;
}
