import type { ReactNode } from 'react';
import type { Change } from '../model/change.ts';
import { ChangeCard } from './change-card.tsx';
import styles from './change-list.module.css';
import { useChangeRows } from './use-change-rows.ts';

export interface ChangeListProps {
  changes: readonly Change[];
  /** Place of the current change; -1 for none. */
  at: number;
  /** Whether the current change takes the focus and is brought into sight, as the keys do. */
  takesFocus: boolean;
  onCurrent: (change: Change) => void;
  /** The end of what is loaded comes into sight. */
  onEnd: () => void;
  /** Stands above the first change. */
  head?: ReactNode;
  /** Stands below the last one. */
  foot?: ReactNode;
}

const gapPx = 10;

/** A guess until the card was measured. */
function estimatePx({ kind, conflicts, columns, conflictKind }: Change): number {
  if (conflictKind) return 60 + conflicts.length * 150;
  return kind === 'modified' ? 66 + columns.length * 40 : 330;
}

/** The changes, of which only those in sight are there. */
export function ChangeList({ changes, at, takesFocus, onCurrent, onEnd, head, foot }: ChangeListProps) {
  const { scroller, list, virtualizer, items } = useChangeRows({
    changes,
    at,
    takesFocus,
    onEnd,
    asksAhead: 5,
    sizes: {
      estimateSize: (index) => estimatePx(changes[index]!),
      gap: gapPx,
      overscan: 4,
      scrollPaddingStart: 8,
    },
  });
  return (
    <div ref={scroller} className={styles.scroller}>
      {head}
      <ul
        ref={list}
        aria-label="Changed rows"
        className={styles.list}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map((item) => {
          const change = changes[item.index];
          if (!change) return null;
          return (
            <li
              key={item.key}
              ref={virtualizer.measureElement}
              aria-setsize={changes.length}
              aria-posinset={item.index + 1}
              data-index={item.index}
              className={styles.item}
              style={{ transform: `translateY(${item.start - virtualizer.options.scrollMargin}px)` }}
            >
              <ChangeCard
                change={change}
                isCurrent={item.index === at}
                takesFocus={takesFocus}
                onCurrent={onCurrent}
              />
            </li>
          );
        })}
      </ul>
      {foot}
    </div>
  );
}
