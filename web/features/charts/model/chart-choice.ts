/** What a chart is drawn of, as SQL sees it. */
export interface ChartColumn {
  name: string;
  kind: 'number' | 'time' | 'category';
  isWhole: boolean;
  /** Hardly a choice to begin with: keys, long texts, addresses. */
  isUnlikely?: boolean;
}

export const chartKinds = ['bar', 'series', 'line', 'histogram', 'scatter', 'heat', 'box'] as const;
export type ChartKind = (typeof chartKinds)[number];

export const measures = ['count', 'sum', 'mean', 'median', 'min', 'max'] as const;
export type Measure = (typeof measures)[number];

export const timeUnits = ['auto', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** The few choices of a chart; all of it fits into an address. */
export interface ChartChoice {
  kind: ChartKind;
  x: string | null;
  y: string | null;
  color: string | null;
  measure: Measure;
  unit: TimeUnit;
}

/** Which columns each place of a kind of chart takes; null: the kind has no such place. */
export const placesOf: Record<
  ChartKind,
  {
    x: readonly ChartColumn['kind'][];
    y: readonly ChartColumn['kind'][] | null;
    hasMeasure: boolean;
    hasColor: boolean;
  }
> = {
  bar: { x: ['category', 'number'], y: ['number'], hasMeasure: true, hasColor: true },
  series: { x: ['time'], y: ['number'], hasMeasure: true, hasColor: true },
  line: { x: ['number', 'time'], y: ['number'], hasMeasure: true, hasColor: true },
  histogram: { x: ['number', 'time'], y: null, hasMeasure: false, hasColor: true },
  scatter: { x: ['number', 'time'], y: ['number', 'time'], hasMeasure: false, hasColor: true },
  heat: {
    x: ['number', 'time', 'category'],
    y: ['number', 'time', 'category'],
    hasMeasure: false,
    hasColor: false,
  },
  box: { x: ['category'], y: ['number'], hasMeasure: false, hasColor: false },
};

function first(
  columns: readonly ChartColumn[],
  kinds: readonly ChartColumn['kind'][],
  not?: string | null,
): string | null {
  const fitting = kinds.flatMap((kind) =>
    columns.filter((column) => column.kind === kind && column.name !== not),
  );
  return (fitting.find(({ isUnlikely }) => !isUnlikely) ?? fitting[0])?.name ?? null;
}

/** A chart to begin with (of results that are sums already, `wanted` is `sum`): a series over the first time, else bars of the first values, else a histogram. */
export function planFirstChart(columns: readonly ChartColumn[], wanted: Measure = 'count'): ChartChoice {
  const kind = columns.some((column) => column.kind === 'category' && !column.isUnlikely)
    ? 'bar'
    : columns.some((column) => column.kind === 'time')
      ? 'series'
      : 'histogram';
  const measure = columns.some((column) => column.kind === 'number') ? wanted : 'count';
  return fitChoice({ kind, x: null, y: null, color: null, measure, unit: 'auto' }, columns);
}

/** The choice with every place filled by a column that it can take. */
export function fitChoice(choice: ChartChoice, columns: readonly ChartColumn[]): ChartChoice {
  const places = placesOf[choice.kind];
  const takes = (name: string | null, kinds: readonly ChartColumn['kind'][]): boolean =>
    columns.some((column) => column.name === name && kinds.includes(column.kind));
  const x = takes(choice.x, places.x)
    ? choice.x
    : (first(columns, places.x, choice.y) ?? first(columns, places.x));
  const measure = places.hasMeasure ? choice.measure : 'count';
  const needsY = places.y !== null && !(places.hasMeasure && measure === 'count');
  const y =
    places.y === null || !needsY ? null : takes(choice.y, places.y) ? choice.y : first(columns, places.y, x);
  const color =
    places.hasColor && choice.color !== null && columns.some(({ name }) => name === choice.color)
      ? choice.color
      : null;
  return { ...choice, measure, x, y, color };
}

/** Why the chart cannot be drawn of these columns; null when it can. */
export function whyNotDrawn(choice: ChartChoice): string | null {
  const places = placesOf[choice.kind];
  const words = { number: 'numbers', time: 'times', category: 'values' } as const;
  const say = (kinds: readonly ChartColumn['kind'][]) => kinds.map((kind) => words[kind]).join(' or ');
  if (choice.x === null) return `It needs a column of ${say(places.x)} across.`;
  const needsY = places.y !== null && !(places.hasMeasure && choice.measure === 'count');
  if (needsY && places.y && choice.y === null) return `It needs a column of ${say(places.y)} upwards.`;
  return null;
}

const encode = (text: string): string => text.replace(/[%;:]/g, encodeURIComponent);

/** `bar;x:origin;y:delay;m:mean`: inverse of {@link parseChart}. */
export function formatChart({ kind, x, y, color, measure, unit }: ChartChoice): string {
  const parts = [
    x === null ? '' : `x:${encode(x)}`,
    y === null ? '' : `y:${encode(y)}`,
    color === null ? '' : `c:${encode(color)}`,
    measure === 'count' ? '' : `m:${measure}`,
    unit === 'auto' ? '' : `u:${unit}`,
  ];
  return [kind, ...parts.filter(Boolean)].join(';');
}

/** Reads a chart from an address; what it does not know is left out, null where there is no kind. */
export function parseChart(text: string | null): ChartChoice | null {
  const [kind, ...parts] = (text ?? '').split(';');
  if (!chartKinds.includes(kind as ChartKind)) return null;
  const found = new Map(
    parts.map((part) => {
      const at = part.indexOf(':');
      return [part.slice(0, at), decodeName(part.slice(at + 1))] as const;
    }),
  );
  const measure = found.get('m') as Measure;
  const unit = found.get('u') as TimeUnit;
  return {
    kind: kind as ChartKind,
    x: found.get('x') ?? null,
    y: found.get('y') ?? null,
    color: found.get('c') ?? null,
    measure: measures.includes(measure) ? measure : 'count',
    unit: timeUnits.includes(unit) ? unit : 'auto',
  };
}

const decodeName = (text: string): string => text.replace(/%(25|3B|3A)/gi, decodeURIComponent);
