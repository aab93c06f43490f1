import { openHome } from '../adapters/lance/connect.ts';
import { createLanceFacets } from '../adapters/lance/facets/lance-facets.ts';
import { createLanceParts } from '../adapters/lance/table-reader.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';
import type { EngineSettings } from '../compose.ts';

const { home: path, cache, facetBytes } = JSON.parse(process.env.CURIO_ENGINE ?? '{}') as EngineSettings;
const parts = createLanceParts({ home: await openHome(path), cache });
serveEngine([createLanceFacets(parts, { budgetBytes: facetBytes })]);
