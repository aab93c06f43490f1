import { arrow } from '../../../arrow/arrow.ts';
import { type LanceErrorPlace, withLanceErrors } from '../lance-errors.ts';
import type { PermutationCache } from '../permutation/permutation-cache.ts';
import type { PinnedTable } from '../pinned-tables.ts';
import { filesOfQuery } from './files-of-query.ts';
import { namesRowId } from './names-row-id.ts';

export interface CountInput {
  table: PinnedTable;
  permutations: PermutationCache;
  where: string | undefined;
  place: LanceErrorPlace;
  signal: AbortSignal;
}

/** How many rows match; a count that is already known from a kept order of ids costs nothing. */
export async function countMatches({
  table,
  permutations,
  where,
  place,
  signal,
}: CountInput): Promise<number> {
  if (where === undefined) return table.facts.rows;
  const known = await permutations.knownCount({ pinnedKey: table.key, where });
  if (known !== null) return known;
  if (!namesRowId(where)) return withLanceErrors(place, () => table.handle.countRows(where));
  let count = 0;
  const query = table.handle.query().select([]).withRowId().where(where);
  for await (const file of filesOfQuery(query, { place, signal, batchRows: 65_536 }))
    count += arrow.tableFromIPC(file).numRows;
  return count;
}
