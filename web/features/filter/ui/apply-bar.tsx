import { useDeferredValue, useEffect, useState } from 'react';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Button } from '../../../ui/index.ts';
import { useMatchCount } from '../queries.ts';
import styles from './filter.module.css';

export interface ApplyBarProps {
  table: string;
  refText: string;
  where: string | undefined;
  isReady: boolean;
  isNew: boolean;
  onApply: () => void;
}

const typingMs = 250;

/** How many rows it would leave, and the button that applies it. */
export function ApplyBar({ table, refText, where, isReady, isNew, onApply }: ApplyBarProps) {
  const settled = useSettled(useDeferredValue(where));
  const count = useMatchCount(table, refText, settled, isReady && settled !== undefined);
  return (
    <div className={styles.apply}>
      <span className={styles.match} aria-live="polite">
        {isReady && count.data && !count.error
          ? `${formatOf(count.data.rows, 'row matches', 'rows match')}`
          : ''}
      </span>
      <Button
        look="primary"
        keys="Enter"
        whyNot={isReady ? null : 'The condition is not complete yet'}
        onClick={onApply}
      >
        {isNew ? 'Add' : 'Apply'}
      </Button>
    </div>
  );
}

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
