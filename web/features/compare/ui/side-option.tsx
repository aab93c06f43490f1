import type { ReactNode } from 'react';
import type { Side } from '#shared/api/edits.ts';
import { cx, Kbd } from '../../../ui/index.ts';
import styles from './conflict-cell.module.css';

const keyOf: Record<Side, string> = { from: '1', into: '2', base: '3' };

export interface SideOptionProps {
  side: Side | null;
  label: string;
  isTaken: boolean;
  onTake: () => void;
  children?: ReactNode;
}

/** One way to settle a conflict, with what would then stand there. */
export function SideOption({ side, label, isTaken, onTake, children }: SideOptionProps) {
  return (
    <div className={cx(styles.option, isTaken && styles.taken)}>
      {/* biome-ignore lint/a11y/useSemanticElements: the value beside it is part of the choice, not of its name */}
      <button type="button" role="radio" aria-checked={isTaken} className={styles.take} onClick={onTake}>
        <span className={styles.dot} aria-hidden />
        {label}
        {side && <Kbd keys={keyOf[side]} />}
      </button>
      <div className={styles.value}>{children}</div>
    </div>
  );
}
