import { notFound } from '#shared/api/problem.ts';
import { callArrow } from '../../api/index.ts';
import { createStaticSource, type GridRow } from '../grid/index.ts';

/** A row with all of its texts: asked for where they came cut. NOT_FOUND when it is no longer there. */
export async function wholeRow(table: string, row: GridRow): Promise<GridRow> {
  if (!row.cut) return row;
  const body = { ...(row.ref === null ? {} : { ref: row.ref }), where: `_rowid = ${row.id}`, limit: 1 };
  const found = createStaticSource(await callArrow('rowsPost', { params: { table }, body })).rowAt(0);
  if (!found) throw notFound(`Row ${row.id}`, 'It was deleted on this version.');
  return found;
}
