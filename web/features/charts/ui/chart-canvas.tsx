import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { isDark, themeStore } from '../../../state/theme.ts';
import { ErrorNote, Skeleton } from '../../../ui/index.ts';
import type { DrawnChart } from '../draw-chart.ts';
import type { Brushed } from '../model/brush-conditions.ts';
import { buildSpec, describeChart } from '../model/build-spec.ts';
import type { ChartColumn } from '../model/chart-choice.ts';
import type { ChartData } from '../queries.ts';
import { readChartColors } from '../theme-colors.ts';
import styles from './charts.module.css';

export interface ChartCanvasProps {
  data: ChartData;
  columns: readonly ChartColumn[];
  onBrush: (brushed: Brushed | null) => void;
  onDrawn: (chart: DrawnChart | null) => void;
}

interface Hover {
  x: number;
  y: number;
  lines: [string, string][];
}

/** The picture of a chart; what draws it is fetched when a chart is first shown. */
export function ChartCanvas({ data, columns, onBrush, onDrawn }: ChartCanvasProps) {
  const into = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isDrawn, setDrawn] = useState(false);
  const isDarkNow = useIsDark();
  const spec = useMemo(() => buildSpec({ ...data, columns }), [data, columns]);
  const latest = useRef({ onBrush, onDrawn });
  latest.current = { onBrush, onDrawn };

  useEffect(() => {
    const element = into.current;
    if (!element) return undefined;
    let chart: DrawnChart | null = null;
    let isGone = false;
    const watch = new ResizeObserver(() => chart?.resize());
    const draw = async () => {
      const { drawChart } = await import('../draw-chart.ts');
      if (isGone) return;
      const drawn = await drawChart({
        into: element,
        spec,
        colors: readChartColors(isDarkNow),
        onBrush: (brushed) => latest.current.onBrush(brushed),
        onHover: setHover,
      });
      if (isGone) return drawn.remove();
      chart = drawn;
      setDrawn(true);
      setError(null);
      latest.current.onDrawn(drawn);
      watch.observe(element);
    };
    draw().catch((reason: unknown) => !isGone && setError(reason));
    return () => {
      isGone = true;
      watch.disconnect();
      chart?.remove();
      setHover(null);
      latest.current.onDrawn(null);
    };
  }, [spec, isDarkNow]);

  return (
    <div className={styles.canvasRoom}>
      {!isDrawn && !error && (
        <div className={styles.waiting}>
          <Skeleton height="100%" />
        </div>
      )}
      <ErrorNote error={error} title="The chart cannot be drawn." />
      <div ref={into} className={styles.canvas} role="img" aria-label={describeChart(data.choice)} />
      {hover && hover.lines.length > 0 && (
        <dl className={styles.hover} style={placeOf(hover, into.current)}>
          {hover.lines.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

const placeOf = ({ x, y }: Hover, element: HTMLElement | null) => {
  const isRight = x > (element?.clientWidth ?? 0) / 2;
  return { top: y + 12, ...(isRight ? { right: (element?.clientWidth ?? 0) - x + 12 } : { left: x + 12 }) };
};

function useIsDark(): boolean {
  const { theme } = useStore(themeStore);
  const [now, setNow] = useState(isDark);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme that was chosen decides as well
  useEffect(() => {
    setNow(isDark());
    const media = matchMedia('(prefers-color-scheme: dark)');
    const change = () => setNow(isDark());
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, [theme]);
  return now;
}
