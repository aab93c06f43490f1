import type { TopLevelSpec } from 'vega-lite';
import type { AxisCut } from './build-chart-sql.ts';
import type { ChartChoice, ChartColumn } from './chart-choice.ts';

export type ChartRow = Record<string, string | number | null>;

export interface SpecInput {
  choice: ChartChoice;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
  cuts: { x: AxisCut; y: AxisCut };
}

const textLength: Record<string, number> = {
  minute: 16,
  hour: 16,
  day: 10,
  week: 10,
  month: 7,
  quarter: 7,
  year: 4,
};

/** Times also as texts in UTC, for what is shown on hover: Vega would write them in the zone of the machine. */
function withTimeTexts({ choice, columns, rows, cuts }: SpecInput): ChartRow[] {
  const names = (['x', 'y'] as const).filter(
    (name) => columns.find((column) => column.name === choice[name])?.kind === 'time',
  );
  if (names.length === 0) return [...rows];
  return rows.map((row) => {
    const texts = names.map((name) => {
      const cut = cuts[name];
      const length = cut.kind === 'unit' ? (textLength[cut.unit] ?? 19) : 19;
      const ms = row[name];
      const text =
        typeof ms === 'number' ? new Date(ms).toISOString().replace('T', ' ').slice(0, length) : null;
      return [`${name}_text`, text] as const;
    });
    return { ...row, ...Object.fromEntries(texts) };
  });
}

const measureWords = {
  count: 'rows',
  sum: 'sum of',
  mean: 'mean of',
  median: 'median of',
  min: 'least',
  max: 'greatest',
};

/** What stands upwards: `rows`, `mean of delay`. */
export const valueTitle = ({ measure, y }: ChartChoice): string =>
  measure === 'count' || y === null ? 'rows' : `${measureWords[measure]} ${y}`;

/** The chart in the grammar of Vega-Lite, with its rows inside; without colours, which come with the theme. */
export function buildSpec(input: SpecInput): TopLevelSpec {
  const { choice } = input;
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    description: describeChart(choice),
    width: 'container',
    height: 'container',
    autosize: { type: 'fit', contains: 'padding' },
    data: { name: 'rows', values: withTimeTexts(input) },
    ...bodyOf(input),
  } as TopLevelSpec;
}

/** The chart in a sentence. */
export function describeChart(choice: ChartChoice): string {
  const by = choice.color === null ? '' : `, coloured by ${choice.color}`;
  switch (choice.kind) {
    case 'bar':
      return `Bars: ${valueTitle(choice)} by ${choice.x}${by}`;
    case 'line':
    case 'series':
      return `Line: ${valueTitle(choice)} along ${choice.x}${by}`;
    case 'histogram':
      return `Histogram of ${choice.x}${by}`;
    case 'scatter':
      return `Scatter of ${choice.y} against ${choice.x}${by}`;
    case 'heat':
      return `Heat map: rows by ${choice.x} and ${choice.y}`;
    case 'box':
      return `Boxes: ${choice.y} by ${choice.x}; whiskers from 5 to 95 %`;
  }
}

function bodyOf(input: SpecInput): object {
  const { choice } = input;
  const color = choice.color === null ? {} : { color: { field: 'c', type: 'nominal', title: choice.color } };
  const value = { field: 'v', type: 'quantitative', title: valueTitle(choice) };
  const count = { field: 'n', type: 'quantitative', title: 'rows' };
  const hover = (...fields: object[]) => ({ tooltip: fields });
  const named = choice.color === null ? [] : [{ field: 'c', type: 'nominal', title: choice.color }];
  switch (choice.kind) {
    case 'bar': {
      const x = { field: 'x', type: 'nominal', title: choice.x };
      return {
        mark: { type: 'bar', cornerRadiusEnd: 2 },
        params: [{ name: 'pick', select: { type: 'point', fields: ['x'] } }],
        encoding: {
          y: { ...x, sort: null, axis: { labelLimit: 160, labelOverlap: 'greedy' } },
          x: value,
          ...color,
          opacity: { condition: { param: 'pick', value: 1 }, value: 0.35 },
          ...hover(x, ...named, value, ...(choice.measure === 'count' ? [] : [count])),
        },
      };
    }
    case 'line':
    case 'series': {
      const x = axisOf(input, 'x');
      return {
        mark: { type: 'line', point: input.rows.length <= 60, interpolate: 'linear' },
        params: [{ name: 'brush', select: { type: 'interval', encodings: ['x'] } }],
        encoding: { x, y: value, ...color, ...hover(hoverOf(input, 'x'), ...named, value, count) },
      };
    }
    case 'histogram': {
      const x = axisOf(input, 'x');
      return {
        mark: { type: 'bar', binSpacing: 1 },
        params: [{ name: 'brush', select: { type: 'interval', encodings: ['x'] } }],
        transform: endOf(input.cuts.x, 'x'),
        encoding: {
          x: { ...x, bin: { binned: true } },
          x2: { field: 'x_end' },
          y: value,
          ...color,
          ...hover(hoverOf(input, 'x'), ...named, count),
        },
      };
    }
    case 'scatter': {
      const x = axisOf(input, 'x');
      const y = axisOf(input, 'y');
      return {
        mark: { type: 'point', filled: true, size: 22, opacity: 0.55 },
        params: [{ name: 'brush', select: { type: 'interval' } }],
        encoding: {
          x: { ...x, scale: { zero: false, nice: true } },
          y: { ...y, scale: { zero: false, nice: true } },
          ...color,
          ...hover(hoverOf(input, 'x'), hoverOf(input, 'y'), ...named),
        },
      };
    }
    case 'heat':
      return heatOf(input, count);
    case 'box':
      return boxOf(choice, count);
  }
}

