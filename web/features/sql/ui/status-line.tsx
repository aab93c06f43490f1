import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { getBrowserEngine } from '../../../engine/index.ts';
import { formatBytes } from '../../../ui/format-quantity.ts';
import { TruthLine } from '../../../ui/index.ts';
import { describeError, describePlan, describeProgress, describeResult } from '../model/truth.ts';
import type { LivePlan } from '../queries.ts';
import type { Run } from '../runs.ts';
import type { SqlTab } from '../store.ts';
import styles from './sql-page.module.css';

export interface StatusLineProps {
  tab: SqlTab;
  run: Run | undefined;
  live: LivePlan | null;
}

/** Where the statement ran or would run, and why; how many rows, how long, how many bytes. */
export function StatusLine({ tab: { choice }, run, live }: StatusLineProps) {
  const engine = useStore(getBrowserEngine().state);
  const elapsedMs = useElapsed(run?.progress ? run.startedAt : null);
  const isElsewhere = live !== null && run?.statement.text !== live.target.statement.text;
  let parts: string[] = [];
  if (run?.progress) parts = describeProgress(run.progress, elapsedMs);
  else if (run?.error && !isElsewhere) parts = [run.error.message];
  else if (live?.error) parts = [describeError(live.error), 'not run yet'];
  else if (run?.isCancelled && live?.target.statement.text === run.statement.text) parts = ['Cancelled'];
  else if (run?.result && !isElsewhere) parts = describeResult(run);
  else parts = describePlan(live ?? { plan: null }, choice, getBrowserEngine());
  const isStarting =
    run?.progress?.phase === 'starting' && engine.phase === 'starting' && engine.loadedBytes > 0;
  return (
    <footer className={styles.status}>
      <div role="status" aria-label="Statement" className={styles.statusText}>
        <TruthLine parts={isStarting ? [...parts, formatBytes(engine.loadedBytes)] : parts} />
      </div>
    </footer>
  );
}

/** Time since a moment, for as long as there is one. */
function useElapsed(startedAt: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (startedAt === null) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [startedAt]);
  return startedAt === null ? 0 : Math.max(0, now - startedAt);
}
