import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ColumnDetail } from '#shared/api/facets.ts';
import { isMediaType } from '#shared/domain/column-role.ts';
import { type ColumnType, parseColumnType } from '#shared/domain/column-type.ts';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import type { CallContext } from '../../../../ports/call.ts';
import type { TableFacets } from '../../../../ports/table-facets.ts';
import { chooseProfiledRows } from '../../profile/profiled-rows.ts';
import type { RowsPlaces } from '../../rows/read-rows.ts';
import { detailSummaryFor } from './detail-summaries.ts';
import { detailMedia } from './media-detail.ts';

/** Rows that are looked at of texts, lists and times, and of vectors by their width. */
const exactUpToRows = 131_072;
const vectorBytes = 96 * 1024 * 1024;
const blocks = 64;

function rowsToLookAt(type: ColumnType): number {
  if (type.kind !== 'fixed_size_list') return exactUpToRows;
  return Math.min(exactUpToRows, Math.max(blocks, Math.floor(vectorBytes / (4 * type.size))));
}

/** What only columns of a kind have, each over all rows that match or a stated sample of them. */
export async function detailColumns(
  { columns, where, ...pinned }: Parameters<TableFacets['details']>[0],
  context: CallContext,
  places: RowsPlaces,
): Promise<{ columns: ColumnDetail[] }> {
  const { signal } = context;
  const table = await places.tables.open(pinned, context);
  const place = { table: pinned.table, ref: pinned.ref, home: places.home };
  const details: ColumnDetail[] = [];
  for (const [at, name] of columns.entries()) {
    const info = table.facts.columns.find((column) => column.name === name);
    if (!info) continue;
    const type = parseColumnType(info.type);
    if (isMediaType(type)) {
      const { facts, scope } = await detailMedia({ ...pinned, column: name, where }, context, places);
      details.push({ ...facts, column: name, scope });
      continue;
    }
    const summary = detailSummaryFor(type);
    if (!summary) continue;
    const most = rowsToLookAt(type);
    const rows = await chooseProfiledRows({
      table,
      permutations: places.permutations,
      where,
      place,
      signal,
      exactUpToRows: most,
      rowsPerBlock: Math.floor(most / blocks),
    });
    for await (const batch of rows.read({ c: quoteLanceIdent(name) })) {
      signal.throwIfAborted();
      const data = batch.getChild('c')?.data[0];
      if (data) summary.add(data);
      await nextTurn();
    }
    details.push({ ...summary.finish(), column: name, scope: rows.scope });
    context.onProgress?.({
      done: at + 1,
      total: columns.length,
      unit: 'columns',
      message: `Looking at ${name}`,
    });
  }
  return { columns: details };
}
