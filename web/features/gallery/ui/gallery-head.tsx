import { ChevronDown, ChevronRight } from 'lucide-react';
import { formatOf } from '../../../ui/format-quantity.ts';
import { CellValue, type GridColumn, type RowGroup } from '../../grid/index.ts';
import styles from './gallery.module.css';

type Head = RowGroup & { isFolded: boolean };

export interface GalleryHeadProps {
  head: Head;
  column: GridColumn;
  heightPx: number;
  onFold: (head: Head) => void;
}

const valuePx = 420;

/** The head of a group of pictures: what they share and how many they are; a click folds it. */
export function GalleryHead({ head, column, heightPx, onFold }: GalleryHeadProps) {
  return (
    <button
      type="button"
      data-keep=""
      aria-expanded={!head.isFolded}
      className={styles.head}
      style={{ height: heightPx }}
      onClick={() => onFold(head)}
    >
      {head.isFolded ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
      <span className={styles.headNote}>{column.name}</span>
      <span className={styles.headValue}>
        <CellValue value={head.value} column={column} media={null} widthPx={valuePx} heightPx={heightPx} />
      </span>
      <span className={styles.headNote}>{formatOf(head.rows, 'row')}</span>
    </button>
  );
}
