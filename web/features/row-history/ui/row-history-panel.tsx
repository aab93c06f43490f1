import { EventList, type EventListProps } from './event-list.tsx';
import styles from './row-history.module.css';

export type RowHistoryPanelProps = Omit<EventListProps, 'column'>;

/** The whole history of one row: every change of every cell, through merges back to where it was made. */
export function RowHistoryPanel(props: RowHistoryPanelProps) {
  return (
    <section className={styles.panel} aria-label="Row history">
      <EventList {...props} />
    </section>
  );
}
