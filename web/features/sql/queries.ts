import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type AppError, isAppError } from '#shared/api/problem.ts';
import type { SqlPlan } from '#shared/api/sql.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { formatRef, mainBranch } from '#shared/domain/ref.ts';
import { parseCells } from '#shared/sql/cells.ts';
import { quoteText } from '#shared/sql/literal.ts';
import { parseRelationName } from '#shared/sql/relation-name.ts';
import { callArrow, callJson, describeQuery, sessionQuery } from '../../api/index.ts';
import { type ComposedStatement, errorInSource } from './model/compose-statement.ts';
import type { SqlFunction } from './model/suggestions.ts';
import { composeOf, maxShownRows, planOf, type RunTarget } from './runs.ts';
import type { SqlTab } from './store.ts';

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

/** Columns of a relation as a statement names it; empty where there is no such table or ref, which is not asked for. */
export async function columnsOf(
  name: string,
  refs: Record<string, string>,
  client: QueryClient,
): Promise<ColumnInfo[]> {
  try {
    const { tables } = await client.ensureQueryData(sessionQuery);
    const { table: asked, ref } = parseRelationName(name);
    const table = tables.find((one) => one.name.toLowerCase() === asked.toLowerCase());
    if (table === undefined) return [];
    const detailOf = (refText: string) => client.ensureQueryData(describeQuery(table.name, refText));
    if (ref === null) return (await detailOf(refs[table.name] ?? mainBranch)).columns;
    const isThere =
      ref.kind === 'tag'
        ? (await detailOf(mainBranch)).tags.some(({ name: tag }) => tag === ref.tag)
        : table.branches.some(
            ({ name: branch, version }) => branch === ref.branch && (ref.version ?? 1) <= version,
          );
    return isThere ? (await detailOf(formatRef(ref))).columns : [];
  } catch (error) {
    if (isAppError(error)) return [];
    throw error;
  }
}

export interface LivePlan {
  target: RunTarget;
  plan: SqlPlan | null;
  error: AppError | null;
  /** The cell that the error stands in. */
  errorCell: number | null;
}

const restMs = 500;

/** The plan of the statement under the caret, once one stops writing: its errors and where it would run. */
export function useLivePlan(tab: SqlTab, target: RunTarget | null, client: QueryClient): LivePlan | null {
  const [live, setLive] = useState<(LivePlan & { sql: string }) | null>(null);
  const composed = target ? tryCompose(tab, target) : null;
  const sql = composed?.sql ?? '';
  const { refs } = tab;
  const latest = useRef({ tab, target, composed });
  latest.current = { tab, target, composed };
  useEffect(() => {
    const { target: asked } = latest.current;
    if (!asked || sql === '') return;
    let isGone = false;
    const settle = (plan: SqlPlan | null, thrown: unknown) => {
      const { tab: now, composed: whole } = latest.current;
      if (isGone || !whole) return;
      const isError = isAppError(thrown) && thrown.code !== 'ABORTED';
      const found = isError ? errorInSource(thrown, whole, parseCells(now.sql)) : null;
      setLive({ sql, target: asked, plan, error: found?.error ?? null, errorCell: found?.cell ?? null });
    };
    const timer = setTimeout(() => {
      planOf({ sql, refs, maxRows: maxShownRows }, client).then(
        (plan) => settle(plan, null),
        (error: unknown) => settle(null, error),
      );
    }, restMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [sql, refs, client]);
  return live !== null && live.sql === sql && target ? { ...live, target } : null;
}

/** A value that is not of its type yet is told at its field. */
function tryCompose(tab: SqlTab, target: RunTarget): ComposedStatement | null {
  try {
    return composeOf(tab, target);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

/** Columns of a statement's result; empty while it cannot be planned. */
export async function columnsOfStatement(
  sql: string,
  refs: Record<string, string>,
  client: QueryClient,
): Promise<ColumnInfo[]> {
  try {
    const { columns } = await planOf({ sql, refs, maxRows: maxShownRows }, client);
    return columns.map(({ name, type }) => ({
      name,
      type,
      nullable: true,
      role: 'other',
      description: '',
      tags: [],
    }));
  } catch (error) {
    if (isAppError(error)) return [];
    throw error;
  }
}

const valuesShown = 40;
const valueMs = 4_000;

/** The most common values of a column, for completion, as literals; numbers only where there are few. */
export async function valuesOf(
  { table, column }: { table: string; column: string },
  refs: Record<string, string>,
  client: QueryClient,
): Promise<string[]> {
  const { table: asked, ref } = parseRelationName(table);
  const refText = ref === null ? (refs[asked] ?? 'main') : formatRef(ref);
  return client
    .ensureQueryData({
      queryKey: ['sql', 'values', asked, refText, column],
      staleTime: 60_000,
      retry: false,
      queryFn: async ({ signal }) => {
        const { columns } = await callJson('profile', {
          params: { table: asked },
          body: { ref: refText, columns: [column] },
          signal: AbortSignal.any([signal, AbortSignal.timeout(valueMs)]),
        });
        const [{ top, distinct } = { top: null, distinct: null }] = columns;
        const isFew = distinct !== null && distinct <= valuesShown;
        return (top ?? [])
          .flatMap(({ value }) =>
            typeof value === 'string' ? [quoteText(value)] : isFew && value !== null ? [String(value)] : [],
          )
          .slice(0, valuesShown);
      },
    })
    .catch((): string[] => []);
}
