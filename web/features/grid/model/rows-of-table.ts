import type { ArrowRows } from '../../../api/arrow-rows.ts';
import { type GridRow, rowIdColumn } from './row-source.ts';

/** Rows of an Arrow table, by their place in the result and by their id. */
export interface RowReader {
  rowAt(index: number): GridRow | undefined;
  find(id: string): GridRow | undefined;
}

const cutColumn = '_cut';

/** Which texts of a row were cut: a JSON object of columns and sizes. */
const readCut = (text: unknown): ReadonlyMap<string, number> | null =>
  typeof text === 'string' ? new Map(Object.entries(JSON.parse(text) as Record<string, number>)) : null;

/** Reads rows of an Arrow table; `start` is the place of its first row in the result. */
export function createRowReader({ table, facts }: ArrowRows, start: number): RowReader {
  const columns = new Map(table.schema.fields.map((field, at) => [field.name, table.getChildAt(at)]));
  const ids = columns.get(rowIdColumn);
  const cuts = columns.get(cutColumn);
  const rows = new Map<number, GridRow>();
  const idAt = (at: number): string => {
    const id = ids?.at(at);
    return id === null || id === undefined ? String(start + at) : String(id);
  };
  const rowAt = (index: number): GridRow | undefined => {
    const at = index - start;
    if (at < 0 || at >= table.numRows) return undefined;
    let row = rows.get(index);
    if (!row) {
      const cut = readCut(cuts?.at(at));
      row = {
        index,
        id: idAt(at),
        ref: facts.ref,
        ...(cut ? { cut } : {}),
        value: (name) => columns.get(name)?.at(at),
      };
      rows.set(index, row);
    }
    return row;
  };
  return {
    rowAt,
    find(id) {
      for (let at = 0; at < table.numRows; at += 1) if (idAt(at) === id) return rowAt(start + at);
      return undefined;
    },
  };
}
