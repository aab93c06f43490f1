import { trimMemory } from '../adapters/duckdb/trim-memory.ts';
import { openHome } from '../adapters/lance/connect.ts';
import { createTableDiff } from '../adapters/lance/diff/index.ts';
import { createLanceParts } from '../adapters/lance/table-reader.ts';
import { createRowTrace } from '../adapters/lance/trace/index.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';
import type { EngineSettings } from '../compose.ts';
import { linkRolesOf } from './link-roles.ts';

const { home: path, cache, places } = JSON.parse(process.env.CURIO_ENGINE ?? '{}') as EngineSettings;
const home = await openHome(path);
serveEngine(
  [createTableDiff(createLanceParts({ home, cache, links: linkRolesOf(places) })), createRowTrace(home)],
  { trim: trimMemory },
);
