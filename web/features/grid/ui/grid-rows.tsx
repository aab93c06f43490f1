import { isSelected, type RowSelection } from '../../../state/selection.ts';
import type { GridColumn } from '../model/grid-column.ts';
import type { GroupedSource } from '../model/grouped-source.ts';
import type { MediaOf } from '../model/media-address.ts';
import type { RowSource } from '../model/row-source.ts';
import { GridRow } from './grid-row.tsx';
import { GroupRow } from './group-row.tsx';
import type { useGridColumns } from './use-grid-columns.ts';
import type { ActiveCell } from './use-grid-keys.ts';
import type { GridScroll } from './use-grid-scroll.ts';

export interface GridRowsProps {
  gridId: string;
  source: RowSource;
  group: { source: GroupedSource; column: GridColumn } | null;
  scroll: GridScroll;
  columns: ReturnType<typeof useGridColumns>;
  rowPx: number;
  gutterPx: number;
  media: MediaOf;
  /** Null where rows cannot be selected. */
  selection: RowSelection | null;
  active: ActiveCell | null;
}

/** The rows in sight, and the heads of their groups. */
export function GridRows(props: GridRowsProps) {
  const { gridId, source, group, scroll, columns, rowPx, selection, active } = props;
  const rows = [];
  for (let index = scroll.first; index <= scroll.last; index += 1) {
    const topPx = index * rowPx - scroll.basePx;
    const isActive = active?.row === index;
    const head = group?.source.headAt(index);
    if (head && group) {
      rows.push(
        <GroupRow
          key={index}
          id={`${gridId}-${index}-g`}
          index={index}
          head={head}
          column={group.column}
          topPx={topPx}
          heightPx={rowPx}
          totalPx={columns.totalPx}
          isActive={isActive}
        />,
      );
      continue;
    }
    const row = source.rowAt(index);
    rows.push(
      <GridRow
        key={index}
        gridId={gridId}
        index={index}
        row={row}
        topPx={topPx}
        heightPx={rowPx}
        pinned={columns.pinned}
        free={columns.free}
        pinnedPx={columns.pinnedPx}
        totalPx={columns.totalPx}
        gutterPx={props.gutterPx}
        media={props.media}
        isSelectable={selection !== null}
        isSelected={row !== undefined && selection !== null && isSelected(selection, row.id)}
        isActive={isActive}
        activeColumn={isActive ? active.column : null}
      />,
    );
  }
  return rows;
}
