import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isAppError } from '#shared/api/problem.ts';
import { openDuckdbParquetSource } from '../adapters/duckdb/parquet-file-source.ts';
import { openTextSource } from '../adapters/duckdb/text-source.ts';
import { trimMemory } from '../adapters/duckdb/trim-memory.ts';
import type { ImportTools } from '../adapters/import/import-tools.ts';
import { importTable } from '../adapters/import/importer.ts';
import { download } from '../adapters/import/sources/download.ts';
import { openHome } from '../adapters/lance/connect.ts';
import { sweepImports } from '../adapters/lance/import-sweep.ts';
import {
  createStagedTable,
  discardStaged,
  stagedFolder,
  stagingOwner,
} from '../adapters/lance/staged-table.ts';
import { EnginePool } from '../adapters/process/engine-pool.ts';
import { createRemote } from '../adapters/process/remote.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';
import type { EngineSettings } from '../compose.ts';
import type { MediaMaker } from '../ports/media-maker.ts';
import type { TableImporter } from '../ports/table-importer.ts';

const { home: path, cache } = JSON.parse(process.env.CURIO_ENGINE ?? '{}') as EngineSettings;
const home = await openHome(path);
const owner = stagingOwner(cache);
const downloads = join(cache, 'downloads');

const maxPictureMs = 20_000;

/** Pictures of an import are decoded one by one in processes that may die of them, or be ended when one takes too long. */
const decoders = new EnginePool({
  name: 'picture',
  module: new URL('./media-engine.ts', import.meta.url),
  settings: {},
  size: 3,
  callsPerProcess: 1,
  maxCallMs: maxPictureMs,
});
const media = createRemote<MediaMaker>(() => decoders);
const inspectedSize = 64;

const tools: ImportTools = {
  stage: (stagingId, schema) => createStagedTable(home, `${owner}-${stagingId}`, schema),
  openText: openTextSource,
  openOddParquet: openDuckdbParquetSource,
  async inspectPicture(bytes, contentType, signal) {
    try {
      await media.makeThumb({ bytes, contentType, size: inspectedSize }, { signal });
      return null;
    } catch (error) {
      if (!isAppError(error) || signal.aborted) throw error;
      if (error.code === 'UNSUPPORTED_MEDIA') return null;
      return error.code === 'ENGINE_CRASHED' ? 'Its decoder stopped at it.' : error.message;
    }
  },
  download: (url, folder, onBytes, signal) => download(url, folder, { onBytes, signal }),
  async makeFolder(stagingId) {
    const folder = join(downloads, stagingId);
    await mkdir(folder, { recursive: true });
    return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
  },
};

const exists = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );
const stopPatience = 100;
const stopPauseMs = 50;

const importer: Omit<TableImporter, 'dropTable'> = {
  importTable: (input, context) => importTable(input, tools, context),
  async discard({ stagingId }) {
    const folder = stagedFolder(home, `${owner}-${stagingId}`);
    for (let turn = 0; turn < stopPatience && (await exists(folder)); turn += 1) await wait(stopPauseMs);
    await discardStaged(home, `${owner}-${stagingId}`);
    await rm(join(downloads, stagingId), { recursive: true, force: true });
  },
  async sweep(_input, { signal }) {
    await rm(downloads, { recursive: true, force: true });
    return { removed: await sweepImports(home, owner, signal) };
  },
};

serveEngine([importer], { trim: trimMemory });
