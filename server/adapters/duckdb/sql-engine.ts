import { readdir, rm } from 'node:fs/promises';
import type { DuckDBInstance } from '@duckdb/node-api';
import { type AppError, abortedError } from '#shared/api/problem.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { translateDuckError } from '#shared/sql/duck-error.ts';
import type { CallContext } from '../../ports/call.ts';
import type { SqlEngine, SqlPlanFacts, SqlRelation, SqlRun } from '../../ports/sql-engine.ts';
import { browserObstacle } from './browser-obstacle.ts';
import { ColumnCache } from './column-cache.ts';
import { SizeEstimator } from './estimate-bytes.ts';
import { openDuckDB } from './open-duckdb.ts';
import { readStatement, type Statement } from './read-statement.ts';
import { type Relation, RelationReader, type RowSource } from './relation.ts';
import { runStatement } from './run-statement.ts';
import { type StatementPlan, StatementPlanner } from './statement-planner.ts';
import { tableNamesOf } from './statement-tree.ts';

export interface SqlEngineOptions {
  source: RowSource;
  /** Of the database with the columns; work that needs more spills to the folder. */
  memoryLimitBytes: number;
  /** Relative to the process's folder; `null`: nothing spills. */
  spillFolder: string | null;
  /** Bytes of columns that one statement may load; by default a few times the memory where there is a folder. */
  maxLoadBytes?: number;
}

/** Bytes that a planner's database may take: it holds no rows. */
const plannerBytes = 256e6;
/** Of the memory, for columns that stay. */
const cacheShare = 0.5;
/** Columns of one statement may be larger than the memory: DuckDB moves them to the spill folder. */
const loadFactor = 3;

interface Planned {
  statement: Statement;
  plan: StatementPlan;
}

/** SQL in DuckDB over columns that are read from a source when a statement needs them. One statement at a time. */
export function createSqlEngine(options: SqlEngineOptions): SqlEngine & { close(): Promise<void> } {
  const sizes = new SizeEstimator(options.source);
  const reader = new RelationReader(options.source);
  const turns = createTurns();
  const statements = createKept<Statement>();
  const plans = createKept<Planned>();
  let planner: Promise<StatementPlanner> | null = null;
  let data: Promise<{ instance: DuckDBInstance; cache: ColumnCache }> | null = null;

  const openPlanner = () => {
    planner ??= openDuckDB({ memoryLimitBytes: plannerBytes, spillFolder: null }).then((instance) =>
      StatementPlanner.create(instance),
    );
    return planner;
  };
  const openData = () => {
    data ??= openDataBase(options, sizes);
    return data;
  };
  /** A database that met an error of its own answers nothing any more; the next statement gets a new one. */
  const forgetBroken = ({ code }: AppError): void => {
    if (code !== 'INTERNAL') return;
    planner = null;
    data = null;
  };
  /** Work on a statement: an abort ends it at once, what DuckDB throws is translated. */
  const guarded = async <T>(sql: string, { signal }: CallContext, work: () => Promise<T>): Promise<T> => {
    const interrupt = () => void planner?.then(({ connection }) => connection.interrupt());
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      if (signal.aborted) throw abortedError();
      const translated = translateDuckError(error, { sql });
      forgetBroken(translated);
      throw translated;
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  };

  const readKept = async (sql: string): Promise<Statement> => {
    const known = statements.get(sql);
    if (known) return known;
    return statements.keep(sql, await readStatement((await openPlanner()).connection, sql));
  };
  const planStatement = async (input: SqlRun, context: CallContext): Promise<Planned> => {
    const { sql, params, relations, missing, maxRows } = input;
    const refs = relations.map(({ name, key }) => [name, key]);
    const key = params === undefined ? JSON.stringify([sql, maxRows, refs, missing]) : null;
    const known = key === null ? undefined : plans.get(key);
    if (known) return known;
    const open = await openPlanner();
    const statement = await readKept(sql);
    const read: Relation[] = await Promise.all(relations.map((relation) => reader.read(relation, context)));
    const plan = await open.plan({ statement, relations: read, params, maxRows, missing, sql });
    return key === null ? { statement, plan } : plans.keep(key, { statement, plan });
  };

  return {
    namesOf: ({ sql }, context) =>
      turns(() =>
        guarded(sql, context, async () => {
          const { tree } = await readKept(sql);
          return { names: tableNamesOf(tree) };
        }),
      ),

    plan: (input, context) =>
      turns(() =>
        guarded(input.sql, context, async (): Promise<SqlPlanFacts> => {
          const { statement, plan } = await planStatement(input, context);
          const reads = [];
          for (const { relation, visible, needed, limit } of plan.needs) {
            const rows = Math.min(relation.rows, limit ?? relation.rows);
            reads.push({
              name: relation.name,
              columns: needed.map(({ name }) => name),
              rows: relation.rows,
              bytes: await sizes.estimate(relation, needed, rows, context),
              limit,
              schema: visible.map(({ name, source, type }) => ({ name, source, type: String(type) })),
            });
          }
          return {
            reads,
            resultColumns: plan.resultColumns,
            total: plan.total,
            serverOnlyBecause: browserObstacle(statement, plan),
          };
        }),
      ),

    async run(input, context) {
      const startedAt = performance.now();
      const release = await turns.take();
      try {
        return await guarded(input.sql, context, async () => {
          const { statement, plan } = await planStatement(input, context);
          const { instance, cache } = await openData();
          const { views, release: releaseColumns } = await cache.open(plan.needs, context);
          const errors = { sql: input.sql, offset: statement.offset };
          const onEnd = async () => {
            await releaseColumns();
            release();
          };
          const { params, maxRows } = input;
          const refs = refsOf(input.relations);
          return runStatement(
            instance,
            {
              sql: statement.text,
              params,
              views,
              maxRows,
              total: plan.total,
              refs,
              startedAt,
              errors,
              onEnd,
            },
            context,
          );
        });
      } catch (error) {
        release();
        throw error;
      }
    },

    async close() {
      (await planner)?.connection.closeSync();
      (await data)?.instance.closeSync();
    },
  };
}

