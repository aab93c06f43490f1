import type { ArrowRows } from '../../../api/arrow-rows.ts';
import { type GridRow, rowIdColumn } from './row-source.ts';

/** Reads rows of an Arrow table by their place in the result; `start` is the place of its first row. */
export function createRowReader(
  { table, facts }: ArrowRows,
  start: number,
): (index: number) => GridRow | undefined {
  const columns = new Map(table.schema.fields.map((field, at) => [field.name, table.getChildAt(at)]));
  const ids = columns.get(rowIdColumn);
  const rows = new Map<number, GridRow>();
  return (index) => {
    const at = index - start;
    if (at < 0 || at >= table.numRows) return undefined;
    let row = rows.get(index);
    if (!row) {
      const id = ids?.at(at);
      row = {
        index,
        id: id === null || id === undefined ? String(index) : String(id),
        ref: facts.ref,
        value: (name) => columns.get(name)?.at(at),
      };
      rows.set(index, row);
    }
    return row;
  };
}
