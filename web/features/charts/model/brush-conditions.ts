import { conditionOfBrush, type FacetKind } from '#shared/domain/facets/brush.ts';
import type { AxisCut } from './build-chart-sql.ts';
import type { ChartChoice, ChartColumn } from './chart-choice.ts';

/** What Vega says of a brush or of picked marks: ranges by column of the chart's rows, or picked values. */
export type Brushed =
  | { kind: 'range'; x?: readonly [number, number]; y?: readonly [number, number] }
  | { kind: 'values'; values: readonly string[] };

/** The filter that a brush means, one condition per axis; none where nothing is brushed. */
export function conditionsOfBrushed(
  brushed: Brushed,
  {
    choice,
    columns,
    cuts,
  }: { choice: ChartChoice; columns: readonly ChartColumn[]; cuts: { x: AxisCut; y: AxisCut } },
): string[] {
  const column = (name: string | null) => columns.find((one) => one.name === name);
  if (brushed.kind === 'values') {
    const x = column(choice.x);
    if (!x || brushed.values.length === 0) return [];
    if (x.kind === 'number') return [numbersIn(x.name, brushed.values)].filter(Boolean);
    const isBool = brushed.values.every((value) => ['true', 'false', 'null'].includes(value));
    const values = brushed.values.filter((value) => value !== 'null');
    const sql = conditionOfBrush(
      { column: x.name, kind: isBool && values.length > 0 ? 'bool' : 'text' },
      {
        kind: 'values',
        values: isBool ? values.map((value) => value === 'true') : values,
        ...(brushed.values.includes('null') ? { isNull: true } : {}),
      },
    );
    return sql === null ? [] : [sql];
  }
  return (['x', 'y'] as const).flatMap((name) => {
    const range = brushed[name];
    const found = column(choice[name]);
    if (!range || !found || found.kind === 'category') return [];
    const [from, to] = snapped(range, cuts[name], found);
    if (!(to > from)) return [];
    const kind: FacetKind = found.kind === 'time' ? 'timestamp' : found.isWhole ? 'whole' : 'number';
    return conditionOfBrush({ column: found.name, kind }, { kind: 'range', from, to }) ?? [];
  });
}

function numbersIn(column: string, values: readonly string[]): string {
  const whole = conditionOfBrush({ column, kind: 'text' }, { kind: 'values', values: ['0'] })!;
  const name = whole.slice(0, whole.lastIndexOf(' = '));
  const numbers = values.filter((value) => value !== 'null' && Number.isFinite(Number(value)));
  const parts = [
    ...(numbers.length === 0 ? [] : [`${name} in (${numbers.map(Number).join(', ')})`]),
    ...(values.includes('null') ? [`${name} is null`] : []),
  ];
  return parts.join(' or ');
}

/** Ends at the steps that the chart is cut by, where it is; else short numbers. */
function snapped([a, b]: readonly [number, number], cut: AxisCut, column: ChartColumn): [number, number] {
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  if (cut.kind === 'steps') {
    const { from, step } = cut.steps;
    const at = (value: number) => Number((from + Math.round((value - from) / step) * step).toPrecision(12));
    return [at(low), Math.max(at(high), at(low + step))];
  }
  if (column.kind === 'time') return [Math.floor(low / 1000) * 1000, Math.ceil(high / 1000) * 1000];
  if (column.isWhole) return [Math.ceil(low), Math.floor(high) + 1];
  const digits = (value: number) => Number(value.toPrecision(5));
  return [digits(low), digits(high)];
}
