import type { GeometryLayout } from '#shared/domain/annotations/layout.ts';
import type { KeypointsShape } from '#shared/domain/annotations/shape.ts';
import { placedLines, pointName, skeletonOf } from '#shared/domain/annotations/skeleton.ts';
import { cx } from '../../../ui/index.ts';
import styles from './annotation-layer.module.css';

const namePx = 10;

export interface KeypointMarksProps {
  shape: KeypointsShape;
  layout: GeometryLayout | undefined;
  /** Pixels of the screen for one of the picture, where it is known. */
  scale: number | undefined;
  hasNames: boolean;
}

/** Points that are placed, those that are hidden hollow, and the lines of their skeleton, dashed to what is hidden. */
export function KeypointMarks({ shape: { points }, layout, scale, hasNames }: KeypointMarksProps) {
  const skeleton = skeletonOf(layout?.kind === 'keypoints' ? layout : undefined, points.length);
  const lines = skeleton ? placedLines(skeleton, points) : [];
  const pathOf = (isHidden: boolean) =>
    lines
      .map(([from, to]) => [points[from]!, points[to]!] as const)
      .filter(([from, to]) => (from.visibility === 1 || to.visibility === 1) === isHidden)
      .map(([from, to]) => `M${from.x} ${from.y}L${to.x} ${to.y}`)
      .join('');
  const [seen, hidden] = [pathOf(false), pathOf(true)];
  const unit = scale === undefined ? null : 1 / scale;
  return (
    <>
      {seen + hidden !== '' && <path d={seen + hidden} className={styles.halo} />}
      {seen !== '' && <path d={seen} className={styles.line} />}
      {hidden !== '' && <path d={hidden} className={cx(styles.line, styles.uncertain)} />}
      {points.map(({ x, y, visibility }, at) =>
        visibility === 0 ? null : (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: keypoints are their places
            key={at}
            cx={x}
            cy={y}
            r={unit === null ? '0.6%' : 3.5 * unit}
            className={cx(styles.point, visibility === 1 && styles.hidden)}
          />
        ),
      )}
      {hasNames &&
        unit !== null &&
        points.map(({ x, y, visibility }, at) =>
          visibility === 0 ? null : (
            <text
              // biome-ignore lint/suspicious/noArrayIndexKey: keypoints are their places
              key={at}
              x={x + 7 * unit}
              y={y + 3.5 * unit}
              fontSize={namePx * unit}
              className={styles.pointName}
            >
              {pointName(skeleton, at)}
            </text>
          ),
        )}
    </>
  );
}
