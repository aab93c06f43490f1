import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ArrowRows } from '../../api/index.ts';
import {
  type AxisCut,
  buildChartSql,
  buildRangeSql,
  type ChartRange,
  type ChartRelation,
  planCuts,
} from './model/build-chart-sql.ts';
import type { ChartRow } from './model/build-spec.ts';
import { type ChartChoice, formatChart, whyNotDrawn } from './model/chart-choice.ts';
import { chartRowsOf, readRange } from './model/chart-rows.ts';

/** Runs one statement that reads: the charts ask for ranges and for aggregated rows. */
export type ChartQuery = (sql: string, signal: AbortSignal) => Promise<ArrowRows>;

export interface ChartData {
  choice: ChartChoice;
  range: ChartRange;
  cuts: { x: AxisCut; y: AxisCut };
  rows: ChartRow[];
  elapsedMs: number;
}

export const chartKey = ({
  sourceKey,
  relation,
  choice,
}: {
  sourceKey: string;
  relation: ChartRelation;
  choice: ChartChoice;
}) => ['chart', sourceKey, relation.where ?? '', formatChart(choice)] as const;

/** The rows of a chart, aggregated where the data are; the last chart stays while the next is on its way. */
export const useChartData = ({
  sourceKey,
  relation,
  choice,
  query,
}: {
  /** Tells sources apart. */
  sourceKey: string;
  relation: ChartRelation;
  choice: ChartChoice;
  query: ChartQuery;
}) =>
  useQuery({
    queryKey: chartKey({ sourceKey, relation, choice }),
    queryFn: async ({ signal }): Promise<ChartData> => {
      const startedAt = performance.now();
      const range = readRange(await query(buildRangeSql(relation, choice), signal));
      const cuts = planCuts(relation, choice, range);
      const rows = chartRowsOf(await query(buildChartSql(relation, choice, cuts), signal));
      return { choice, range, cuts, rows, elapsedMs: performance.now() - startedAt };
    },
    enabled: whyNotDrawn(choice) === null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
