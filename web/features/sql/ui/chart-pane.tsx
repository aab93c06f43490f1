import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback } from 'react';
import { useStore } from 'zustand';
import { runSql, type SqlResult } from '../model/run-sql.ts';
import { maxShownRows, placeOfRun, portsOf } from '../runs.ts';
import { setChart, sqlStore } from '../store.ts';

const ResultChart = lazy(() =>
  import('../../charts/index.ts').then((module) => ({ default: module.ResultChart })),
);

/** A chart of the whole result, computed in the engine that gave it, over the same versions. */
export function ChartPane({ runKey, result }: { runKey: string; result: SqlResult }) {
  const client = useQueryClient();
  const { tabId, cell } = placeOfRun(runKey);
  const chart = useStore(sqlStore, ({ tabs }) => tabs.find(({ id }) => id === tabId)?.charts[cell] ?? null);
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
        onChart={(next) => setChart(tabId, cell, next)}
      />
    </Suspense>
  );
}
