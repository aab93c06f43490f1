import { useMemo, useState } from 'react';
import { chartColumnsOfResult } from '../model/chart-columns.ts';
import type { ChartQuery } from '../queries.ts';
import { ChartPanel } from './chart-panel.tsx';

export interface ResultChartProps {
  /** The statement whose result is drawn, without a semicolon at its end. */
  sql: string;
  /** Columns of the result with DuckDB’s types, as `SqlPlan.columns` has them. */
  columns: readonly { name: string; type: string }[];
  /** Tells results apart that come from the same text: its refs and parameters. */
  sourceKey: string;
  /** Runs a statement where the result was computed, over the same refs and with the same parameters. */
  query: ChartQuery;
  /** As a link keeps it; null for a new one. Left out: the chart keeps it for itself. */
  chart?: string | null;
  onChart?: (chart: string) => void;
}

/** A chart of a statement’s result, aggregated by the engine over the whole result, also where the grid shows its first rows only. */
export function ResultChart({ sql, columns, sourceKey, query, chart, onChart }: ResultChartProps) {
  const [own, setOwn] = useState<string | null>(null);
  const found = useMemo(() => chartColumnsOfResult(columns), [columns]);
  const relation = useMemo(() => ({ from: `(${sql}\n) AS result`, columns: found }), [sql, found]);
  return (
    <ChartPanel
      sourceKey={`${sourceKey}\0${sql}`}
      relation={relation}
      query={query}
      firstMeasure="sum"
      chart={chart === undefined ? own : chart}
      onChart={(next) => (onChart ? onChart(next) : setOwn(next))}
    />
  );
}
