import { ArrowRight } from 'lucide-react';
import type { CellStep, RowEvent, RowPlaceAt } from '#shared/api/history.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { addressOf } from '../../../api/index.ts';
import { formatBytes } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import { thumbSizeFor } from '../../grid/index.ts';
import { diffWords, showValue } from '../model.ts';
import { isMedia } from '../old-value.ts';
import styles from './row-history.module.css';

export interface CellChangeProps {
  table: string;
  event: RowEvent;
  cell: CellStep;
}

/** A cell before and after: long texts by word, pictures as pictures, all else side by side. */
export function CellChange({ table, event, cell }: CellChangeProps) {
  const parts = event.change === 'modified' ? diffWords(cell.before, cell.after) : null;
  if (parts)
    return (
      <p className={styles.words}>
        {parts.map(({ state, text }, at) =>
          state === 'same' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text are their places
            <span key={at}>{text}</span>
          ) : state === 'added' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <ins key={at} className={styles.added}>
              {text}
            </ins>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <del key={at} className={styles.removed}>
              {text}
            </del>
          ),
        )}
        {cell.isCut && <span className={styles.faint}> · only the beginning is shown</span>}
      </p>
    );
  const hasOld = event.change === 'removed' || (event.change === 'modified' && cell.hadColumn);
  const hasNew = event.change !== 'removed';
  return (
    <p className={styles.sides}>
      {hasOld && (
        <Side
          table={table}
          cell={cell}
          place={event.before}
          value={cell.before}
          isOld={hasNew || event.change === 'removed'}
        />
      )}
      {hasOld && hasNew && <ArrowRight size={13} className={styles.arrow} role="img" aria-label="became" />}
      {hasNew && <Side table={table} cell={cell} place={event.after} value={cell.after} />}
      {!cell.hadColumn && event.change === 'modified' && (
        <span className={styles.faint}>with its column</span>
      )}
    </p>
  );
}

function Side({
  table,
  cell,
  place,
  value,
  isOld,
}: {
  table: string;
  cell: CellStep;
  place: RowPlaceAt | null;
  value: unknown;
  isOld?: boolean;
}) {
  const look = cx(styles.value, isOld ? styles.old : styles.new);
  if (value === null || value === undefined) return <em className={cx(look, styles.null)}>null</em>;
  if (value === '') return <em className={cx(look, styles.null)}>empty</em>;
  if (isMedia(value)) return <Picture table={table} cell={cell} place={place} value={value} isOld={isOld} />;
  return <span className={look}>{showValue(cell, value)}</span>;
}

const thumbPx = 72;

function Picture({
  table,
  cell,
  place,
  value,
  isOld,
}: {
  table: string;
  cell: CellStep;
  place: RowPlaceAt | null;
  value: { sizeBytes: number };
  isOld?: boolean;
}) {
  const size = formatBytes(value.sizeBytes);
  if (!place) return <span className={styles.value}>{size}</span>;
  const column = isOld ? (cell.formerly ?? cell.column) : cell.column;
  const params = { table, column, rowId: place.rowId };
  const ref = formatRef(place.ref);
  return (
    <a
      className={styles.picture}
      href={addressOf('blob', params, { ref })}
      target="_blank"
      rel="noopener"
      title={`${isOld ? 'Before' : 'After'}, at ${ref} · ${size}`}
    >
      <img
        src={addressOf('thumb', params, { ref, size: thumbSizeFor(thumbPx) })}
        alt={`${cell.column} ${isOld ? 'before' : 'after'}`}
        width={thumbPx}
        height={thumbPx}
        loading="lazy"
      />
      <span>{size}</span>
    </a>
  );
}
