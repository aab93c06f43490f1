import { memo, useLayoutEffect, useMemo } from 'react';
import { isSelected, type RowSelection } from '../../../state/selection.ts';
import type { GridColumn, GridRow, MediaOf } from '../../grid/index.ts';
import { boundAspect } from '../model/plan-justified.ts';
import styles from './gallery.module.css';
import { GalleryTile } from './gallery-tile.tsx';
import { itemsOf, useBlockLayout } from './use-block-layout.ts';

export interface GalleryBlockProps {
  /** Its place among the blocks. */
  block: number;
  /** Counts up when heights that were told are forgotten. */
  measures: number;
  start: number;
  rows: readonly (GridRow | undefined)[];
  total: number;
  /** Its last line may stay short: the rows, or those of a group, end with it. */
  isEnd: boolean;
  column: string;
  captions: readonly GridColumn[];
  captionPx: number;
  sizes: { width: string; height: string } | null;
  media: MediaOf;
  widthPx: number;
  targetPx: number;
  gapPx: number;
  selection: RowSelection;
  activeRow: number | null;
  onHeight: (block: number, px: number) => void;
}

/** Longer side of a thumb over the height of its line: lines grow, and most pictures are wider than tall. */
const thumbShare = 1.7;

/** A few dozen pictures that are laid out together. */
export const GalleryBlock = memo(function GalleryBlock(props: GalleryBlockProps) {
  const {
    block,
    start,
    rows,
    total,
    column,
    captions,
    captionPx,
    sizes,
    media,
    widthPx,
    targetPx,
    gapPx,
    selection,
    activeRow,
    onHeight,
  } = props;
  const thumbPx = targetPx * thumbShare;
  const items = useMemo(
    () => itemsOf(rows, start, { media, column, thumbPx }),
    [rows, start, media, column, thumbPx],
  );
  const layout = useBlockLayout({
    items,
    sizes,
    widthPx,
    targetPx,
    gapPx,
    isEnd: props.isEnd,
  });
  const heightPx = layout.rows.reduce((sum, row) => sum + row.heightPx + captionPx + gapPx, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once more when it was forgotten
  useLayoutEffect(() => onHeight(block, heightPx), [block, heightPx, onHeight, props.measures]);
  return (
    <div role="presentation" style={{ height: heightPx }}>
      {layout.rows.map((line) => (
        <div
          key={line.start}
          role="presentation"
          className={styles.line}
          style={{ gap: gapPx, height: line.heightPx + captionPx + gapPx }}
        >
          {items.slice(line.start, line.end).map((item, at) => (
            <GalleryTile
              key={item.index}
              index={item.index}
              row={item.row}
              total={total}
              column={column}
              media={item.address}
              captions={captions}
              widthPx={boundAspect(layout.aspects[line.start + at] ?? 1) * line.heightPx}
              heightPx={line.heightPx}
              thumbPx={thumbPx}
              isSelected={item.row !== undefined && isSelected(selection, item.row.id)}
              isActive={activeRow === item.index}
              isKnown={layout.isKnown}
            />
          ))}
        </div>
      ))}
    </div>
  );
});
