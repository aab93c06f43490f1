/**
 * `<ResultChart sql columns sourceKey query chart onChart />` draws the result of any statement. `sql` is the statement,
 * `columns` are `SqlPlan.columns` (name and DuckDB’s type), `query(sql, signal)` runs another statement over the same
 * refs and parameters, in whichever engine, and gives `ArrowRows`: the chart asks it for aggregates of `(sql)`, twice
 * per chart, never for more than a few thousand rows. `chart` and `onChart` keep the choices as a short text for a link;
 * without them the chart remembers its own. It fills its container, which needs a height. Vega is loaded when the first
 * chart is drawn.
 */

export type { ChartQuery } from './queries.ts';
export { ResultChart, type ResultChartProps } from './ui/result-chart.tsx';
export { TableChart, type TableChartProps } from './ui/table-chart.tsx';
