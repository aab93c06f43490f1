import { quoteIdent } from '#shared/sql/ident.ts';
import { type ChartChoice, type ChartColumn, placesOf, type TimeUnit } from './chart-choice.ts';

/** What a chart reads: anything that can stand behind FROM, with a condition in DuckDB's words. */
export interface ChartRelation {
  /** A quoted name, or a statement in brackets. */
  from: string;
  where?: string | undefined;
  columns: readonly ChartColumn[];
}

/** What the chart covers, asked first: bins follow from it. */
export interface ChartRange {
  rows: number;
  x: { least: number; most: number } | null;
  y: { least: number; most: number } | null;
}

export interface Steps {
  from: number;
  step: number;
}

/** How an axis is cut: even steps of numbers, a unit of time, or each value by itself. */
export type AxisCut =
  | { kind: 'steps'; steps: Steps }
  | { kind: 'unit'; unit: Exclude<TimeUnit, 'auto'> }
  | { kind: 'values' };

export const mostBars = 40;
const mostColors = 8;
export const mostPoints = 4000;
const mostBoxes = 20;
const binsAcross = 40;
const pointsAcross = 240;

const columnOf = ({ columns }: ChartRelation, name: string | null): ChartColumn | undefined =>
  columns.find((column) => column.name === name);

/** A column as numbers (times in milliseconds) or text. */
function cellOf(column: ChartColumn | undefined): string {
  if (!column) return 'NULL';
  const name = quoteIdent(column.name);
  if (column.kind === 'number') return `CAST(${name} AS DOUBLE)`;
  if (column.kind === 'time') return `CAST(${name} AS TIMESTAMP)`;
  return `CAST(${name} AS VARCHAR)`;
}

const asNumber = (column: ChartColumn | undefined, of: string): string =>
  column?.kind === 'time' ? `CAST(epoch_ms(${of}) AS DOUBLE)` : of;

function sourceOf(relation: ChartRelation, { x, y, color }: ChartChoice): string {
  const cells = [`${cellOf(columnOf(relation, x))} AS x`, `${cellOf(columnOf(relation, y))} AS y`];
  const c = color === null ? 'NULL' : `coalesce(CAST(${quoteIdent(color)} AS VARCHAR), 'null')`;
  const where = relation.where ? ` WHERE ${relation.where}` : '';
  return `SELECT ${cells.join(', ')}, ${c} AS c FROM ${relation.from}${where}`;
}

/** How many rows there are, and between which ends. */
export function buildRangeSql(relation: ChartRelation, choice: ChartChoice): string {
  const ends = (name: 'x' | 'y', column: ChartColumn | undefined): string => {
    if (!column || column.kind === 'category') return `NULL AS ${name}_least, NULL AS ${name}_most`;
    const finite = column.kind === 'number' ? ` FILTER (isfinite(${name}))` : '';
    return `${asNumber(column, `min(${name})${finite}`)} AS ${name}_least, ${asNumber(column, `max(${name})${finite}`)} AS ${name}_most`;
  };
  return `WITH s AS (${sourceOf(relation, choice)}) SELECT count(*) AS n, ${ends('x', columnOf(relation, choice.x))}, ${ends('y', columnOf(relation, choice.y))} FROM s`;
}

/** Even steps with round edges, at most so many. */
export function planSteps(range: { least: number; most: number }, count: number, isWhole: boolean): Steps {
  const span = range.most - range.least;
  const wanted = Math.max(span / count, isWhole ? 1 : 0) || (isWhole ? 1 : Math.abs(range.least) / 10 || 1);
  const tens = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((digit) => digit * tens).find((one) => one >= wanted * (1 - 1e-9)) ?? wanted;
  return { from: Math.floor(range.least / step) * step, step };
}

const unitMs: readonly (readonly [Exclude<TimeUnit, 'auto'>, number])[] = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 7 * 86_400_000],
  ['month', 30.4 * 86_400_000],
  ['quarter', 91 * 86_400_000],
  ['year', 365 * 86_400_000],
];

const unitFor = (span: number, most: number): Exclude<TimeUnit, 'auto'> =>
  unitMs.find(([, ms]) => span / ms <= most)?.[0] ?? 'year';

/** How the axes of a chart are cut, from its range. */
export function planCuts(
  relation: ChartRelation,
  choice: ChartChoice,
  range: ChartRange,
): { x: AxisCut; y: AxisCut } {
  const isLine = choice.kind === 'line' || choice.kind === 'series';
  const cut = (column: ChartColumn | undefined, ends: ChartRange['x']): AxisCut => {
    if (!column || column.kind === 'category' || !ends) return { kind: 'values' };
    if (column.kind === 'time') {
      const most = isLine ? pointsAcross : binsAcross * 1.5;
      return {
        kind: 'unit',
        unit: choice.unit === 'auto' ? unitFor(ends.most - ends.least, most) : choice.unit,
      };
    }
    return { kind: 'steps', steps: planSteps(ends, isLine ? pointsAcross : binsAcross, column.isWhole) };
  };
  if (choice.kind === 'bar') return { x: { kind: 'values' }, y: { kind: 'values' } };
  return { x: cut(columnOf(relation, choice.x), range.x), y: cut(columnOf(relation, choice.y), range.y) };
}

/** A cut axis as an expression: the start of the step, the unit (in milliseconds), or the value. */
function cutOf(name: 'x' | 'y', cut: AxisCut): string {
  if (cut.kind === 'steps')
    return `${cut.steps.from} + floor((${name} - (${cut.steps.from})) / ${cut.steps.step}) * ${cut.steps.step}`;
  if (cut.kind === 'unit') return `CAST(epoch_ms(date_trunc('${cut.unit}', ${name})) AS DOUBLE)`;
  return name;
}

