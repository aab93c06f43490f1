import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { EditOp } from '#shared/domain/edits.ts';
import { createSourceFiles } from './adapters/files/source-files.ts';
import { openTemporaryFolder } from './adapters/files/temporary-folder.ts';
import { createJobRunner } from './adapters/jobs/job-runner.ts';
import { createRefReader } from './adapters/lance/ref-reader.ts';
import { createMediaPlaces } from './adapters/places/media-places.ts';
import { EnginePool, type EnginePoolOptions } from './adapters/process/engine-pool.ts';
import { MemoryKeeper } from './adapters/process/memory-keeper.ts';
import { createRemote } from './adapters/process/remote.ts';
import { openStudioStore } from './adapters/sqlite/studio-store.ts';
import { guardStore } from './failpoints.ts';
import { type MemoryPlan, planMemory } from './memory-plan.ts';
import type { Ports } from './ports/index.ts';
import type { TableReader } from './ports/table-reader.ts';
import type { PlanEditInput } from './ports/table-writer.ts';
import type { Settings } from './settings.ts';
import { rememberHome } from './usecases/home-notice.ts';
import { sqlEngines } from './usecases/sql-runs.ts';

/** What an engine process needs to know, in `CURIO_ENGINE`. */
export interface EngineSettings {
  home: string;
  cache: string;
  /** Where media may lie outside of the tables. */
  places: string[];
  memory: MemoryPlan;
}

const nativeEnv = {
  MALLOC_ARENA_MAX: '2',
  LANCEDB_LOG: 'error',
  LANCE_MEM_POOL_SIZE: '1073741824',
  MALLOC_MMAP_THRESHOLD_: '1073741824',
  MALLOC_TRIM_THRESHOLD_: '2147483648',
  MALLOC_TOP_PAD_: '67108864',
};

/** A cancelled import clears away what it wrote. */
const importGraceMs = 60_000;

/** Engines that are seldom needed do not stay. */
const maxRestMs = 10_000;

/** One picture each: decoders cannot be stopped but with their process, and what hangs there must hold nobody up. */
const mediaProcesses = Math.min(6, Math.max(3, availableParallelism()));
const maxMediaMs = 20_000;

interface MaybeHeavy {
  where?: string;
  orderBy?: unknown[];
}

/** What a person typed reaches native code, or the whole table is sorted: such calls get a process of their own. */
const isHeavy = ({ where, orderBy = [] }: MaybeHeavy): boolean => where !== undefined || orderBy.length > 0;

/** True when an edit has filters or expressions of a person, which its planning gives to native code. */
const hasExpressions = ({ ops = [] }: { ops?: EditOp[] }): boolean =>
  ops.some((op) => op.op === 'setSql' || 'sql' in op || ('rows' in op && 'where' in op.rows));

export type PoolName =
  | 'reader'
  | 'filter'
  | 'facets'
  | 'diff'
  | 'edit'
  | 'writer'
  | 'import'
  | 'sql'
  | 'plan'
  | 'media';

export interface RealPorts extends Ports {
  pools: Record<PoolName, EnginePool>;
  close(): Promise<void>;
}

/** Makes the real adapters: SQLite here, native code in processes that may die. */
export function createPorts(settings: Settings, onLog: (line: string) => void): RealPorts {
  mkdirSync(settings.state, { recursive: true });
  mkdirSync(settings.cache, { recursive: true });
  const temporary = openTemporaryFolder(join(settings.cache, 'tmp'));
  const memory = planMemory(settings.memoryBytes);
  const keeper = new MemoryKeeper({ totalBytes: memory.totalBytes });
  const engineSettings: EngineSettings = {
    home: settings.home,
    cache: settings.cache,
    places: settings.places,
    memory,
  };
  const pool = (
    name: string,
    entry: string,
    size: number,
    callsPerProcess: number,
    more: Pick<EnginePoolOptions, 'graceMs' | 'maxCallMs' | 'maxIdleBytes' | 'maxRestMs' | 'handsOver'> = {},
  ): EnginePool => {
    const options: EnginePoolOptions = {
      name,
      module: new URL(`./engines/${entry}.ts`, import.meta.url),
      settings: engineSettings,
      env: { ...nativeEnv, TMPDIR: temporary.path },
      size,
      callsPerProcess,
      maxIdleBytes: memory.idleBytes.other,
      keeper,
      onLog,
      ...more,
    };
    return new EnginePool(options);
  };
  const pools: Record<PoolName, EnginePool> = {
    reader: pool('reader', 'reader-engine', 1, 32, {
      handsOver: true,
      maxIdleBytes: memory.idleBytes.reader,
    }),
    filter: pool('filter', 'reader-engine', 2, 1, { maxIdleBytes: memory.idleBytes.sorter }),
    facets: pool('facets', 'facets-engine', 1, 4, { maxIdleBytes: memory.idleBytes.facets }),
    diff: pool('diff', 'diff-engine', 1, 4),
    edit: pool('edit', 'writer-engine', 1, 1, { maxRestMs }),
    writer: pool('writer', 'writer-engine', 1, 16),
    import: pool('import', 'import-engine', 2, 1, { graceMs: importGraceMs, maxRestMs }),
    sql: pool('sql', 'sql-engine', sqlEngines, 1, {
      handsOver: true,
      maxIdleBytes: memory.idleBytes.sql,
    }),
    plan: pool('plan', 'sql-engine', 1, 1),
    media: pool('media', 'media-engine', mediaProcesses, 1, { maxCallMs: maxMediaMs }),
  };
  const store = guardStore(openStudioStore(join(settings.state, 'studio.db')));
  rememberHome(store, settings.home);
  const jobs = createJobRunner({ archive: store.jobs });
  return {
    reader: createRemote<TableReader>(
      (method, input) =>
        method === 'search' || method === 'profile' || method === 'locate' || isHeavy(input as MaybeHeavy)
          ? pools.filter
          : pools.reader,
      createRefReader(settings.home),
    ),
    facets: createRemote(() => pools.facets),
    diff: createRemote(() => pools.diff),
    trace: createRemote(() => pools.diff),
    writer: createRemote((method, input) =>
      method === 'planEdit' && hasExpressions(input as PlanEditInput) ? pools.edit : pools.writer,
    ),
    importer: createRemote((method) => (method === 'dropTable' ? pools.writer : pools.import)),
    sql: createRemote((method) => (method === 'run' ? pools.sql : pools.plan)),
    media: createRemote(() => pools.media),
    places: createMediaPlaces(settings.places),
    store,
    files: createSourceFiles({ folder: join(settings.state, 'uploads'), workingFolder: process.cwd() }),
    jobs,
    now: () => new Date(),
    pools,
    async close() {
      await jobs.close();
      await Promise.all(Object.values(pools).map((entry) => entry.close()));
      store.close();
      temporary.remove();
    },
  };
}
