import type { ReactNode } from 'react';
import { cx } from '../../../ui/index.ts';
import { type Change, type Compared, mediaOfSide } from '../../compare/index.ts';
import { CellValue } from '../../grid/index.ts';
import styles from './thread.module.css';

export interface RowThumbProps {
  compared: Compared;
  change: Change;
  /** The column that it is about, where that is a picture itself. */
  column?: string | null;
  widthPx: number;
  heightPx: number;
  className?: string;
  /** Stands there instead where the row has no picture. */
  children?: ReactNode;
}

/** The picture of a changed row: as it will be, or as it was where it goes. Nothing for rows without one. */
export function RowThumb({
  compared,
  change,
  column: wanted,
  widthPx,
  heightPx,
  className,
  children,
}: RowThumbProps) {
  const { scene } = compared;
  if (!scene) return null;
  const side = change.from ? 'from' : change.base ? 'base' : 'into';
  const row = change[side];
  const media = scene.columns.filter(
    ({ kind, name }) => kind === 'media' && row?.[name] !== null && row?.[name] !== undefined,
  );
  const column = media.find(({ name }) => name === wanted) ?? media[0];
  if (!column || !row) return children;
  const { table } = compared.comparison;
  return (
    <span className={cx(styles.thumb, className)} style={{ width: widthPx, height: heightPx }} aria-hidden>
      <CellValue
        column={column}
        value={row[column.name]}
        media={mediaOfSide({ table, summary: scene.summary, change, side, column: column.name })}
        widthPx={widthPx}
        heightPx={heightPx}
      />
    </span>
  );
}

/** Whether there is any picture among the columns. */
export const hasPictures = (compared: Compared): boolean =>
  compared.scene?.columns.some(({ kind }) => kind === 'media') ?? false;
