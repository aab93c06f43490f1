import { Check } from 'lucide-react';
import { memo } from 'react';
import { formatBytes, formatCount } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import type { MediaOf } from '../model/media-address.ts';
import type { GridRow as Row } from '../model/row-source.ts';
import { CellValue } from './cell-value.tsx';
import styles from './grid.module.css';
import type { PlacedColumn } from './use-grid-columns.ts';

export interface GridRowProps {
  gridId: string;
  index: number;
  /** Undefined while it is on its way. */
  row: Row | undefined;
  topPx: number;
  heightPx: number;
  pinned: readonly PlacedColumn[];
  free: readonly PlacedColumn[];
  pinnedPx: number;
  totalPx: number;
  gutterPx: number;
  media: MediaOf;
  isSelectable: boolean;
  isSelected: boolean;
  isActive: boolean;
  activeColumn: string | null;
}

/** One row: the gutter with its number and box, the pinned columns, and the free columns that are in sight. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const {
    gridId,
    index,
    row,
    topPx,
    heightPx,
    pinned,
    free,
    pinnedPx,
    totalPx,
    gutterPx,
    isSelectable,
    isSelected,
    isActive,
  } = props;
  const cell = (placed: PlacedColumn, isPinned: boolean) => (
    <div
      key={placed.column.name}
      role="gridcell"
      id={`${gridId}-${index}-${placed.place}`}
      aria-colindex={placed.place + 1}
      data-cell={placed.column.name}
      className={cx(styles.cell, props.activeColumn === placed.column.name && styles.activeCell)}
      style={
        isPinned
          ? { width: placed.widthPx }
          : { width: placed.widthPx, left: placed.leftPx, position: 'absolute' }
      }
    >
      {row?.cut?.has(placed.column.name) && (
        <span className={styles.cutSize} title="Cut here; open the row to see all of it">
          {formatBytes(row.cut.get(placed.column.name) ?? 0)}
        </span>
      )}
      {row ? (
        <CellValue
          value={row.value(placed.column.name)}
          column={placed.column}
          media={placed.column.kind === 'media' ? props.media(row, placed.column.name) : null}
          widthPx={placed.widthPx - 16}
          heightPx={heightPx - 1}
        />
      ) : (
        <span
          className={styles.pending}
          style={{ width: `${30 + ((index * 7 + placed.place * 13) % 50)}%` }}
        />
      )}
    </div>
  );
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelectable ? isSelected : undefined}
      data-row={index}
      className={cx(
        styles.row,
        heightPx > 60 && styles.tallRow,
        isSelected && styles.selected,
        isActive && styles.activeRow,
      )}
      style={{ height: heightPx, width: totalPx, transform: `translateY(${topPx}px)` }}
    >
      <div className={styles.pinned} style={{ width: pinnedPx }} role="presentation">
        <div
          role="gridcell"
          aria-colindex={1}
          data-gutter=""
          className={styles.gutter}
          style={{ width: gutterPx }}
        >
          <span className={styles.rowNumber}>{formatCount(row?.number ?? index + 1)}</span>
          {isSelectable && (
            <span className={styles.rowBox} aria-hidden>
              {isSelected && <Check size={12} strokeWidth={3} />}
            </span>
          )}
        </div>
        {pinned.map((placed) => cell(placed, true))}
      </div>
      {free.map((placed) => cell(placed, false))}
    </div>
  );
});
