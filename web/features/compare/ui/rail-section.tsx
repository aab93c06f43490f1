import type { ReactNode } from 'react';
import styles from './compare-rail.module.css';

/** A part of the overview under its heading. */
export function RailSection({
  title,
  note,
  children,
}: {
  title: string;
  note?: string;
  children: ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.heading}>
        {title}
        {note && <span className={styles.headingNote}>{note}</span>}
      </h2>
      {children}
    </section>
  );
}
