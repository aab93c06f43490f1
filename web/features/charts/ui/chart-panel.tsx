import { useQueryClient } from '@tanstack/react-query';
import { ListFilter, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { formatElapsed } from '../../../ui/format-quantity.ts';
import { Button, EmptyState, ErrorNote, IconButton, Skeleton, Spacer, TruthLine } from '../../../ui/index.ts';
import type { DrawnChart } from '../draw-chart.ts';
import { type Brushed, conditionsOfBrushed } from '../model/brush-conditions.ts';
import type { ChartRelation } from '../model/build-chart-sql.ts';
import {
  fitChoice,
  formatChart,
  type Measure,
  parseChart,
  planFirstChart,
  whyNotDrawn,
} from '../model/chart-choice.ts';
import { describeDrawn } from '../model/chart-rows.ts';
import { type ChartQuery, chartKey, useChartData } from '../queries.ts';
import { ChartCanvas } from './chart-canvas.tsx';
import { ChartControls } from './chart-controls.tsx';
import styles from './charts.module.css';
import { ExportMenu } from './export-menu.tsx';

export interface ChartPanelProps {
  sourceKey: string;
  relation: ChartRelation;
  query: ChartQuery;
  /** As an address keeps it; null for a new one. */
  chart: string | null;
  onChart: (chart: string) => void;
  /** What a new chart measures, where there are numbers. */
  firstMeasure?: Measure;
  /** Narrows the rows to what was brushed; left out where nothing can be narrowed. */
  onFilter?: ((conditions: string[]) => void) | undefined;
}

/** A chart of any rows by a few choices: drawn, brushed, kept in the address, exported. */
export function ChartPanel({
  sourceKey,
  relation,
  query,
  chart,
  onChart,
  firstMeasure,
  onFilter,
}: ChartPanelProps) {
  const { columns } = relation;
  const choice = useMemo(() => {
    const parsed = parseChart(chart);
    return parsed ? fitChoice(parsed, columns) : planFirstChart(columns, firstMeasure);
  }, [chart, columns, firstMeasure]);
  const { data, error, refetch, isFetching, isPlaceholderData } = useChartData({
    sourceKey,
    relation,
    choice,
    query,
  });
  const client = useQueryClient();
  const isComputing = isFetching && (!data || isPlaceholderData);
  const isStopped = !isFetching && !error && (!data || isPlaceholderData);
  const [brushed, setBrushed] = useState<Brushed | null>(null);
  const [drawn, setDrawn] = useState<DrawnChart | null>(null);
  const whyNot = whyNotDrawn(choice);
  const found =
    brushed && data ? conditionsOfBrushed(brushed, { choice: data.choice, columns, cuts: data.cuts }) : [];
  const keep = () => {
    drawn?.clear();
    setBrushed(null);
    onFilter?.(found);
  };
  return (
    <section className={styles.panel} aria-label="Chart" aria-busy={isFetching}>
      <header className={styles.head}>
        <ChartControls choice={choice} columns={columns} onChange={(next) => onChart(formatChart(next))} />
        <Spacer />
        <ExportMenu data={isPlaceholderData ? undefined : data} drawn={drawn} columns={columns} />
      </header>
      <ErrorNote error={error} title="The chart cannot be computed." onRetry={() => void refetch()} />
      {whyNot ? (
        <EmptyState title="Nothing to draw yet">{whyNot}</EmptyState>
      ) : data && data.rows.length > 0 ? (
        <ChartCanvas data={data} columns={columns} onBrush={setBrushed} onDrawn={setDrawn} />
      ) : data ? (
        <EmptyState title="No rows to draw">Nothing that matches has a value here.</EmptyState>
      ) : (
        !error &&
        !isStopped && (
          <div className={styles.canvasRoom}>
            <Skeleton height="100%" />
          </div>
        )
      )}
      <footer className={styles.foot}>
        <span role="status" aria-label="Scope of the chart">
          {!data && !whyNot && isComputing && 'computing…'}
          {!whyNot && isStopped && 'stopped before it was drawn'}
          {data && !whyNot && !isStopped && (
            <TruthLine
              parts={
                isPlaceholderData
                  ? ['drawing anew…']
                  : [...describeDrawn(data.choice, data.rows, data.range), formatElapsed(data.elapsedMs)]
              }
            />
          )}
        </span>
        {isComputing && (
          <LongWait
            key={formatChart(choice)}
            onStop={() => void client.cancelQueries({ queryKey: chartKey({ sourceKey, relation, choice }) })}
          />
        )}
        {isStopped && !whyNot && (
          <Button size="s" onClick={() => void refetch()}>
            Draw it
          </Button>
        )}
        <Spacer />
        {found.length > 0 && (
          <span className={styles.brushed}>
            <code title={found.join(' and ')}>{found.join(' and ')}</code>
            {onFilter && (
              <Button size="s" look="primary" icon={<ListFilter />} onClick={keep}>
                Keep only these rows
              </Button>
            )}
            <IconButton size="s" label="Take the brush away" icon={<X />} onClick={() => drawn?.clear()} />
          </span>
        )}
      </footer>
    </section>
  );
}

/** After a second: for how long, and a way to stop it. */
function LongWait({ onStop }: { onStop: () => void }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  if (seconds === 0) return null;
  return (
    <>
      <span className={styles.seconds}>{formatElapsed(seconds * 1000)}</span>
      <Button size="s" onClick={onStop}>
        Stop
      </Button>
    </>
  );
}
