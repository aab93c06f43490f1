import type { TableReader } from '../../ports/table-reader.ts';
import { HeadReader } from './heads.ts';
import { listTables } from './list-tables.ts';
import { readPlaced } from './placed-bytes.ts';
import { createTableStorage } from './table-storage.ts';

/**
 * Which tables, branches, versions and tags there are, and bytes whose place is known: read from files alone, without Lance, so that it may run in the
 * process that answers requests.
 */
export function createRefReader(
  path: string,
): Pick<TableReader, 'listTables' | 'readHeads' | 'hasVersion' | 'placedBytes'> {
  const home = { path, storage: createTableStorage(path) };
  const heads = new HeadReader(home);
  return {
    listTables: (_input, { signal }) => listTables(home, signal),
    readHeads: (input, context) => heads.readHeads(input, context),
    hasVersion: (input, context) => heads.hasVersion(input, context),
    placedBytes: (input, context) => readPlaced(home, input, context),
  };
}
