import { BrowserEngine } from './browser-engine.ts';
import { fetchColumns } from './fetch-columns.ts';
import { openWorkerDatabase } from './worker-database.ts';

export {
  type EngineProgress,
  isOnlyForServer,
  type StatementResult,
} from './browser-engine.ts';
export { memoryLimitBytes } from './database.ts';

let engine: BrowserEngine | null = null;

/** DuckDB in this page: one for all screens, so that what one fetched the others have. */
export function getBrowserEngine(): BrowserEngine {
  engine ??= new BrowserEngine({ open: openWorkerDatabase, fetchColumns });
  return engine;
}
