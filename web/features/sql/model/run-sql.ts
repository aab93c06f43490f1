import { Table } from '@uwdata/flechette';
import type * as z from 'zod';
import { type AppError, abortedError } from '#shared/api/problem.ts';
import type { SqlBody, SqlPlan, sqlApi } from '#shared/api/sql.ts';
import { planPlacement } from '#shared/domain/placement.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { distinctResultNames } from '#shared/sql/result-names.ts';
import { type ArrowRows, decodeArrowRows } from '../../../api/arrow-rows.ts';
import {
  type EngineProgress,
  isOnlyForServer,
  memoryLimitBytes,
  type StatementResult,
} from '../../../engine/index.ts';
import { pinnedRefsOf } from './sql-link.ts';

export type EngineChoice = 'auto' | 'browser' | 'server';

export type RunProgress =
  | { phase: 'planning' }
  | EngineProgress
  | { phase: 'server' }
  /** All engines of the server are busy with so many statements. */
  | { phase: 'queued'; running: number; ahead: number };

/** A result in this page is cut beyond that: a tab that runs out of memory loses what was typed. */
export const maxResultBytes = 400_000_000;

/** Rows of a statement that still runs. */
export interface SqlRows {
  rows: ArrowRows;
  engine: 'browser' | 'server';
}

export interface SqlRunInput {
  sql: string;
  /** What bare names mean; others mean main's head. */
  refs: Record<string, string>;
  choice: EngineChoice;
  maxRows: number;
  signal: AbortSignal;
  onProgress: (progress: RunProgress) => void;
  /** Gets rows while more are coming. */
  onRows?: (rows: SqlRows) => void;
}

export interface SqlResult {
  sql: string;
  /** What bare names meant, for a link that shows the same rows again. */
  refs: Record<string, string>;
  rows: ArrowRows;
  /** As the plan has them: names and DuckDB's types. */
  columns: SqlPlan['columns'];
  engine: 'browser' | 'server';
  /** Why there. */
  reason: string;
  /** There are more rows than these. */
  isCut: boolean;
  /** Rows of the whole result; `null` where they are not known. */
  total: number | null;
  /** Of the engine alone. */
  elapsedMs: number;
  /** Bytes of the columns that were read. */
  readBytes: number;
  /** Names in the statement with the refs that they meant. */
  relations: { name: string; ref: string }[];
}

export type SqlActivity = z.infer<(typeof sqlApi)['sqlActivity']['reply']['schema']>;

/** What a run reaches the world through. */
export interface SqlRunPorts {
  plan(body: SqlBody, signal: AbortSignal): Promise<SqlPlan>;
  runOnServer(body: SqlBody, signal: AbortSignal, onPart?: (rows: ArrowRows) => void): Promise<ArrowRows>;
  /** How the server's engines stand, and a run of a name that it was given. */
  activity(runId: string, signal: AbortSignal): Promise<SqlActivity>;
  browser: {
    residentBytesOf(tables: SqlPlan['tables']): number;
    run(input: {
      sql: string;
      plan: SqlPlan;
      maxRows: number;
      signal: AbortSignal;
      maxBytes?: number;
      onRows?: (bytes: Uint8Array) => void;
      onProgress?: (progress: EngineProgress) => void;
    }): Promise<StatementResult>;
  };
}

/** Where a planned statement runs in this page. */
export function placeStatement(plan: SqlPlan, choice: EngineChoice, browser: SqlRunPorts['browser']) {
  return planPlacement({
    bytes: plan.bytes,
    residentBytes: browser.residentBytesOf(plan.tables),
    memoryLimitBytes,
    serverOnlyBecause: plan.serverOnlyBecause,
    override: choice === 'auto' ? null : choice,
  });
}

/** Plans a statement, places it, runs it; on the server after all where the browser's engine turns out not to be able to. */
export async function runSql(ports: SqlRunPorts, input: SqlRunInput): Promise<SqlResult> {
  const { sql, refs, choice, maxRows, signal, onProgress } = input;
  onProgress({ phase: 'planning' });
  const plan = await ports.plan({ sql, refs, maxRows }, signal);
  if (signal.aborted) throw abortedError();
  const placement = placeStatement(plan, choice, ports.browser);
  if (placement.engine === 'server') return runOnServer(ports, input, plan, placement.reason);
  try {
    return await runInBrowser(ports, input, plan, placement.reason);
  } catch (error) {
    if (signal.aborted || !isOnlyForServer(error)) throw error;
    return runOnServer(
      ports,
      input,
      plan,
      `in the browser: ${(error as AppError).message.replace(/\.$/, '')}`,
    );
  }
}

