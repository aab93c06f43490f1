import { callJson } from '../../api/index.ts';
import { type TableView, whereOf } from '../../state/table-view.ts';
import { orderOf } from './model/group-order.ts';

/** Where the row with a key stands in the result of a view, from 0; null when it is not in it. */
export async function locateRow({
  table,
  ref,
  view,
  key,
  signal,
}: {
  table: string;
  ref: string;
  view: TableView;
  key: string | string[];
  signal: AbortSignal;
}): Promise<number | null> {
  const where = whereOf(view.conditions);
  const orderBy = [...orderOf(view)];
  const body = { ref, key, ...(where ? { where } : {}), ...(orderBy.length > 0 ? { orderBy } : {}) };
  return (await callJson('locateRow', { params: { table }, body, signal })).offset;
}
