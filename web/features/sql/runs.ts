import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand/vanilla';
import { AppError, isAppError, parseProblem } from '#shared/api/problem.ts';
import type { Session } from '#shared/api/session.ts';
import type { SqlBody, SqlPlan } from '#shared/api/sql.ts';
import type { StatementSpan } from '#shared/sql/split-statements.ts';
import { callArrow, callJson, queryKeys } from '../../api/index.ts';
import { getBrowserEngine } from '../../engine/index.ts';
import { type RunProgress, runSql, type SqlResult, type SqlRunPorts } from './model/run-sql.ts';
import { remember, type SqlTab, sqlStore } from './store.ts';

/** The statement of a tab that runs or ran last. */
export interface Run {
  /** Where it stands in the tab's text. */
  statement: StatementSpan;
  startedAt: number;
  /** `null`: it has ended. */
  progress: RunProgress | null;
  error: AppError | null;
  isCancelled: boolean;
  /** The newest result; while the next statement runs, that of the one before. */
  result: SqlResult | null;
}

/** Rows that a result shows at most; an export has all. */
export const maxShownRows = 100_000;

export const runStore = createStore<{ runs: Readonly<Record<string, Run>> }>(() => ({ runs: {} }));

const controllers = new Map<string, AbortController>();

const setRun = (id: string, change: (run: Run | undefined) => Run): void =>
  runStore.setState(({ runs }) => ({ runs: { ...runs, [id]: change(runs[id]) } }));

/** Plans are asked for once per statement and heads of the tables. */
const plans = new Map<string, Promise<SqlPlan>>();
const maxPlans = 100;

const headsOf = (client: QueryClient): string =>
  JSON.stringify(
    client
      .getQueryData<Session>(queryKeys.session)
      ?.tables.map(({ name, branches }) => [name, branches.map((branch) => [branch.name, branch.version])]),
  );

/** The plan of a statement; errors are those of the statement. */
export function planOf(body: SqlBody, client: QueryClient, signal?: AbortSignal): Promise<SqlPlan> {
  const key = JSON.stringify([body, headsOf(client)]);
  const known = plans.get(key);
  if (known) return known;
  const plan = callJson('checkSql', { body, signal }).then(({ plan: found, problem }) => {
    if (found) return found;
    throw problem ? parseProblem(problem) : new Error('The server answered neither a plan nor a problem.');
  });
  plans.set(key, plan);
  plan.catch(() => plans.delete(key));
  for (const oldest of plans.keys()) {
    if (plans.size <= maxPlans) break;
    plans.delete(oldest);
  }
  return plan;
}

const portsOf = (client: QueryClient): SqlRunPorts => ({
  plan: (body, signal) => planOf(body, client, signal),
  runOnServer: (body, signal) => callArrow('runSql', { body, signal }),
  browser: getBrowserEngine(),
});

const asAppError = (thrown: unknown): AppError =>
  isAppError(thrown)
    ? thrown
    : new AppError({
        code: 'INTERNAL',
        message: 'Something went wrong in this page.',
        hint: thrown instanceof Error ? thrown.message : undefined,
        cause: thrown,
      });

/** Runs a statement of a tab; one that still runs there is cancelled. */
export async function startRun(tab: SqlTab, statement: StatementSpan, client: QueryClient): Promise<void> {
  cancelRun(tab.id);
  const controller = new AbortController();
  controllers.set(tab.id, controller);
  const { signal } = controller;
  const isCurrent = () => controllers.get(tab.id) === controller;
  const startedAt = Date.now();
  setRun(tab.id, (run) => ({
    statement,
    startedAt,
    progress: { phase: 'planning' },
    error: null,
    isCancelled: false,
    result: run?.result ?? null,
  }));
  const at = new Date(startedAt).toISOString();
  try {
    const result = await runSql(portsOf(client), {
      sql: statement.text,
      refs: tab.refs,
      choice: sqlStore.getState().choice,
      maxRows: maxShownRows,
      signal,
      onProgress: (progress) => {
        if (isCurrent()) setRun(tab.id, (run) => ({ ...(run as Run), progress }));
      },
    });
    if (!isCurrent()) return;
    setRun(tab.id, (run) => ({ ...(run as Run), progress: null, result }));
    remember({
      sql: statement.text,
      at,
      engine: result.engine,
      rows: result.rows.table.numRows,
      elapsedMs: result.elapsedMs,
      error: null,
    });
  } catch (thrown) {
    if (!isCurrent()) return;
    const error = asAppError(thrown);
    const isCancelled = error.code === 'ABORTED';
    setRun(tab.id, (run) => ({
      ...(run as Run),
      progress: null,
      isCancelled,
      error: isCancelled ? null : error,
      result: isCancelled ? (run?.result ?? null) : null,
    }));
    if (!isCancelled)
      remember({ sql: statement.text, at, engine: null, rows: null, elapsedMs: null, error: error.message });
  } finally {
    if (isCurrent()) controllers.delete(tab.id);
  }
}

/** Stops what runs in a tab, down to the engine. */
export function cancelRun(id: string): boolean {
  const controller = controllers.get(id);
  if (!controller) return false;
  controller.abort();
  return true;
}

/** Forgets the result of a tab that was closed. */
export function dropRun(id: string): void {
  cancelRun(id);
  runStore.setState(({ runs }) => {
    const { [id]: _gone, ...rest } = runs;
    return { runs: rest };
  });
}
