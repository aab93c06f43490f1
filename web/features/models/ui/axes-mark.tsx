import type { Model, Vector3 } from '#shared/domain/models/model.ts';
import { type Orbit, orbitAxes, toDisplay } from '#shared/domain/models/orbit.ts';
import styles from './models.module.css';

const axes: readonly { name: string; along: Vector3; className?: string }[] = [
  { name: 'x', along: [1, 0, 0], className: styles.axisX },
  { name: 'y', along: [0, 1, 0], className: styles.axisY },
  { name: 'z', along: [0, 0, 1], className: styles.axisZ },
];
const armPx = 20;
const namePx = 27;

/** Where the axes of the file point, as the model is turned. */
export function AxesMark({ orbit, up }: { orbit: Orbit; up: Model['up'] }) {
  const { right, up: above, back } = orbitAxes(orbit);
  const dot = (a: Vector3, b: Vector3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const arms = axes
    .map(({ along, ...rest }) => {
      const shown = toDisplay(up, along);
      return { ...rest, x: dot(right, shown), y: -dot(above, shown), depth: dot(back, shown) };
    })
    .sort((a, b) => a.depth - b.depth);
  return (
    <svg aria-hidden className={styles.axes} viewBox="-34 -34 68 68" width={68} height={68}>
      {arms.map(({ name, className, x, y }) => (
        <g key={name} className={className}>
          <line x2={x * armPx} y2={y * armPx} />
          <text x={x * namePx} y={y * namePx + 3.5}>
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}
