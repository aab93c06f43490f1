import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand/vanilla';
import { AppError, isAppError, parseProblem } from '#shared/api/problem.ts';
import type { Session } from '#shared/api/session.ts';
import type { SqlBody, SqlPlan } from '#shared/api/sql.ts';
import { parseCells } from '#shared/sql/cells.ts';
import type { StatementSpan } from '#shared/sql/split-statements.ts';
import { callArrow, callJson, queryKeys } from '../../api/index.ts';
import { getBrowserEngine } from '../../engine/index.ts';
import { type ComposedStatement, composeStatement, errorInSource } from './model/compose-statement.ts';
import { paramsShown } from './model/params-shown.ts';
import {
  maxResultBytes,
  type RunProgress,
  runSql,
  type SqlResult,
  type SqlRows,
  type SqlRunPorts,
} from './model/run-sql.ts';
import { remember, type SqlTab } from './store.ts';

/** The statement of a cell that runs or ran last. */
export interface Run {
  /** Where it stands in the cell's text. */
  statement: StatementSpan;
  startedAt: number;
  /** `null`: it has ended. */
  progress: RunProgress | null;
  error: AppError | null;
  /** The cell that the error stands in, by its name; another one than this where an earlier one is wrong. */
  errorCell: string | null;
  isCancelled: boolean;
  /** Rows that are there while more are coming. */
  arriving: SqlRows | null;
  /** Parameters that had no value: NULL stood for them. */
  nulls: readonly string[];
  /** The newest result; while the next statement runs, that of the one before. */
  result: SqlResult | null;
}

/** Rows that a result shows at most; an export has all. */
export const maxShownRows = 100_000;

export const runStore = createStore<{ runs: Readonly<Record<string, Run>> }>(() => ({ runs: {} }));

/** One run per cell of a tab; a tab without cells has one. */
export const runKey = (tabId: string, cell: string): string => `${tabId}/${cell}`;

/** Inverse of {@link runKey}. */
export function placeOfRun(key: string): { tabId: string; cell: string } {
  const at = key.indexOf('/');
  return { tabId: key.slice(0, at), cell: key.slice(at + 1) };
}

const controllers = new Map<string, AbortController>();

const setRun = (key: string, change: (run: Run | undefined) => Run): void =>
  runStore.setState(({ runs }) => ({ runs: { ...runs, [key]: change(runs[key]) } }));

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

/** What statements reach the world through. */
export const portsOf = (client: QueryClient): SqlRunPorts => ({
  plan: (body, signal) => planOf(body, client, signal),
  runOnServer: (body, signal, onPart) =>
    callArrow('runSql', { body, signal }, { onPart, maxBytes: maxResultBytes }),
  activity: (runId, signal) => callJson('sqlActivity', { query: { runId }, signal }),
  browser: getBrowserEngine(),
});

export const asAppError = (thrown: unknown): AppError =>
  isAppError(thrown)
    ? thrown
    : new AppError({
        code: 'INTERNAL',
        message: 'Something went wrong in this page.',
        hint: thrown instanceof Error ? thrown.message : undefined,
        cause: thrown,
      });

/** A statement of a tab: which cell it stands in, and where in that cell's text. */
export interface RunTarget {
  cell: number;
  statement: StatementSpan;
}

/** What is sent for a statement of a tab. Throws BAD_REQUEST where a parameter's value cannot be. */
export function composeOf({ sql, params }: SqlTab, { cell, statement }: RunTarget): ComposedStatement {
  const cells = parseCells(sql);
  const start = (cells[cell]?.start ?? 0) + statement.start;
  return composeStatement({ cells, cell, start, text: statement.text, params: paramsShown(sql, params) });
}

/** Runs a statement of a tab; one that still runs in that cell is cancelled. True when it gave a result. */
export async function startRun(tab: SqlTab, target: RunTarget, client: QueryClient): Promise<boolean> {
  const cells = parseCells(tab.sql);
  const { statement } = target;
  const key = runKey(tab.id, cells[target.cell]?.name ?? '');
  cancelRun(key);
  const controller = new AbortController();
  controllers.set(key, controller);
  const { signal } = controller;
  const isCurrent = () => controllers.get(key) === controller;
  const startedAt = Date.now();
  setRun(key, (run) => ({
    statement,
    startedAt,
    progress: { phase: 'planning' },
    error: null,
    errorCell: null,
    isCancelled: false,
    arriving: null,
    nulls: [],
    result: run?.result ?? null,
  }));
  const entry = { sql: statement.text, refs: tab.refs, at: new Date(startedAt).toISOString() };
  let composed: ComposedStatement | null = null;
  try {
    composed = composeOf(tab, target);
    const { nulls } = composed;
    setRun(key, (run) => ({ ...(run as Run), nulls }));
    const result = await runSql(portsOf(client), {
      sql: composed.sql,
      refs: tab.refs,
      choice: tab.choice,
      maxRows: maxShownRows,
      signal,
      onProgress: (progress) => {
        if (isCurrent()) setRun(key, (run) => ({ ...(run as Run), progress }));
      },
      onRows: (arriving) => {
        if (isCurrent()) setRun(key, (run) => ({ ...(run as Run), arriving }));
      },
    });
    if (!isCurrent()) return false;
    setRun(key, (run) => ({ ...(run as Run), progress: null, arriving: null, result }));
    const { engine, elapsedMs, rows } = result;
    remember({ ...entry, engine, rows: rows.table.numRows, elapsedMs, error: null });
    return true;
  } catch (thrown) {
    if (!isCurrent()) return false;
    const isCancelled = asAppError(thrown).code === 'ABORTED';
    const { error, cell } = composed
      ? errorInSource(asAppError(thrown), composed, cells)
      : { error: asAppError(thrown), cell: null };
    setRun(key, (run) => ({
      ...(run as Run),
      progress: null,
      arriving: null,
      isCancelled,
      error: isCancelled ? null : error,
      errorCell: cell === null ? null : (cells[cell]?.name ?? null),
      result: isCancelled ? (run?.result ?? null) : null,
    }));
    if (!isCancelled) remember({ ...entry, engine: null, rows: null, elapsedMs: null, error: error.message });
    return false;
  } finally {
    if (isCurrent()) controllers.delete(key);
  }
}

/** Stops what runs in a cell, down to the engine. */
export function cancelRun(key: string): boolean {
  const controller = controllers.get(key);
  if (!controller) return false;
  controller.abort();
  return true;
}

const keysOf = (tabId: string): string[] =>
  Object.keys(runStore.getState().runs).filter((key) => key.startsWith(`${tabId}/`));

/** Stops everything that runs in a tab. */
export const cancelRuns = (tabId: string): boolean => keysOf(tabId).map(cancelRun).some(Boolean);

/** Forgets the results of a tab that was closed. */
export function dropRuns(tabId: string): void {
  cancelRuns(tabId);
  const gone = new Set(keysOf(tabId));
  runStore.setState(({ runs }) => ({
    runs: Object.fromEntries(Object.entries(runs).filter(([key]) => !gone.has(key))),
  }));
}

/** A cell that has another name keeps its result. */
export function renameRun(tabId: string, from: string, to: string): void {
  const [before, after] = [runKey(tabId, from), runKey(tabId, to)];
  const controller = controllers.get(before);
  if (controller) {
    controller.abort();
    controllers.delete(before);
  }
  runStore.setState(({ runs: { [before]: run, ...rest } }) => ({
    runs: run ? { ...rest, [after]: { ...run, progress: null, arriving: null } } : rest,
  }));
}
