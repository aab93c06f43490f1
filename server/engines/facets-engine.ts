import { trimMemory } from '../adapters/duckdb/trim-memory.ts';
import { openHome } from '../adapters/lance/connect.ts';
import { createLanceFacets } from '../adapters/lance/facets/lance-facets.ts';
import { createLanceParts } from '../adapters/lance/table-reader.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';
import type { EngineSettings } from '../compose.ts';
import { linkRolesOf } from './link-roles.ts';

const {
  home: path,
  cache,
  places,
  memory: { facetBytes },
} = JSON.parse(process.env.CURIO_ENGINE ?? '{}') as EngineSettings;
const parts = createLanceParts({ home: await openHome(path), cache, links: linkRolesOf(places) });
serveEngine([createLanceFacets(parts, { budgetBytes: facetBytes })], { trim: trimMemory });
