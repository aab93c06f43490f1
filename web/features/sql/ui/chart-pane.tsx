import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback } from 'react';
import { useStore } from 'zustand';
import { explainStore, setChart } from '../explain.ts';
import { runSql, type SqlResult } from '../model/run-sql.ts';
import { maxShownRows, portsOf } from '../runs.ts';

const ResultChart = lazy(() =>
  import('../../charts/index.ts').then((module) => ({ default: module.ResultChart })),
);

/** A chart of the whole result, computed in the engine that gave it, over the same versions. */
export function ChartPane({ runKey, result }: { runKey: string; result: SqlResult }) {
  const client = useQueryClient();
  const chart = useStore(explainStore, (state) => state.charts[runKey] ?? null);
  const { refs, engine } = result;
  const query = useCallback(
    async (sql: string, signal: AbortSignal) => {
      const input = { sql, refs, choice: engine, maxRows: maxShownRows, signal, onProgress: () => {} };
      return (await runSql(portsOf(client), input)).rows;
    },
    [client, refs, engine],
  );
  return (
    <Suspense fallback={null}>
      <ResultChart
        sql={result.sql}
        columns={result.columns}
        sourceKey={JSON.stringify(refs)}
        query={query}
        chart={chart}
        onChart={(next) => setChart(runKey, next)}
      />
    </Suspense>
  );
}
