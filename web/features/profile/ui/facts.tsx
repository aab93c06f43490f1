import { cx, Tooltip } from '../../../ui/index.ts';
import styles from './profile.module.css';

/** Names and figures; `isWide`: one below the other, for long ones. */
export function Facts({
  facts,
  isWide,
}: {
  facts: readonly (readonly [name: string, value: string, help?: string])[];
  isWide?: boolean;
}) {
  return (
    <dl className={cx(styles.facts, isWide && styles.wide)}>
      {facts.map(([name, value, help]) => (
        <div key={name}>
          <dt>
            {help ? <Tooltip text={help}>{<span className={styles.help}>{name}</span>}</Tooltip> : name}
          </dt>
          <dd title={value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
