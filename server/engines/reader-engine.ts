import { openHome } from '../adapters/lance/connect.ts';
import { createLanceParts, createLanceReader } from '../adapters/lance/table-reader.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';
import type { EngineSettings } from '../compose.ts';

const { home: path, cache } = JSON.parse(process.env.CURIO_ENGINE ?? '{}') as EngineSettings;
const parts = createLanceParts({ home: await openHome(path), cache });
serveEngine([createLanceReader(parts)]);
