import { fileURLToPath } from 'node:url';
import type { JobInfo } from '#shared/api/jobs.ts';
import { isAppError } from '#shared/api/problem.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { FoundSource } from '../ports/source-files.ts';
import type { Settings } from '../settings.ts';
import { type DemoTable, demoTables } from './demo-tables.ts';
import { assertFreeName, startImport } from './import-table.ts';

const packageFolder = fileURLToPath(new URL('../../', import.meta.url));
const madeFact = (name: string): string => `demo.made:${name}`;

async function findSources(
  { paths }: DemoTable,
  ports: Ports,
  context: CallContext,
): Promise<FoundSource[] | null> {
  const found: FoundSource[] = [];
  for (const path of paths) {
    try {
      const [source] = await ports.files.find(packageFolder + path, context.signal);
      if (source) found.push({ path: source.path, label: path });
    } catch (error) {
      if (isAppError(error) && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }
  return found;
}

/** Remembers that a demo table was made, or that somebody did not want it; a kill or a failure leaves it for the next start. */
async function rememberEnd(ports: Ports, name: string, id: string): Promise<void> {
  let last: JobInfo | null = null;
  for await (const job of ports.jobs.follow(id, new AbortController().signal)) last = job;
  const isUnwanted = last?.state === 'cancelled' && !ports.jobs.isClosed();
  if (last?.state === 'done' || isUnwanted) ports.store.facts.set(madeFact(name), ports.now().toISOString());
}

async function startTable(table: DemoTable, ports: Ports, context: CallContext): Promise<void> {
  if (ports.store.facts.get(madeFact(table.name)) !== null) return;
  const sources = await findSources(table, ports, context);
  if (sources === null) return;
  try {
    await assertFreeName(ports, table.name, context);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'EXISTS') throw error;
    ports.store.facts.set(madeFact(table.name), ports.now().toISOString());
    return;
  }
  const { name, key, description, columns } = table;
  const job = startImport(ports, {
    name,
    key,
    sources,
    principal: { name: 'Curio', kind: 'local' },
    options: { description, columns },
    message: 'Made with the demo',
  });
  void rememberEnd(ports, name, job.id);
}

/** Makes the demo tables that were never made, as jobs; a table that has the name is left alone. */
export async function makeDemoTables(
  ports: Ports,
  context: CallContext,
  tables: readonly DemoTable[] = demoTables,
): Promise<void> {
  for (const table of tables) await startTable(table, ports, context);
}

/** As {@link makeDemoTables}, in the background, unless the settings say no. */
export function makeDemo(ports: Ports, settings: Pick<Settings, 'hasDemo'>): void {
  if (!settings.hasDemo) return;
  makeDemoTables(ports, { signal: new AbortController().signal }).catch((error) => {
    process.stderr.write(
      `The demo tables could not be made: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  });
}
