import { trimMemory } from '../adapters/duckdb/trim-memory.ts';
import { openHome } from '../adapters/lance/connect.ts';
import { createTableDropper } from '../adapters/lance/drop-table.ts';
import { createLanceTableCare } from '../adapters/lance/table-care.ts';
import { createLanceRowWriter } from '../adapters/lance/table-writer.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';
import type { EngineSettings } from '../compose.ts';
import { guardWriter } from '../failpoints.ts';

const { home: path, cache } = JSON.parse(process.env.CURIO_ENGINE ?? '{}') as EngineSettings;
const home = await openHome(path);
serveEngine(
  [guardWriter(createLanceRowWriter(home)), createLanceTableCare(home), createTableDropper({ home, cache })],
  { trim: trimMemory },
);
