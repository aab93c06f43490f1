import { trimMemory } from '../adapters/duckdb/trim-memory.ts';
import { openHome } from '../adapters/lance/connect.ts';
import { createLanceParts, createLanceReader } from '../adapters/lance/table-reader.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';
import type { EngineSettings } from '../compose.ts';
import { linkRolesOf } from './link-roles.ts';

const { home: path, cache, places } = JSON.parse(process.env.CURIO_ENGINE ?? '{}') as EngineSettings;
const parts = createLanceParts({ home: await openHome(path), cache, links: linkRolesOf(places) });
serveEngine([createLanceReader(parts)], { trim: trimMemory });