function measureOf({ measure }: ChartChoice): string {
  if (measure === 'count') return 'CAST(count(*) AS DOUBLE)';
  return `CAST(${measure === 'mean' ? 'avg' : measure}(y) AS DOUBLE)`;
}

/** The most frequent colours keep their names, the others are one. */
const hues = `h AS (SELECT c FROM s GROUP BY c ORDER BY count(*) DESC, c LIMIT ${mostColors})`;
const hueOf = `CASE WHEN c IN (SELECT c FROM h) THEN c ELSE 'all others' END`;

/** The rows that are drawn, aggregated where the kind of chart allows: never more than a few thousand. */
export function buildChartSql(
  relation: ChartRelation,
  choice: ChartChoice,
  cuts: { x: AxisCut; y: AxisCut },
): string {
  const s = `s AS (${sourceOf(relation, choice)})`;
  const value = measureOf(choice);
  const hasColor = choice.color !== null && placesOf[choice.kind].hasColor;
  const color = hasColor ? hueOf : `CAST(NULL AS VARCHAR)`;
  const withHues = hasColor ? `, ${hues}` : '';
  const x = cutOf('x', cuts.x);
  const y = cutOf('y', cuts.y);
  switch (choice.kind) {
    case 'bar':
      if (!hasColor)
        return `WITH ${s} SELECT coalesce(CAST(x AS VARCHAR), 'null') AS x, CAST(NULL AS VARCHAR) AS c, ${value} AS v, CAST(count(*) AS DOUBLE) AS n, v AS total, CAST(count(*) OVER () AS DOUBLE) AS kinds FROM s GROUP BY s.x ORDER BY total DESC NULLS LAST, 1 LIMIT ${mostBars}`;
      return `WITH ${s}${withHues}, t AS (SELECT x, ${value} AS v, count(*) OVER () AS kinds FROM s GROUP BY x ORDER BY v DESC NULLS LAST, x LIMIT ${mostBars}) SELECT coalesce(CAST(s.x AS VARCHAR), 'null') AS x, ${hueOf.replaceAll('WHEN c IN', 'WHEN s.c IN').replace('THEN c', 'THEN s.c')} AS c, ${value.replaceAll('(y)', '(s.y)')} AS v, CAST(count(*) AS DOUBLE) AS n, any_value(t.v) AS total, CAST(any_value(t.kinds) AS DOUBLE) AS kinds FROM s JOIN t ON s.x IS NOT DISTINCT FROM t.x GROUP BY 1, 2 ORDER BY total DESC NULLS LAST, 1`;
    case 'line':
    case 'series':
      return `WITH ${s}${withHues} SELECT ${x} AS x, ${color} AS c, ${value} AS v, CAST(count(*) AS DOUBLE) AS n FROM s WHERE x IS NOT NULL GROUP BY 1, 2 ORDER BY 1`;
    case 'histogram':
      return `WITH ${s}${withHues} SELECT ${x} AS x, ${color} AS c, CAST(count(*) AS DOUBLE) AS v, CAST(count(*) AS DOUBLE) AS n FROM s WHERE x IS NOT NULL${finiteOf(relation, choice.x, 'x')} GROUP BY 1, 2 ORDER BY 1`;
    case 'scatter':
      return `WITH ${s}${withHues} SELECT ${asNumber(columnOf(relation, choice.x), 'x')} AS x, ${asNumber(columnOf(relation, choice.y), 'y')} AS y, ${color} AS c FROM (SELECT * FROM s WHERE x IS NOT NULL AND y IS NOT NULL${finiteOf(relation, choice.x, 'x')}${finiteOf(relation, choice.y, 'y')}) AS p USING SAMPLE reservoir(${mostPoints} ROWS) REPEATABLE (7)`;
    case 'heat':
      return `WITH ${s}, tx AS (SELECT ${x} AS x FROM s GROUP BY 1 ORDER BY count(*) DESC LIMIT ${limitOf(cuts.x)}), ty AS (SELECT ${y} AS y FROM s GROUP BY 1 ORDER BY count(*) DESC LIMIT ${limitOf(cuts.y)}), g AS (SELECT ${x} AS x, ${y} AS y, CAST(count(*) AS DOUBLE) AS v FROM s WHERE x IS NOT NULL AND y IS NOT NULL${finiteOf(relation, choice.x, 'x')}${finiteOf(relation, choice.y, 'y')} GROUP BY 1, 2) SELECT g.x, g.y, g.v, g.v AS n FROM g WHERE g.x IN (SELECT x FROM tx) AND g.y IN (SELECT y FROM ty) ORDER BY 1, 2`;
    case 'box':
      return `WITH ${s}, g AS (SELECT coalesce(x, 'null') AS x, quantile_cont(y, [0.05, 0.25, 0.5, 0.75, 0.95]) AS q, count(y) AS n FROM s WHERE y IS NOT NULL${finiteOf(relation, choice.y, 'y')} GROUP BY 1) SELECT x, q[1] AS low, q[2] AS q1, q[3] AS mid, q[4] AS q3, q[5] AS high, CAST(n AS DOUBLE) AS n, CAST(count(*) OVER () AS DOUBLE) AS kinds FROM g ORDER BY n DESC, x LIMIT ${mostBoxes}`;
  }
}

const limitOf = (cut: AxisCut): number => (cut.kind === 'values' ? 30 : 400);

const finiteOf = (relation: ChartRelation, name: string | null, cell: string): string =>
  columnOf(relation, name)?.kind === 'number' ? ` AND isfinite(${cell})` : '';
