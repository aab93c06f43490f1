import { arrow } from '../../../arrow/arrow.ts';
import type { CallContext } from '../../../ports/call.ts';
import type { LocateInput, RowPlace } from '../../../ports/table-reader.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import type { PinnedTable } from '../pinned-tables.ts';
import { filesOfQuery } from './files-of-query.ts';
import { rowIdColumn } from './plan-columns.ts';
import type { RowsPlaces } from './read-rows.ts';

interface Found {
  rowId: bigint;
  /** Where it lies among the rows of the table. */
  lies: number;
}

async function findRow(
  table: PinnedTable,
  wanted: string,
  { place, signal }: { place: LanceErrorPlace; signal: AbortSignal },
): Promise<Found | null> {
  const query = table.handle.query().select([rowIdColumn, '_rowoffset']).where(wanted).limit(1);
  for await (const file of filesOfQuery(query, { place, signal, batchRows: 1 })) {
    const rows = arrow.tableFromIPC(file);
    if (rows.numRows === 0) continue;
    return {
      rowId: BigInt(rows.getChild(rowIdColumn)!.get(0) as bigint),
      lies: Number(rows.getChild('_rowoffset')!.get(0)),
    };
  }
  return null;
}

/**
 * Where a row stands in a result: among all rows by its id or by where it lies, in filtered and sorted results by the
 * kept order of ids, which is made where it is not there yet.
 */
export async function locateRow(
  input: LocateInput,
  context: CallContext,
  { home, tables, permutations }: RowsPlaces,
): Promise<RowPlace> {
  const table = await tables.open(input, context);
  const place = { table: input.table, ref: input.ref, home };
  const { signal } = context;
  const { where, orderBy = [] } = input;
  const found = await findRow(table, input.wanted, { place, signal });
  if (orderBy.length > 0 || where !== undefined) {
    const order = await permutations.whole({
      ...table,
      pinnedKey: table.key,
      place,
      where,
      orderBy,
      signal,
    });
    return placeOf(found, order.count, found && (await order.positionOf(found.rowId, signal)));
  }
  const byId = await table.idOrder();
  return placeOf(found, table.facts.rows, found && (byId ? byId.positionOf(found.rowId) : found.lies));
}

const placeOf = (found: Found | null, total: number, position: number | null): RowPlace => ({
  rowId: found === null ? null : String(found.rowId),
  position,
  total,
});
