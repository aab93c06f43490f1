import { useState } from 'react';
import { formatRef } from '#shared/domain/ref.ts';
import { ErrorNote, Skeleton } from '../../../ui/index.ts';
import { useColumnProfile } from '../../filter/index.ts';
import type { GridColumn } from '../../grid/index.ts';
import { planWholeShift } from '../model/whole-shift.ts';
import { ColumnShiftView } from './column-shift-view.tsx';
import styles from './compare-rail.module.css';
import { useScene } from './scene.ts';

/** How a column is spread over all rows of both sides; counted when it is wanted. */
export function WholeShiftView({ column }: { column: GridColumn }) {
  const { comparison, summary } = useScene();
  const [isOpen, setOpen] = useState(false);
  const name = isOpen ? column.name : null;
  const old = useColumnProfile(comparison.table, formatRef(summary.base ?? summary.into), name);
  const next = useColumnProfile(comparison.table, formatRef(summary.from), name);
  if (!isOpen)
    return (
      <button type="button" className={styles.moreColumns} onClick={() => setOpen(true)}>
        In all rows, old and new
      </button>
    );
  const error = old.error ?? next.error;
  const whole = old.data && next.data ? planWholeShift(old.data, next.data) : null;
  return (
    <div className={styles.whole}>
      <ErrorNote
        error={error}
        title="All rows could not be counted."
        onRetry={() => {
          void old.refetch();
          void next.refetch();
        }}
      />
      {!error && (old.isPending || next.isPending) && <Skeleton height={56} />}
      {whole && (
        <>
          <p className={styles.note}>In {whole.scope}, old and new</p>
          <ColumnShiftView column={column} shift={whole.shift} isLarge />
        </>
      )}
      {old.data && next.data && !whole && <p className={styles.note}>Its values say nothing as a whole.</p>}
    </div>
  );
}
