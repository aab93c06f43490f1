import { boundsOf } from '#shared/domain/annotations/measure.ts';
import { handlesOf } from '#shared/domain/annotations/reshape.ts';
import { cornersOf, type Shape } from '#shared/domain/annotations/shape.ts';
import { cx } from '../../../ui/index.ts';
import styles from './shape-handles.module.css';

/** The places by which the selected annotation is changed; `current` is the one that the arrow keys move. */
export function ShapeHandles({
  shapes,
  scale,
  current,
}: {
  shapes: readonly Shape[];
  scale: number;
  current: number | null;
}) {
  const unit = 1 / scale;
  return (
    <g>
      {handlesOf(shapes, 24 * unit).map(({ x, y, handle }, at) => {
        const side = (handle.kind === 'middle' ? 5 : 8) * unit;
        const isRound = handle.kind !== 'edge';
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: handles are their places
            key={at}
            x={x - side / 2}
            y={y - side / 2}
            width={side}
            height={side}
            rx={isRound ? side / 2 : 1.5 * unit}
            className={cx(
              styles.handle,
              handle.kind === 'middle' && styles.middle,
              at === current && styles.current,
            )}
          />
        );
      })}
    </g>
  );
}

/** The shape that is being drawn. */
export function DrawnShape({ shape }: { shape: Shape }) {
  const rings =
    shape.kind === 'polygon'
      ? shape.rings
      : shape.kind === 'box' || shape.kind === 'rotated'
        ? [cornersOf(shape)]
        : [];
  const d = rings.map((ring) => `M${ring.map(({ x, y }) => `${x} ${y}`).join('L')}`).join('');
  const isOpen = shape.kind === 'polygon';
  return boundsOf(shape) ? <path d={isOpen ? d : `${d}Z`} className={styles.drawn} /> : null;
}
