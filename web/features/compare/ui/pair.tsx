import type { ReactNode } from 'react';
import styles from './differs.module.css';

export interface PairProps {
  old: ReactNode;
  next: ReactNode;
  note?: ReactNode;
  /** Short values stand in one line with an arrow. */
  isInline?: boolean;
}

/** Old and new, each with its sign. */
export function Pair({ old, next, note, isInline }: PairProps) {
  return (
    <div className={isInline ? styles.inlinePair : styles.pair}>
      <del className={styles.old}>
        <Sign>−</Sign>
        {old}
      </del>
      {isInline && (
        <span className={styles.arrow} aria-hidden>
          →
        </span>
      )}
      <ins className={styles.new}>
        <Sign>+</Sign>
        {next}
      </ins>
      {note && <span className={styles.note}>{note}</span>}
    </div>
  );
}

/** The sign of a side; colour alone never tells. */
export const Sign = ({ children }: { children: string }) => (
  <span className={styles.sign} aria-hidden>
    {children}
  </span>
);