const relationsOf = ({ tables }: SqlPlan): SqlResult['relations'] =>
  tables.map(({ name, ref }) => ({ name, ref: formatRef(ref) }));

async function runOnServer(
  ports: SqlRunPorts,
  input: SqlRunInput,
  plan: SqlPlan,
  reason: string,
): Promise<SqlResult> {
  const { sql, refs, maxRows, signal, onProgress, onRows } = input;
  onProgress({ phase: 'server' });
  const pinned = { ...refs, ...pinnedRefsOf(plan.tables) };
  const runId = crypto.randomUUID();
  const watch = watchQueue(ports, runId, input);
  const rows = await ports
    .runOnServer({ sql, refs: pinned, maxRows, runId }, signal, (part) =>
      onRows?.({ rows: part, engine: 'server' }),
    )
    .finally(() => watch.abort());
  const { scope, elapsedMs } = rows.facts;
  return {
    sql,
    refs: pinned,
    rows,
    columns: plan.columns,
    engine: 'server',
    reason,
    isCut: isCutScope(scope, rows.table.numRows, maxRows),
    total: rows.facts.total,
    elapsedMs: elapsedMs ?? 0,
    readBytes: plan.bytes,
    relations: relationsOf(plan),
  };
}

async function runInBrowser(
  ports: SqlRunPorts,
  { sql, refs, maxRows, signal, onProgress, onRows }: SqlRunInput,
  plan: SqlPlan,
  reason: string,
): Promise<SqlResult> {
  const result = await ports.browser.run({
    sql,
    plan,
    maxRows,
    maxBytes: maxResultBytes,
    signal,
    onProgress,
    onRows: (bytes) => {
      const part = decodeArrowRows(bytes);
      onRows?.({ rows: { ...part, table: withDistinctNames(part.table) }, engine: 'browser' });
    },
  });
  const relations = relationsOf(plan);
  const decoded = decodeArrowRows(result.bytes);
  const facts: ArrowRows['facts'] = {
    ...decoded.facts,
    ref: relations.length === 1 ? (relations[0]?.ref ?? null) : null,
    total: result.isCut ? plan.total : result.rows,
    scope: result.isCut ? `first ${result.rows}` : 'all',
    engine: 'duckdb-wasm',
    elapsedMs: result.elapsedMs,
  };
  return {
    sql,
    refs: { ...refs, ...pinnedRefsOf(plan.tables) },
    rows: { ...decoded, table: withDistinctNames(decoded.table), facts },
    columns: plan.columns,
    engine: 'browser',
    reason,
    isCut: result.isCut,
    total: facts.total,
    elapsedMs: result.elapsedMs,
    readBytes: plan.bytes,
    relations,
  };
}

/** A first answer within this time needs no look at the queue. */
const patienceMs = 700;

/** Says that a statement waits for an engine, for as long as it does. */
function watchQueue(ports: SqlRunPorts, runId: string, { signal, onProgress }: SqlRunInput): AbortController {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const look = async (): Promise<void> => {
    const { run, running, waiting } = await ports.activity(runId, either);
    if (either.aborted) return;
    if (run === 'waiting') onProgress({ phase: 'queued', running, ahead: waiting - 1 });
    else if (run === 'running') onProgress({ phase: 'server' });
    if (run !== null) next();
  };
  const next = () => {
    const timer = setTimeout(() => void look().catch(() => undefined), patienceMs);
    either.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  next();
  return over;
}

/** `first 10` says that there are more; `at most the first 10` may be all. */
function isCutScope(scope: string | null, rows: number, maxRows: number): boolean {
  if (scope === null || scope === 'all') return false;
  return scope.startsWith('first ') || rows >= maxRows;
}

/** As the server does it: a second `id` is `id_1`. */
function withDistinctNames(table: Table): Table {
  const names = table.schema.fields.map(({ name }) => name);
  const distinct = distinctResultNames(names);
  if (distinct.every((name, index) => name === names[index])) return table;
  const fields = table.schema.fields.map((field, index) => ({ ...field, name: distinct[index] as string }));
  return new Table({ ...table.schema, fields }, table.children);
}
