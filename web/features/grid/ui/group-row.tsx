import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { formatOf } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import type { GridColumn } from '../model/grid-column.ts';
import type { GroupHead } from '../model/grouped-source.ts';
import { CellValue } from './cell-value.tsx';
import styles from './grid.module.css';

export interface GroupRowProps {
  id: string;
  index: number;
  head: GroupHead;
  column: GridColumn;
  topPx: number;
  heightPx: number;
  totalPx: number;
  isActive: boolean;
}

const valuePx = 420;

/** The head of a group: what its rows share and how many they are. A click or Enter folds it. */
export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { id, index, head, column, topPx, heightPx, totalPx, isActive } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-expanded={!head.isFolded}
      data-row={index}
      data-group=""
      className={cx(styles.row, styles.groupRow, isActive && styles.activeRow)}
      style={{ height: heightPx, width: totalPx, transform: `translateY(${topPx}px)` }}
    >
      <div role="gridcell" id={id} aria-colindex={1} className={styles.groupCell}>
        {head.isFolded ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
        <span className={styles.groupName}>{column.name}</span>
        <span className={styles.groupValue}>
          <CellValue
            value={head.value}
            column={column}
            media={null}
            widthPx={valuePx}
            heightPx={heightPx - 1}
          />
        </span>
        <span className={styles.groupCount}>{formatOf(head.rows, 'row')}</span>
      </div>
    </div>
  );
});
