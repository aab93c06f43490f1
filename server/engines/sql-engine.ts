import { mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { createSqlEngine, sweepSpillFolders } from '../adapters/duckdb/sql-engine.ts';
import { openHome } from '../adapters/lance/connect.ts';
import { createLanceParts, createLanceReader } from '../adapters/lance/table-reader.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';
import type { EngineSettings } from '../compose.ts';
import { createRowSource } from './row-source.ts';

const { home: path, cache } = JSON.parse(process.env.CURIO_ENGINE ?? '{}') as EngineSettings;

const memoryShare = 0.25;
const maxMemoryBytes = 4e9;
const minMemoryBytes = 512e6;

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

const reader = createLanceReader(createLanceParts({ home, cache }));
const memoryLimitBytes = Math.max(minMemoryBytes, Math.min(maxMemoryBytes, totalmem() * memoryShare));
const source = createRowSource(reader);
serveEngine([createSqlEngine({ source, memoryLimitBytes, spillFolder: `spill-${process.pid}` })]);