async function openDataBase(
  { source, memoryLimitBytes, spillFolder, maxLoadBytes }: SqlEngineOptions,
  sizes: SizeEstimator,
) {
  const instance = await openDuckDB({ memoryLimitBytes, spillFolder });
  const cache = new ColumnCache({
    connection: await instance.connect(),
    source,
    sizes,
    budgetBytes: memoryLimitBytes * cacheShare,
    maxLoadBytes: maxLoadBytes ?? (spillFolder === null ? memoryLimitBytes : memoryLimitBytes * loadFactor),
  });
  return { instance, cache };
}

/** One ref as it is written, several as JSON by name. */
function refsOf(relations: readonly SqlRelation[]): string | null {
  const [first, second] = relations;
  if (!first) return null;
  if (!second) return formatRef(first.ref);
  return JSON.stringify(Object.fromEntries(relations.map(({ name, ref }) => [name, formatRef(ref)])));
}

const maxKept = 100;
/** Longer texts are rarely sent again, and their trees are large. */
const maxKeptText = 20_000;

/** What was made of the last texts: statements that are run again are neither parsed nor planned again. */
function createKept<T>() {
  const kept = new Map<string, T>();
  return {
    get(text: string): T | undefined {
      const found = kept.get(text);
      if (found !== undefined) {
        kept.delete(text);
        kept.set(text, found);
      }
      return found;
    },
    keep(text: string, made: T): T {
      if (text.length > maxKeptText) return made;
      kept.set(text, made);
      for (const oldest of kept.keys()) {
        if (kept.size <= maxKept) break;
        kept.delete(oldest);
      }
      return made;
    },
  };
}

/** One after the other; `take` gives the turn with a function that passes it on. */
function createTurns() {
  let last: Promise<void> = Promise.resolve();
  const take = async (): Promise<() => void> => {
    const before = last;
    let release = () => {};
    last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await take();
    try {
      return await work();
    } finally {
      release();
    }
  };
  return Object.assign(run, { take });
}

/** Removes spill folders of processes that are gone. */
export async function sweepSpillFolders(folder: string, isAlive: (pid: number) => boolean): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^spill-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(`${folder}/${name}`, { recursive: true, force: true });
  }
}
