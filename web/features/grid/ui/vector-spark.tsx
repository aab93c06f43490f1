import { memo } from 'react';
import { planSpark } from '../model/plan-spark.ts';
import styles from './cells.module.css';

/** The shape of a vector: its mean per bucket around zero, with its dimension beside it. */
export const VectorSpark = memo(function VectorSpark({
  values,
  widthPx,
  heightPx,
}: {
  values: ArrayLike<number>;
  widthPx: number;
  heightPx: number;
}) {
  const height = Math.min(heightPx, 28);
  const width = Math.max(24, Math.min(widthPx - 44, 132));
  return (
    <span className={styles.vector}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden
        className={styles.spark}
      >
        <path d={planSpark(values, width, height)} />
      </svg>
      <span className={styles.dimension}>{values.length}</span>
    </span>
  );
});
