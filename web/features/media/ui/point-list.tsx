import { Circle, CircleDashed, CircleDot } from 'lucide-react';
import { pointName } from '#shared/domain/annotations/skeleton.ts';
import { cx, IconButton } from '../../../ui/index.ts';
import styles from './panel.module.css';
import type { PointTools } from './use-point-tools.ts';

const states = [
  { text: 'not placed', icon: <CircleDashed /> },
  { text: 'hidden', icon: <Circle /> },
  { text: 'seen', icon: <CircleDot /> },
] as const;

/** The keypoints of the selected annotation: which are placed, seen or hidden; while editing each can be chosen. */
export function PointList({ points, isEditing }: { points: PointTools; isEditing: boolean }) {
  const { shape, skeleton, chosen, next } = points;
  if (!shape) return null;
  const placed = shape.points.filter(({ visibility }) => visibility > 0).length;
  return (
    <section className={styles.section} aria-label="Keypoints">
      <header className={styles.head}>
        <h2>Keypoints</h2>
        <span className={styles.count}>
          {shape.tells === 'none' ? placed : `${placed} of ${shape.points.length} placed`}
        </span>
      </header>
      <ul className={styles.list} aria-label="Keypoints">
        {shape.points.map(({ visibility }, at) => {
          const state = states[visibility === 0 ? 0 : visibility === 1 ? 1 : 2];
          const name = pointName(skeleton, at);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: keypoints are their places
            <li key={at} className={styles.row}>
              <button
                type="button"
                disabled={!isEditing}
                aria-pressed={chosen === at}
                className={cx(
                  styles.item,
                  styles.grow,
                  (chosen === at || (isEditing && visibility === 0 && next === at)) && styles.chosen,
                )}
                onClick={() => points.choose(at)}
              >
                <span className={cx(styles.name, visibility === 0 && styles.off)}>{name}</span>
                <span className={styles.count}>{state.text}</span>
              </button>
              {isEditing && !shape.tells && visibility > 0 && (
                <IconButton
                  label={visibility === 1 ? `${name} is seen` : `${name} is hidden`}
                  keys="h"
                  size="s"
                  icon={state.icon}
                  onClick={() => points.toggle(at)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
