import { join } from 'node:path';
import { createTableDiff } from '../adapters/lance/diff/index.ts';
import { createLanceTableCare } from '../adapters/lance/table-care.ts';
import { createLanceParts, createLanceReader } from '../adapters/lance/table-reader.ts';
import { createLanceRowWriter } from '../adapters/lance/table-writer.ts';
import { createRowTrace } from '../adapters/lance/trace/index.ts';
import { openStudioStore } from '../adapters/sqlite/studio-store.ts';
import type { Ports } from '../ports/index.ts';
import type { TableReader } from '../ports/table-reader.ts';
import { makeTestHome, type TestHome } from './tables.ts';

/** What use cases of tables need: Lance in this process, a real studio.db, over a folder of its own. */
export interface TablePorts extends Pick<Ports, 'writer' | 'diff' | 'trace' | 'store' | 'now'> {
  reader: TableReader;
  home: TestHome;
  /** Closes studio.db and opens it again, as a start of the server does. */
  reopenStore(): void;
  close(): Promise<void>;
}

export async function makeTablePorts(): Promise<TablePorts> {
  const home = await makeTestHome();
  const parts = createLanceParts({ home, cache: join(home.path, '.cache') });
  const path = join(home.path, 'studio.db');
  const ports: TablePorts = {
    home,
    reader: createLanceReader(parts) as TableReader,
    writer: { ...createLanceRowWriter(home), ...createLanceTableCare(home) },
    diff: createTableDiff({ home, tables: parts.tables }),
    trace: createRowTrace(home),
    store: openStudioStore(path),
    now: () => new Date(),
    reopenStore() {
      ports.store.close();
      ports.store = openStudioStore(path);
    },
    async close() {
      ports.store.close();
      await home.remove();
    },
  };
  return ports;
}
