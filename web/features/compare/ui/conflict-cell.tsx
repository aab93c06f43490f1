import { Check } from 'lucide-react';
import { useState } from 'react';
import type { Side } from '#shared/api/edits.ts';
import { cx } from '../../../ui/index.ts';
import { TypedValue, toEditValue } from '../../edit/index.ts';
import { type GridColumn, TypeGlyph } from '../../grid/index.ts';
import type { Change } from '../model/change.ts';
import { type ConflictItem, pickOf } from '../model/choices.ts';
import { CellDiff } from './cell-diff.tsx';
import styles from './conflict-cell.module.css';
import { FullValue } from './full-value.tsx';
import { useBook, useScene } from './scene.ts';
import { mediaOfSide, type SideName } from './side-media.ts';
import { SideOption } from './side-option.tsx';

const order: Side[] = ['from', 'into', 'base'];

/** One conflict: what either side made of the cell or the row, and the choice between them. */
export function ConflictCell({ change, item }: { change: Change; item: ConflictItem }) {
  const { choices, names, columns, currentConflict, onConflict, summary, slots } = useScene();
  const book = useBook(choices);
  const pick = pickOf(book, item);
  const isOwn = book.entries[item.id] !== undefined;
  const column = columns.find(({ name }) => name === item.column);
  const [isTyping, setTyping] = useState(false);
  const isCurrent = currentConflict === item.id;
  const take = (side: Side) => {
    setTyping(false);
    choices.choose([item], { take: side });
  };
  const typed = pick && 'value' in pick ? pick : null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the screen move from conflict to conflict
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div
      className={cx(styles.conflict, isCurrent && styles.current, pick && styles.settled)}
      onClick={() => onConflict(item)}
    >
      <div className={styles.head}>
        {column ? (
          <span className={styles.column}>
            <TypeGlyph column={column} />
            {column.name}
          </span>
        ) : (
          <span className={styles.column}>The row as a whole</span>
        )}
        <span className={styles.what}>{describeConflict(item, change, names)}</span>
        {pick && (
          <span className={styles.state}>
            <Check aria-hidden />
            {isOwn ? 'settled' : 'settled with the rest'}
            {isOwn && (
              <button type="button" className={styles.undo} onClick={() => choices.forget([item])}>
                take back
              </button>
            )}
          </span>
        )}
        {item.column !== null && slots?.cell?.(change, item.column)}
      </div>
      <div
        role="radiogroup"
        aria-label={`${item.column ?? 'Row'} of ${change.keyText}`}
        className={styles.options}
      >
        {order.map((side) => (
          <SideOption
            key={side}
            side={side}
            label={optionLabel(side, item, names, summary.base)}
            isTaken={pick !== null && 'take' in pick && pick.take === side}
            onTake={() => take(side)}
          >
            {column && <SideValue column={column} change={change} item={item} side={side} />}
          </SideOption>
        ))}
        {typed && column && !isTyping && (
          <SideOption side={null} label="Typed" isTaken onTake={() => setTyping(true)}>
            <span className={styles.typed}>
              {typeof typed.value === 'string' ? typed.value : JSON.stringify(typed.value)}
            </span>
          </SideOption>
        )}
      </div>
      {column && (
        <TypedValue
          column={column}
          start={pick && 'value' in pick ? pick.value : toEditValue(item.from ?? item.into, column.type)}
          isOpen={isTyping}
          onOpen={setTyping}
          onPick={(value) => choices.choose([item], { value })}
        />
      )}
    </div>
  );
}

/** A side's value, against the base where there is one. */
function SideValue({
  column,
  change,
  item,
  side,
}: {
  column: GridColumn;
  change: Change;
  item: ConflictItem;
  side: Side;
}) {
  const { comparison, summary } = useScene();
  const media = (name: SideName) =>
    mediaOfSide({ table: comparison.table, summary, change, side: name, column: column.name });
  if (side === 'base' || item.kind === 'added-added')
    return <FullValue column={column} value={item[side]} media={media(side)} />;
  return (
    <CellDiff
      column={column}
      before={item.base}
      after={item[side]}
      beforeMedia={media('base')}
      afterMedia={media(side)}
    />
  );
}

function describeConflict(item: ConflictItem, change: Change, names: { from: string; into: string }): string {
  switch (item.kind) {
    case 'cell':
      return 'changed on both sides';
    case 'added-added':
      return 'added on both sides with different values';
    case 'removed-modified':
      return `${names.from} removed it, ${names.into} changed ${change.conflicts.join(', ')}`;
    case 'modified-removed':
      return `${names.into} removed it, ${names.from} changed ${change.conflicts.join(', ')}`;
  }
}

function optionLabel(
  side: Side,
  item: ConflictItem,
  names: { from: string; into: string },
  base: unknown,
): string {
  const isRow = item.column === null;
  if (!isRow) return side === 'base' ? (base ? 'As it was' : 'Empty') : names[side];
  const isGoneInFrom = item.kind === 'removed-modified';
  if (side === 'base') return isGoneInFrom ? 'Keep it as it was' : 'Bring it back as it was';
  if (side === 'from')
    return isGoneInFrom ? `Remove it, as ${names.from}` : `Bring it back, as ${names.from}`;
  return isGoneInFrom ? `Keep it, as ${names.into}` : `Leave it removed, as ${names.into}`;
}
