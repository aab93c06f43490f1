import type { Point } from '#shared/domain/annotations/shape.ts';
import { cx } from '../../../ui/index.ts';
import styles from './shape-handles.module.css';

/** What a brush has gone over, until the mask is painted, and how large it is. */
export function PaintPreview({
  stroke,
  spot,
  diameter,
  isErasing,
}: {
  stroke: readonly Point[] | null;
  spot: Point | null;
  diameter: number;
  isErasing: boolean;
}) {
  const [first] = stroke ?? [];
  return (
    <g aria-hidden>
      {first && (
        <path
          d={`M${first.x} ${first.y}${stroke!.map(({ x, y }) => `L${x} ${y}`).join('')}`}
          strokeWidth={diameter}
          className={cx(styles.stroke, isErasing && styles.erasing)}
        />
      )}
      {spot && <circle cx={spot.x} cy={spot.y} r={diameter / 2} className={styles.spotHalo} />}
      {spot && <circle cx={spot.x} cy={spot.y} r={diameter / 2} className={styles.spot} />}
    </g>
  );
}
