import { notFound } from '#shared/api/problem.ts';
import { callArrow } from '../../api/index.ts';
import type { GridRow } from './model/row-source.ts';
import { createStaticSource } from './model/static-source.ts';

/** A row by its id with all of its texts. NOT_FOUND when the ref does not have it. */
export async function fetchRow(
  { table, ref, rowId }: { table: string; ref: string | null; rowId: string },
  signal?: AbortSignal,
): Promise<GridRow> {
  const body = { ...(ref === null ? {} : { ref }), where: `_rowid = ${rowId}`, limit: 1 };
  const row = createStaticSource(await callArrow('rowsPost', { params: { table }, body, signal })).rowAt(0);
  if (!row) throw notFound(`Row ${rowId}`, 'It was deleted on this version, or the link is mistyped.');
  return row;
}

/** A row as it is stored: asked for where its texts came cut. */
export const wholeRow = async (table: string, row: GridRow): Promise<GridRow> =>
  row.cut ? fetchRow({ table, ref: row.ref, rowId: row.id }) : row;
