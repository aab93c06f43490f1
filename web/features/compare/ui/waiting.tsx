import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button, EmptyState, Skeleton } from '../../../ui/index.ts';
import { type Comparison, comparisonKey } from '../queries.ts';
import styles from './compare-page.module.css';

/** The place of overview and changes while they are on their way; past a second with the time, and a way to stop. */
export function Waiting({ comparison }: { comparison: Comparison }) {
  const client = useQueryClient();
  const [seconds, setSeconds] = useState(0);
  const [isStopped, setStopped] = useState(false);
  useEffect(() => {
    if (isStopped) return;
    setSeconds(0);
    const timer = setInterval(() => setSeconds((known) => known + 1), 1000);
    return () => clearInterval(timer);
  }, [isStopped]);
  const queryKey = comparisonKey(comparison);
  const stop = () => {
    setStopped(true);
    void client.cancelQueries({ queryKey });
  };
  if (isStopped)
    return (
      <EmptyState
        title="The comparison was stopped"
        action={
          <Button
            onClick={() => {
              setStopped(false);
              void client.refetchQueries({ queryKey });
            }}
          >
            Compare again
          </Button>
        }
      >
        Nothing was changed by it.
      </EmptyState>
    );
  return (
    <div className={styles.waiting}>
      <div className={styles.waitingRail} aria-hidden>
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} height={88} />
        ))}
      </div>
      <div className={styles.waitingList}>
        {seconds >= 1 && (
          <p className={styles.waitingText} role="status" aria-label="Comparing">
            Looking for the rows that changed · {seconds} s
            <Button size="s" onClick={stop}>
              Cancel
            </Button>
          </p>
        )}
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <Skeleton key={key} height={96} />
        ))}
      </div>
    </div>
  );
}
