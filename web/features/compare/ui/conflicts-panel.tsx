import { ArrowRightLeft, Check, CircleAlert, Redo2, Undo2 } from 'lucide-react';
import { useStore } from 'zustand';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { Button, cx, Menu, type MenuEntry, ProgressBar } from '../../../ui/index.ts';
import { formatKey } from '../model/change.ts';
import { type ConflictItem, countOpen, equalConflicts, headsOf } from '../model/choices.ts';
import type { CompareFilter } from '../model/compare-filter.ts';
import styles from './compare-rail.module.css';
import { useScene } from './scene.ts';

export interface ConflictsPanelProps {
  filter: CompareFilter;
  onFilter: (filter: CompareFilter) => void;
  conflicts: readonly ConflictItem[];
  /** Conflicts in all, loaded or not. */
  conflictTotal: number;
  /** Those of the listed changes, where the list is narrowed. */
  shown: readonly ConflictItem[];
}

/** How many conflicts are left, and ways to settle many at once. */
export function ConflictsPanel({ filter, onFilter, conflicts, conflictTotal, shown }: ConflictsPanelProps) {
  const { choices, names, summary } = useScene();
  const heads = headsOf(summary);
  const { book, past, future, dropped, droppedRest } = useStore(choices, (state) => state);
  const open = countOpen(book, conflicts, conflictTotal);
  const total = Math.max(conflictTotal, conflicts.length);
  const byColumn = [...new Set(conflicts.map(({ column }) => column))];
  const equal = equalConflicts(conflicts).slice(0, 4);
  const settleMany = (heading: string, id: string, items: readonly ConflictItem[]): MenuEntry[] => [
    { heading },
    {
      id: `${id}-from`,
      label: `Take ${names.from}`,
      onSelect: () => choices.choose(items, { take: 'from' }),
    },
    {
      id: `${id}-into`,
      label: `Take ${names.into}`,
      onSelect: () => choices.choose(items, { take: 'into' }),
    },
    { id: `${id}-base`, label: 'As it was', onSelect: () => choices.choose(items, { take: 'base' }) },
  ];
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
            {
              id: 'rest-from',
              label: `Take ${names.from}`,
              onSelect: () => choices.chooseRest('from', heads),
            },
            {
              id: 'rest-into',
              label: `Take ${names.into}`,
              onSelect: () => choices.chooseRest('into', heads),
            },
            ...(shown.length > 0 && shown.length < total
              ? settleMany(`The ${formatCount(shown.length)} in the list`, 'shown', shown)
              : []),
            ...byColumn.flatMap((column) => {
              const items = itemsOf(column);
              return settleMany(
                `${column ?? 'Rows removed on one side'} · ${formatCount(items.length)}`,
                `column-${column}`,
                items,
              );
            }),
            ...equal.flatMap((items) =>
              settleMany(
                `${items[0]?.column}: ${conflictText(items[0])} · ${formatCount(items.length)}`,
                items[0]?.id ?? '',
                items,
              ),
            ),
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
        <Button
          size="s"
          look="quiet"
          icon={<Redo2 />}
          keys="Mod+Shift+Z"
          tip="Make the choice again"
          isDisabled={future.length === 0}
          aria-label="Make the choice again"
          onClick={() => choices.redo()}
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
      {droppedRest && (
        <div className={styles.note} role="status" aria-label="Dropped choice for the rest">
          “{names[droppedRest]} for the rest” was taken back: a branch moved, and there are conflicts that
          nobody has looked at.{' '}
          <button type="button" className={styles.link} onClick={() => choices.dismissDropped()}>
            All right
          </button>
        </div>
      )}
      {dropped.length > 0 && (
        <div className={styles.note} role="status" aria-label="Dropped choices">
          {formatOf(dropped.length, 'earlier choice')} no longer applied, because the rows changed since:{' '}
          {dropped
            .slice(0, shownDropped)
            .map(({ key, column }) => [formatKey(key), column].filter(Boolean).join(', '))
            .join('; ')}
          {dropped.length > shownDropped && ` and ${formatCount(dropped.length - shownDropped)} more`}.{' '}
          <button type="button" className={styles.link} onClick={() => choices.dismissDropped()}>
            All right
          </button>
        </div>
      )}
    </section>
  );
}

const shownDropped = 6;
const shownChars = 24;

/** `curios | museum`: what the two sides made of it. */
function conflictText(item: ConflictItem | undefined): string {
  const text = (value: unknown): string => {
    const plain = value === null || value === undefined ? 'null' : String(value);
    return plain.length > shownChars ? `${plain.slice(0, shownChars)}…` : plain;
  };
  return item ? `${text(item.from)} | ${text(item.into)}` : '';
}
