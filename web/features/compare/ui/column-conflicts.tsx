import { Check } from 'lucide-react';
import type { Side } from '#shared/api/edits.ts';
import { cx } from '../../../ui/index.ts';
import { type ConflictItem, pickOf } from '../model/choices.ts';
import styles from './conflict-cell.module.css';
import { useBook, useScene } from './scene.ts';
import { SideOption } from './side-option.tsx';

const sides = ['from', 'into'] as const;

/** Columns that both sides treated differently as a whole. */
export function ColumnConflicts({ items }: { items: readonly ConflictItem[] }) {
  if (items.length === 0) return null;
  return (
    <section className={styles.columnConflicts} aria-label="Columns in conflict">
      {items.map((item) => (
        <ColumnConflict key={item.id} item={item} />
      ))}
    </section>
  );
}

function ColumnConflict({ item }: { item: ConflictItem }) {
  const { choices, names, currentConflict, onConflict } = useScene();
  const pick = pickOf(useBook(choices), item);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the screen move from conflict to conflict
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div
      className={cx(styles.conflict, currentConflict === item.id && styles.current, pick && styles.settled)}
      onClick={() => onConflict(item)}
    >
      <div className={styles.head}>
        <span className={styles.column}>Column {item.column}</span>
        <span className={styles.what}>{describeDispute(item, names)}</span>
        {pick && (
          <span className={styles.state}>
            <Check aria-hidden />
            settled
          </span>
        )}
      </div>
      <div role="radiogroup" aria-label={`Column ${item.column}`} className={styles.options}>
        {sides.map((side) => (
          <SideOption
            key={side}
            side={side}
            label={optionOf(item, side, names)}
            isTaken={pick !== null && 'take' in pick && pick.take === side}
            onTake={() => choices.choose([item], { take: side })}
          >
            {item[side] !== null && <code>{String(item[side])}</code>}
          </SideOption>
        ))}
      </div>
    </div>
  );
}

type Names = { from: string; into: string };

function describeDispute({ from, into }: ConflictItem, names: Names): string {
  if (from === null) return `${names.from} dropped it, ${names.into} changed cells of it`;
  if (into === null) return `${names.into} dropped it, ${names.from} changed cells of it`;
  return 'called differently on both sides';
}

function optionOf(item: ConflictItem, side: Exclude<Side, 'base'>, names: Names): string {
  if (item[side] === null) return `Drop it, as ${names[side]}`;
  return item.from === null || item.into === null ? `Keep it, as ${names[side]}` : `As ${names[side]}`;
}