function heatOf(input: SpecInput, count: object): object {
  const x = axisOf(input, 'x');
  const y = axisOf(input, 'y');
  const side = (axis: object, cut: AxisCut, name: 'x' | 'y') =>
    cut.kind === 'values'
      ? { [name]: axis }
      : { [name]: { ...axis, bin: { binned: true } }, [`${name}2`]: { field: `${name}_end` } };
  return {
    mark: { type: 'rect' },
    params: [{ name: 'brush', select: { type: 'interval' } }],
    transform: [...endOf(input.cuts.x, 'x'), ...endOf(input.cuts.y, 'y')],
    encoding: {
      ...side(x, input.cuts.x, 'x'),
      ...side(y, input.cuts.y, 'y'),
      color: { field: 'v', type: 'quantitative', title: 'rows' },
      tooltip: [hoverOf(input, 'x'), hoverOf(input, 'y'), count],
    },
  };
}

function boxOf(choice: ChartChoice, count: object): object {
  const y = {
    field: 'x',
    type: 'nominal',
    title: choice.x,
    sort: null,
    axis: { labelLimit: 160, labelOverlap: 'greedy' },
  };
  const at = (field: string, title: string) => ({ field, type: 'quantitative', title });
  const tooltip = [
    { field: 'x', type: 'nominal', title: choice.x },
    at('low', '5 %'),
    at('q1', '25 %'),
    at('mid', 'median'),
    at('q3', '75 %'),
    at('high', '95 %'),
    count,
  ];
  return {
    encoding: { y, tooltip },
    layer: [
      { mark: { type: 'rule' }, encoding: { x: at('low', choice.y ?? ''), x2: { field: 'high' } } },
      {
        mark: { type: 'bar', size: 14, cornerRadius: 2 },
        params: [{ name: 'pick', select: { type: 'point', fields: ['x'] } }],
        encoding: {
          x: at('q1', choice.y ?? ''),
          x2: { field: 'q3' },
          opacity: { condition: { param: 'pick', value: 1 }, value: 0.35 },
        },
      },
      {
        mark: { type: 'tick', size: 14, thickness: 2, style: 'median' },
        encoding: { x: at('mid', choice.y ?? '') },
      },
    ],
  };
}

/** An axis as it is named on hover. */
function hoverOf(input: SpecInput, name: 'x' | 'y'): Record<string, unknown> {
  const axis = axisOf(input, name);
  return axis.type === 'temporal' ? { field: `${name}_text`, type: 'nominal', title: axis.title } : axis;
}

function axisOf({ choice, columns }: SpecInput, name: 'x' | 'y'): Record<string, unknown> {
  const title = choice[name];
  const column = columns.find((one) => one.name === title);
  if (column?.kind === 'time') return { field: name, type: 'temporal', title, scale: { type: 'utc' } };
  return { field: name, type: column?.kind === 'category' ? 'nominal' : 'quantitative', title };
}

const stepMs: Record<string, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 30.4 * 86_400_000,
  quarter: 91.3 * 86_400_000,
  year: 365.25 * 86_400_000,
};

/** Where a step ends, for bars from end to end. */
function endOf(cut: AxisCut, name: 'x' | 'y'): object[] {
  if (cut.kind === 'steps') return [{ calculate: `datum.${name} + ${cut.steps.step}`, as: `${name}_end` }];
  if (cut.kind === 'unit') return [{ calculate: `datum.${name} + ${stepMs[cut.unit]}`, as: `${name}_end` }];
  return [];
}
