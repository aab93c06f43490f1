import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { notFound } from '#shared/api/problem.ts';
import { assertTableName } from '#shared/domain/names.ts';
import type { TableImporter } from '../../ports/table-importer.ts';
import type { LanceHome } from './connect.ts';
import { translateLanceError, withLanceErrors } from './lance-errors.ts';
import { stagedFolder, stagingOwner } from './staged-table.ts';
import { tableFolder } from './table-files.ts';

/**
 * Deletes tables for good. A table's folder is renamed first, in one step, so that a handle that is still open cannot
 * write a broken table back under the name, and a kill in the middle leaves nothing that a list would show.
 */
export function createTableDropper({
  home,
  cache,
}: {
  home: LanceHome;
  cache: string;
}): Pick<TableImporter, 'dropTable'> {
  return {
    async dropTable({ table }) {
      assertTableName(table);
      const grave = stagedFolder(home, `${stagingOwner(cache)}-dropped-${randomUUID()}`);
      try {
        await rename(join(home.path, tableFolder(table)), grave);
      } catch (error) {
        if ((error as { code?: string }).code === 'ENOENT') throw notFound(`The table ${table}`);
        throw translateLanceError(error, { table });
      }
      await withLanceErrors({ table }, () => rm(grave, { recursive: true, force: true, maxRetries: 5 }));
    },
  };
}
