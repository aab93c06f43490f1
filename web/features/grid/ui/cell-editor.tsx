import type { ReactNode } from 'react';
import type { GridColumn } from '../model/grid-column.ts';
import type { GridRow as Row, RowSource } from '../model/row-source.ts';
import styles from './grid.module.css';
import type { useGridColumns } from './use-grid-columns.ts';
import type { ActiveCell } from './use-grid-keys.ts';

/** A cell and where it stands, for an editor over it. */
export interface CellPlace {
  row: Row;
  column: GridColumn;
  value: unknown;
  /** Takes the editor away and gives the grid its focus back. */
  close: () => void;
}

interface CellEditorProps {
  editing: ActiveCell;
  source: RowSource;
  columns: ReturnType<typeof useGridColumns>;
  topPx: number;
  heightPx: number;
  editor: (place: CellPlace) => ReactNode;
  onClose: () => void;
}

/** The editor of a cell, over its place. */
export function CellEditor({ editing, source, columns, topPx, heightPx, editor, onClose }: CellEditorProps) {
  const row = source.rowAt(editing.row);
  const placed = [...columns.pinned, ...columns.free].find((one) => one.column.name === editing.column);
  if (!row || !placed) return null;
  return (
    <div
      className={styles.editor}
      style={{ top: topPx, left: placed.leftPx, width: placed.widthPx, minHeight: heightPx }}
    >
      {editor({ row, column: placed.column, value: row.value(placed.column.name), close: onClose })}
    </div>
  );
}
