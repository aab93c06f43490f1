import { ArrowRightLeft, Check, CircleAlert, Undo2 } from 'lucide-react';
import { useStore } from 'zustand';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { Button, cx, Menu, ProgressBar } from '../../../ui/index.ts';
import { type ConflictItem, countOpen } from '../model/choices.ts';
import type { CompareFilter } from '../model/compare-filter.ts';
import styles from './compare-rail.module.css';
import { useScene } from './scene.ts';

export interface ConflictsPanelProps {
  filter: CompareFilter;
  onFilter: (filter: CompareFilter) => void;
  conflicts: readonly ConflictItem[];
  /** Conflicts in all, loaded or not. */
  conflictTotal: number;
}

/** How many conflicts are left, and ways to settle many at once. */
export function ConflictsPanel({ filter, onFilter, conflicts, conflictTotal }: ConflictsPanelProps) {
  const { choices, names } = useScene();
  const { book, past, dropped } = useStore(choices, (state) => state);
  const open = countOpen(book, conflicts, conflictTotal);
  const total = Math.max(conflictTotal, conflicts.length);
  const byColumn = [...new Set(conflicts.map(({ column }) => column))];
  const itemsOf = (column: string | null) => conflicts.filter((item) => item.column === column);
  return (
    <section className={cx(styles.conflicts, open === 0 && styles.calm)} aria-label="Conflicts">
      <h2 className={styles.conflictHead}>
        {open === 0 ? <Check aria-hidden /> : <CircleAlert aria-hidden />}
        {open === 0 ? `${formatOf(total, 'conflict')} settled` : `${formatOf(open, 'conflict')} to settle`}
      </h2>
      <ProgressBar
        label="Settled conflicts"
        done={total - open}
        total={total}
        detail={`${formatCount(total - open)} of ${formatCount(total)}`}
      />
      <div className={styles.conflictActions}>
        <Button
          size="s"
          aria-pressed={filter.isConflictsOnly}
          look={filter.isConflictsOnly ? 'primary' : 'plain'}
          onClick={() => onFilter({ ...filter, isConflictsOnly: !filter.isConflictsOnly })}
        >
          {filter.isConflictsOnly ? 'Show all changes' : 'Show only these'}
        </Button>
        <Menu
          label="Settle many"
          trigger={
            <Button size="s" icon={<ArrowRightLeft />}>
              Settle many…
            </Button>
          }
          items={[
            { heading: 'Everything that is left' },
            { id: 'rest-from', label: `Take ${names.from}`, onSelect: () => choices.chooseRest('from') },
            { id: 'rest-into', label: `Take ${names.into}`, onSelect: () => choices.chooseRest('into') },
            ...byColumn.flatMap((column) => {
              const items = itemsOf(column);
              return [
                { heading: `${column ?? 'Rows removed on one side'} · ${items.length}` },
                {
                  id: `${column}-from`,
                  label: `Take ${names.from}`,
                  onSelect: () => choices.choose(items, { take: 'from' }),
                },
                {
                  id: `${column}-into`,
                  label: `Take ${names.into}`,
                  onSelect: () => choices.choose(items, { take: 'into' }),
                },
                {
                  id: `${column}-base`,
                  label: 'As it was',
                  onSelect: () => choices.choose(items, { take: 'base' }),
                },
              ];
            }),
            'line',
            {
              id: 'clear',
              label: 'Take every choice back',
              whyNot: open === total ? 'There is none.' : null,
              onSelect: () => choices.clear(),
            },
          ]}
        />
        <Button
          size="s"
          look="quiet"
          icon={<Undo2 />}
          keys="Mod+Z"
          tip="Take the last choice back"
          isDisabled={past.length === 0}
          aria-label="Undo the last choice"
          onClick={() => choices.undo()}
        />
      </div>
      {book.rest && (
        <p className={styles.note}>
          What has no choice of its own takes {names[book.rest]}.{' '}
          <button type="button" className={styles.link} onClick={() => choices.chooseRest(null)}>
            Take that back
          </button>
        </p>
      )}
      {dropped > 0 && (
        <p className={styles.note}>
          {formatOf(dropped, 'earlier choice')} no longer applied, because the rows changed since.{' '}
          <button type="button" className={styles.link} onClick={() => choices.dismissDropped()}>
            All right
          </button>
        </p>
      )}
    </section>
  );
}
