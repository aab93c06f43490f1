import { Download, ListFilter, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatElapsed } from '../../../ui/format-quantity.ts';
import {
  Button,
  EmptyState,
  ErrorNote,
  IconButton,
  Menu,
  Skeleton,
  Spacer,
  showError,
  TruthLine,
} from '../../../ui/index.ts';
import type { DrawnChart } from '../draw-chart.ts';
import { type Brushed, conditionsOfBrushed } from '../model/brush-conditions.ts';
import type { ChartRelation } from '../model/build-chart-sql.ts';
import { buildSpec, describeChart, valueTitle } from '../model/build-spec.ts';
import {
  fitChoice,
  formatChart,
  type Measure,
  parseChart,
  planFirstChart,
  whyNotDrawn,
} from '../model/chart-choice.ts';
import { describeDrawn } from '../model/chart-rows.ts';
import { fileNameOf, rowsAsCsv } from '../model/export-chart.ts';
import { type ChartData, type ChartQuery, useChartData } from '../queries.ts';
import { ChartCanvas } from './chart-canvas.tsx';
import { ChartControls } from './chart-controls.tsx';
import styles from './charts.module.css';

export interface ChartPanelProps {
  sourceKey: string;
  relation: ChartRelation;
  query: ChartQuery;
  /** As an address keeps it; null for a new one. */
  chart: string | null;
  onChart: (chart: string) => void;
  /** What a new chart measures, where there are numbers. */
  firstMeasure?: Measure;
  /** Narrows the rows to what was brushed; left out where nothing can be narrowed. */
  onFilter?: ((conditions: string[]) => void) | undefined;
}

/** A chart of any rows by a few choices: drawn, brushed, kept in the address, exported. */
export function ChartPanel({
  sourceKey,
  relation,
  query,
  chart,
  onChart,
  firstMeasure,
  onFilter,
}: ChartPanelProps) {
  const { columns } = relation;
  const choice = useMemo(() => {
    const parsed = parseChart(chart);
    return parsed ? fitChoice(parsed, columns) : planFirstChart(columns, firstMeasure);
  }, [chart, columns, firstMeasure]);
  const { data, error, refetch, isFetching, isPlaceholderData } = useChartData({
    sourceKey,
    relation,
    choice,
    query,
  });
  const [brushed, setBrushed] = useState<Brushed | null>(null);
  const [drawn, setDrawn] = useState<DrawnChart | null>(null);
  const whyNot = whyNotDrawn(choice);
  const found =
    brushed && data ? conditionsOfBrushed(brushed, { choice: data.choice, columns, cuts: data.cuts }) : [];
  const keep = () => {
    drawn?.clear();
    setBrushed(null);
    onFilter?.(found);
  };
  return (
    <section className={styles.panel} aria-label="Chart" aria-busy={isFetching}>
      <header className={styles.head}>
        <ChartControls choice={choice} columns={columns} onChange={(next) => onChart(formatChart(next))} />
        <Spacer />
        <ExportMenu data={isPlaceholderData ? undefined : data} drawn={drawn} columns={columns} />
      </header>
      <ErrorNote error={error} title="The chart cannot be computed." onRetry={() => void refetch()} />
      {whyNot ? (
        <EmptyState title="Nothing to draw yet">{whyNot}</EmptyState>
      ) : data && data.rows.length > 0 ? (
        <ChartCanvas data={data} columns={columns} onBrush={setBrushed} onDrawn={setDrawn} />
      ) : data ? (
        <EmptyState title="No rows to draw">Nothing that matches has a value here.</EmptyState>
      ) : (
        !error && (
          <div className={styles.canvasRoom}>
            <Skeleton height="100%" />
          </div>
        )
      )}
      <footer className={styles.foot}>
        <span role="status" aria-label="Scope of the chart">
          {!data && !whyNot && !error && 'computing…'}
          {data && !whyNot && (
            <TruthLine
              parts={
                isPlaceholderData
                  ? ['drawing anew…']
                  : [...describeDrawn(data.choice, data.rows, data.range), formatElapsed(data.elapsedMs)]
              }
            />
          )}
        </span>
        <Spacer />
        {found.length > 0 && (
          <span className={styles.brushed}>
            <code title={found.join(' and ')}>{found.join(' and ')}</code>
            {onFilter && (
              <Button size="s" look="primary" icon={<ListFilter />} onClick={keep}>
                Keep only these rows
              </Button>
            )}
            <IconButton size="s" label="Take the brush away" icon={<X />} onClick={() => drawn?.clear()} />
          </span>
        )}
      </footer>
    </section>
  );
}

function download(name: string, content: string, type: string): void {
  const url = content.startsWith('data:') ? content : URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  if (url !== content) setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function ExportMenu({
  data,
  drawn,
  columns,
}: {
  data: ChartData | undefined;
  drawn: DrawnChart | null;
  columns: ChartRelation['columns'];
}) {
  const whyNot = data && drawn ? null : 'There is no chart yet.';
  const name = data ? fileNameOf(describeChart(data.choice)) : 'chart';
  const save = (ending: string, type: string, content: () => string | Promise<string>) => () =>
    void (async () => download(`${name}.${ending}`, await content(), type))().catch(showError);
  const times = (['x', 'y'] as const).filter(
    (place) => columns.find(({ name: of }) => of === data?.choice[place])?.kind === 'time',
  );
  const names: Record<string, string> | undefined = data && {
    x: data.choice.x ?? 'x',
    y: data.choice.y ?? 'y',
    ...(data.choice.color === null ? {} : { c: data.choice.color }),
    v: valueTitle(data.choice),
    n: 'rows of each',
    low: '5 %',
    q1: '25 %',
    mid: 'median',
    q3: '75 %',
    high: '95 %',
  };
  return (
    <Menu
      label="Export the chart"
      align="end"
      trigger={
        <Button look="quiet" icon={<Download />}>
          Export
        </Button>
      }
      items={[
        {
          id: 'png',
          label: 'Picture',
          hint: '.png',
          whyNot,
          onSelect: save('png', 'image/png', () => drawn?.png() ?? ''),
        },
        {
          id: 'svg',
          label: 'Drawing',
          hint: '.svg',
          whyNot,
          onSelect: save('svg', 'image/svg+xml', () => drawn?.svg() ?? ''),
        },
        {
          id: 'spec',
          label: 'Vega-Lite specification with its data',
          hint: '.vl.json',
          whyNot,
          onSelect: save('vl.json', 'application/json', () =>
            data ? JSON.stringify(buildSpec({ ...data, columns }), null, 2) : '',
          ),
        },
        {
          id: 'data',
          label: 'The rows that are drawn',
          hint: '.csv',
          whyNot,
          onSelect: save('csv', 'text/csv', () => (data && names ? rowsAsCsv(data.rows, names, times) : '')),
        },
      ]}
    />
  );
}
