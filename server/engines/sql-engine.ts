import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSqlEngine, sweepSpillFolders } from '../adapters/duckdb/sql-engine.ts';
import { trimMemory } from '../adapters/duckdb/trim-memory.ts';
import { planCarryOver } from '../adapters/lance/carry-over.ts';
import { openHome } from '../adapters/lance/connect.ts';
import { createLanceParts, createLanceReader } from '../adapters/lance/table-reader.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';
import type { EngineSettings } from '../compose.ts';
import { linkRolesOf } from './link-roles.ts';
import { createRowSource } from './row-source.ts';

const {
  home: path,
  cache,
  places,
  memory: { sqlBytes, sqlLoadBytes },
} = JSON.parse(process.env.CURIO_ENGINE ?? '{}') as EngineSettings;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const home = await openHome(path);
const folder = join(cache, 'sql');
mkdirSync(folder, { recursive: true });
process.chdir(folder);
await sweepSpillFolders(folder, isAlive);

const reader = createLanceReader(createLanceParts({ home, cache, links: linkRolesOf(places) }));
const source = createRowSource(reader, (input) => planCarryOver(home, input));
serveEngine(
  [
    createSqlEngine({
      source,
      memoryLimitBytes: sqlBytes,
      maxLoadBytes: sqlLoadBytes,
      spillFolder: `spill-${process.pid}`,
    }),
  ],
  { trim: trimMemory },
);
