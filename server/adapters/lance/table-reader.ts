import type { TableReader } from '../../ports/table-reader.ts';
import { readBlob } from './blob.ts';
import { BlobPlaces } from './blob-places.ts';
import type { LanceHome } from './connect.ts';
import { HeadReader } from './heads.ts';
import { listTables } from './list-tables.ts';
import { PermutationCache } from './permutation/permutation-cache.ts';
import { type LinkRoles, PinnedTables } from './pinned-tables.ts';
import { readPlaced } from './placed-bytes.ts';
import { profileTable } from './profile/profile-table.ts';
import { countMatches } from './rows/count-rows.ts';
import { groupRows } from './rows/group-rows.ts';
import { locateRow } from './rows/locate-row.ts';
import { readRows } from './rows/read-rows.ts';
import { searchRows } from './search/search-rows.ts';
import { listVersions } from './versions.ts';

export type LanceReader = TableReader;

const filterOf = (where: string | undefined): string | undefined =>
  where === undefined || where.trim() === '' ? undefined : where;

/** The parts that reads of one home share. */
export interface LanceParts {
  home: LanceHome;
  heads: HeadReader;
  tables: PinnedTables;
  permutations: PermutationCache;
}

export interface LancePartsOptions {
  home: LanceHome;
  cache: string;
  links?: LinkRoles;
}

export function createLanceParts({ home, cache, links }: LancePartsOptions): LanceParts {
  const heads = new HeadReader(home);
  return {
    home,
    heads,
    tables: new PinnedTables({ home, heads, cache, links }),
    permutations: new PermutationCache({ cache }),
  };
}

/** Reads of pinned refs over LanceDB. */
export function createLanceReader({ home, heads, tables, permutations }: LanceParts): LanceReader {
  const places = { home: home.path, tables, permutations, blobs: new BlobPlaces(home) };
  return {
    listTables: (_input, { signal }) => listTables(home, signal),
    readHeads: (input, context) => heads.readHeads(input, context),
    hasVersion: (input, context) => heads.hasVersion(input, context),
    describe: async (input, context) => (await tables.open(input, context)).facts,
    rows: (input, context) => readRows({ ...input, where: filterOf(input.where) }, context, places),
    locate: (input, context) => locateRow({ ...input, where: filterOf(input.where) }, context, places),
    groups: (input, context) => groupRows({ ...input, where: filterOf(input.where) }, context, places),
    blob: (input, context) => readBlob(input, context, places),
    placedBytes: (input, context) => readPlaced(home, input, context),
    search: (input, context) => searchRows({ ...input, where: filterOf(input.where) }, context, places),
    profile: (input, context) => profileTable({ ...input, where: filterOf(input.where) }, context, places),
    versions: (input, context) => listVersions(home, input, context),
    async count(input, context) {
      const table = await tables.open(input, context);
      const place = { table: input.table, ref: input.ref, home: home.path };
      return {
        rows: await countMatches({
          table,
          permutations,
          where: filterOf(input.where),
          place,
          signal: context.signal,
        }),
      };
    },
  };
}
