import { parseRef } from '#shared/domain/ref.ts';
import { type PendingCells, pendingValue } from '../../../state/pending-cells.ts';
import type { GridRow, RowSource } from '../../grid/index.ts';

function versionOf(row: GridRow): number | null {
  const ref = row.ref === null ? null : parseRef(row.ref);
  return ref?.kind === 'branch' ? (ref.version ?? null) : null;
}

/** The same rows, with cells that were just edited showing their new values until rows arrive that carry them. */
export function overlaySource(source: RowSource, cells: PendingCells): RowSource {
  if (Object.keys(cells).length === 0) return source;
  const shown = new WeakMap<GridRow, GridRow>();
  const overlay = (row: GridRow | undefined): GridRow | undefined => {
    const version = row ? versionOf(row) : null;
    if (!row || version === null) return row;
    let overlaid = shown.get(row);
    if (!overlaid) {
      const value = (column: string): unknown => {
        const pending = pendingValue(cells, { rowId: row.id, column, version });
        return pending ? pending.value : row.value(column);
      };
      overlaid = { ...row, value };
      shown.set(row, overlaid);
    }
    return overlaid;
  };
  return {
    ...source,
    rowAt: (index) => overlay(source.rowAt(index)),
    find: (id) => overlay(source.find(id)),
  };
}
