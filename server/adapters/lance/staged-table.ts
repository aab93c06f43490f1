import { createHash } from 'node:crypto';
import { readdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Index, type Table } from '@lancedb/lancedb';
import { AppError } from '#shared/api/problem.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { Table as ArrowTable, RecordBatch, Schema } from '../../arrow/arrow.ts';
import type { StagedTable } from '../../arrow/staged-table.ts';
import { type LanceHome, newTableOptions } from './connect.ts';
import { withLanceErrors } from './lance-errors.ts';
import { tableFolder, versionOfManifest, versionsFolder } from './table-files.ts';

/** Tables under such a name are imports that are not complete; no list shows them. */
export const stagingPrefix = '.importing-';
export const stagingName = (stagingId: string): string => `${stagingPrefix}${stagingId}`;

const minFreeBytes = 256 * 1024 * 1024;
/** Fragments from which on a scan is worth a compaction; each has 32 MB or more. */
const compactFrom = 64;

const folderOf = (home: LanceHome, name: string): string => join(home.path, tableFolder(name));

/** Begins the staging ids of one server, told by its cache folder, so that it can sweep its own. */
export const stagingOwner = (cache: string): string =>
  createHash('sha256').update(cache).digest('hex').slice(0, 8);

export const stagedFolder = (home: LanceHome, stagingId: string): string =>
  folderOf(home, stagingName(stagingId));

async function assertDiskSpace(home: LanceHome): Promise<void> {
  const { bavail, bsize } = await statfs(home.path);
  if (bavail * bsize > minFreeBytes) return;
  throw new AppError({
    code: 'MEMORY',
    message: 'The disk of the tables is nearly full.',
    hint: 'Free some space and import again; nothing is left of this import.',
  });
}

/** Versions that the making of a table went through; the table begins with its last. */
async function dropEarlierVersions(home: LanceHome, name: string): Promise<void> {
  const folder = join(home.path, versionsFolder(name, mainBranch));
  const manifests = (await readdir(folder))
    .map((file) => ({ file, version: versionOfManifest(file) }))
    .filter((entry): entry is { file: string; version: number } => entry.version !== null)
    .sort((a, b) => b.version - a.version);
  for (const { file } of manifests.slice(1)) await rm(join(folder, file));
}

/** A table that is being made, out of sight until it is published. One writer, one call at a time. */
export function createStagedTable(home: LanceHome, stagingId: string, schema: Schema): StagedTable {
  const name = stagingName(stagingId);
  let table: Table | null = null;
  let fragments = 0;
  const open = async (): Promise<Table> =>
    (table ??= await home.connection.createEmptyTable(name, schema, { storageOptions: newTableOptions }));
  const lance = <T>(work: () => Promise<T>): Promise<T> => withLanceErrors({ home: home.path }, work);
  return {
    async add(rows: ArrowTable) {
      await assertDiskSpace(home);
      fragments += 1;
      await lance(async () => {
        if (table) await table.add(rows);
        else table = await home.connection.createTable(name, rows, { storageOptions: newTableOptions });
      });
    },
    async *scan(columns) {
      if (!table) return;
      for await (const batch of table.query().select([...columns])) yield batch as RecordBatch;
    },
    async finish({ index, hasBlobs }) {
      const made = await lance(open);
      if (index) await lance(() => made.createIndex(index, { config: Index.btree() }));
      if (fragments > compactFrom && !hasBlobs)
        await lance(() => made.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true }));
      await dropEarlierVersions(home, name);
      return { version: await lance(() => made.version()) };
    },
    async publish(target) {
      try {
        await rename(folderOf(home, name), folderOf(home, target));
      } catch (error) {
        throw new AppError({
          code: 'EXISTS',
          message: `There is a table ${target} already.`,
          hint: 'Choose another name.',
          cause: error,
        });
      }
    },
    async discard() {
      await discardStaged(home, stagingId);
    },
  };
}

/** Removes what an import has built so far. */
export async function discardStaged(home: LanceHome, stagingId: string): Promise<void> {
  await rm(stagedFolder(home, stagingId), { recursive: true, force: true, maxRetries: 5 });
}
