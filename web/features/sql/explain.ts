import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand/vanilla';
import { AppError } from '#shared/api/problem.ts';
import type { SqlPlan } from '#shared/api/sql.ts';
import { parseCells } from '#shared/sql/cells.ts';
import { decodeArrowRows } from '../../api/arrow-rows.ts';
import { isOnlyForServer } from '../../engine/index.ts';
import { type ComposedStatement, errorInSource } from './model/compose-statement.ts';
import { type PlanTree, parsePlanTree } from './model/explain-tree.ts';
import { placeStatement } from './model/run-sql.ts';
import { pinnedRefsOf } from './model/sql-link.ts';
import { asAppError, composeOf, maxShownRows, portsOf, type RunTarget, runKey } from './runs.ts';
import type { SqlTab } from './store.ts';

/** How a statement ran: its steps, what they read, and where. */
export interface Explained {
  sql: string;
  isRunning: boolean;
  error: AppError | null;
  plan: SqlPlan | null;
  engine: 'browser' | 'server' | null;
  reason: string;
  tree: PlanTree | null;
}

interface ExplainState {
  explained: Readonly<Record<string, Explained>>;
  /** Cells that show their plan in place of the rows. */
  shown: Readonly<Record<string, boolean>>;
}

export const explainStore = createStore<ExplainState>(() => ({ explained: {}, shown: {} }));

export const showPlan = (key: string, isShown: boolean): void =>
  explainStore.setState(({ shown }) => ({ shown: { ...shown, [key]: isShown } }));

const controllers = new Map<string, AbortController>();

/** Runs a statement for its plan, where it would run, and shows the plan in place of the rows. */
export async function startExplain(tab: SqlTab, target: RunTarget, client: QueryClient): Promise<void> {
  const cells = parseCells(tab.sql);
  const key = runKey(tab.id, cells[target.cell]?.name ?? '');
  controllers.get(key)?.abort();
  const controller = new AbortController();
  controllers.set(key, controller);
  const empty = { error: null, plan: null, engine: null, reason: '', tree: null };
  const set = (change: Partial<Explained>) => {
    if (controllers.get(key) !== controller) return;
    explainStore.setState(({ explained }) => ({
      explained: {
        ...explained,
        [key]: { sql: target.statement.text, isRunning: true, ...empty, ...explained[key], ...change },
      },
    }));
  };
  showPlan(key, true);
  set({ sql: target.statement.text, isRunning: true, ...empty });
  let composed: ComposedStatement | null = null;
  try {
    composed = composeOf(tab, target);
    await explain(composed, tab, { client, signal: controller.signal, set });
  } catch (thrown) {
    const error = asAppError(thrown);
    set({ isRunning: false, error: composed ? errorInSource(error, composed, cells).error : error });
  }
}

interface ExplainParts {
  client: QueryClient;
  signal: AbortSignal;
  set: (change: Partial<Explained>) => void;
}

async function explain(
  { sql }: ComposedStatement,
  { refs, choice }: SqlTab,
  { client, signal, set }: ExplainParts,
): Promise<void> {
  const ports = portsOf(client);
  const plan = await ports.plan({ sql, refs, maxRows: maxShownRows }, signal);
  if (plan.serverOnlyBecause?.startsWith('EXPLAIN'))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'The statement is an EXPLAIN already.',
      hint: 'Run it, or explain the statement without that word.',
    });
  const placed = placeStatement(plan, choice, ports.browser);
  set({ plan, ...placed });
  const asked = `EXPLAIN (ANALYZE, FORMAT json) ${sql}`;
  const onServer = async () => {
    const body = { sql: asked, refs: { ...refs, ...pinnedRefsOf(plan.tables) } };
    return (await ports.runOnServer(body, signal)).table;
  };
  const inBrowser = async () =>
    decodeArrowRows((await ports.browser.run({ sql: asked, plan, maxRows: 10, signal })).bytes).table;
  let table = null;
  if (placed.engine === 'server') table = await onServer();
  else {
    try {
      table = await inBrowser();
    } catch (error) {
      if (signal.aborted || !isOnlyForServer(error)) throw error;
      set({ engine: 'server', reason: `in the browser: ${(error as AppError).message}` });
      table = await onServer();
    }
  }
  const text = String(table.getChild('explain_value')?.at(0) ?? '');
  set({ isRunning: false, tree: parsePlanTree(text, plan.tables) });
}
