import { formatOf } from '../../../ui/format-quantity.ts';
import { Tooltip } from '../../../ui/index.ts';
import styles from './profile.module.css';

/** Counts side by side with a name each: weekdays, hours, lengths. */
export function SmallBars({
  label,
  bars,
}: {
  label: string;
  bars: readonly { name: string; rows: number; short?: string }[];
}) {
  const tallest = Math.max(1, ...bars.map(({ rows }) => rows));
  return (
    <figure className={styles.small} aria-label={label}>
      <figcaption>{label}</figcaption>
      <div className={styles.smallBars}>
        {bars.map(({ name, rows, short }) => (
          <Tooltip key={name} side="top" text={`${name}: ${formatOf(rows, 'row')}`}>
            <span className={styles.smallBar}>
              <span className={styles.smallRoom}>
                <span style={{ height: rows === 0 ? 0 : `${Math.max(3, (100 * rows) / tallest)}%` }} />
              </span>
              {short !== undefined && <small>{short}</small>}
            </span>
          </Tooltip>
        ))}
      </div>
    </figure>
  );
}
