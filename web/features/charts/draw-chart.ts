import { type Item, parse, type ScenegraphEvent, View, Warn } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';
import type { Brushed } from './model/brush-conditions.ts';
import type { ChartColors } from './theme-colors.ts';

export interface DrawnChart {
  /** The picture in pixels, twice as fine. */
  png(): Promise<string>;
  svg(): Promise<string>;
  resize(): void;
  /** Takes brush and picked marks away. */
  clear(): void;
  remove(): void;
}

export interface DrawInput {
  into: HTMLElement;
  spec: TopLevelSpec;
  colors: ChartColors;
  onBrush: (brushed: Brushed | null) => void;
  onHover: (shown: { x: number; y: number; lines: [string, string][] } | null) => void;
}

const font = 'Inter Variable, Inter, system-ui, sans-serif';

export function configOf({ ink, ink2, ink3, line, surface, accent, soft, categories }: ChartColors): Config {
  return {
    background: surface,
    locale: { number: { decimal: '.', thousands: '\u2009', grouping: [3], currency: ['', ''] } },
    font,
    view: { stroke: 'transparent' },
    axis: {
      domainColor: line,
      gridColor: line,
      tickColor: line,
      labelColor: ink2,
      titleColor: ink2,
      labelFontSize: 11,
      titleFontSize: 12,
      titleFontWeight: 500,
      titlePadding: 8,
      gridOpacity: 0.7,
    },
    axisY: { domain: false, ticks: false },
    legend: {
      labelColor: ink2,
      titleColor: ink2,
      labelFontSize: 11,
      titleFontSize: 12,
      titleFontWeight: 500,
      labelLimit: 160,
      symbolStrokeWidth: 0,
    },
    range: { category: [...categories], ramp: [soft, accent], heatmap: [soft, accent] },
    bar: { color: accent },
    line: { color: accent, strokeWidth: 1.8 },
    point: { color: accent },
    rule: { color: ink3 },
    tick: { color: ink },
    style: { median: { color: surface } },
  };
}

/** Draws without eval, which the page's policy forbids: expressions are interpreted. */
export async function drawChart({ into, spec, colors, onBrush, onHover }: DrawInput): Promise<DrawnChart> {
  const { spec: compiled } = compile(spec, { config: configOf(colors) });
  const view = new View(parse(compiled, undefined, { ast: true }), {
    expr: expressionInterpreter,
    renderer: 'canvas',
    container: into,
    hover: true,
    logLevel: Warn,
    tooltip: (_handler: unknown, event: ScenegraphEvent | null, _item: Item, value: unknown) => {
      if (!event) return onHover(null);
      const { offsetX, offsetY } = event as unknown as MouseEvent;
      onHover(isLines(value) ? { x: offsetX, y: offsetY, lines: Object.entries(value) } : null);
    },
  } as ConstructorParameters<typeof View>[1]);
  for (const name of ['brush', 'pick']) listen(view, name, onBrush);
  await view.runAsync();
  return {
    png: () => view.toImageURL('png', 2),
    svg: () => view.toSVG(),
    resize: () => void view.resize().runAsync(),
    clear: () => {
      for (const name of ['brush', 'pick']) clearSelection(view, name);
      onBrush(null);
    },
    remove: () => view.finalize(),
  };
}

const isLines = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const settleMs = 150;

function listen(view: View, name: string, onBrush: DrawInput['onBrush']): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    view.addSignalListener(name, (_name, value) => {
      clearTimeout(timer);
      timer = setTimeout(() => onBrush(readBrushed(value)), settleMs);
    });
  } catch {
    // Charts have the one or the other.
  }
}

function clearSelection(view: View, name: string): void {
  try {
    view.data(`${name}_store`, []).run();
  } catch {
    // As above.
  }
}

function readBrushed(value: unknown): Brushed | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Record<string, unknown>;
  const picked = fields.x;
  if ('vlPoint' in fields)
    return Array.isArray(picked) && picked.length > 0 ? { kind: 'values', values: picked.map(String) } : null;
  const range = (name: string): readonly [number, number] | undefined => {
    const ends = fields[name];
    return Array.isArray(ends) && ends.length === 2 ? [Number(ends[0]), Number(ends[1])] : undefined;
  };
  const x = range('x') ?? range('x_end');
  const y = range('y') ?? range('y_end');
  return x || y ? { kind: 'range', ...(x ? { x } : {}), ...(y ? { y } : {}) } : null;
}
