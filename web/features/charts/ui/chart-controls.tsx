import { AreaChart, BoxSelect, ChartBar, ChartColumn, ChartLine, ChartScatter, Grid3x3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Select } from '../../../ui/index.ts';
import {
  type ChartChoice,
  type ChartKind,
  type ChartColumn as Column,
  chartKinds,
  fitChoice,
  type Measure,
  measures,
  placesOf,
  type TimeUnit,
  timeUnits,
} from '../model/chart-choice.ts';
import styles from './charts.module.css';

const kinds: Record<ChartKind, { label: string; icon: ReactNode }> = {
  bar: { label: 'Bars', icon: <ChartBar /> },
  series: { label: 'Time series', icon: <AreaChart /> },
  line: { label: 'Line', icon: <ChartLine /> },
  histogram: { label: 'Histogram', icon: <ChartColumn /> },
  scatter: { label: 'Scatter', icon: <ChartScatter /> },
  heat: { label: 'Heat map', icon: <Grid3x3 /> },
  box: { label: 'Boxes', icon: <BoxSelect /> },
};

const measureLabels: Record<Measure, string> = {
  count: 'Number of rows',
  sum: 'Sum',
  mean: 'Mean',
  median: 'Median',
  min: 'Least',
  max: 'Greatest',
};

const none = ' none';

/** The few choices of a chart. */
export function ChartControls({
  choice,
  columns,
  onChange,
}: {
  choice: ChartChoice;
  columns: readonly Column[];
  onChange: (choice: ChartChoice) => void;
}) {
  const places = placesOf[choice.kind];
  const change = (patch: Partial<ChartChoice>) => onChange(fitChoice({ ...choice, ...patch }, columns));
  const options = (takes: readonly Column['kind'][]) =>
    columns.filter(({ kind }) => takes.includes(kind)).map(({ name }) => ({ value: name, label: name }));
  const isSideways = choice.kind === 'bar' || choice.kind === 'box';
  const hasUnit = columns.some(
    ({ name, kind }) =>
      kind === 'time' && (name === choice.x || name === choice.y) && choice.kind !== 'scatter',
  );
  const needsY = places.y !== null && !(places.hasMeasure && choice.measure === 'count');
  return (
    <div className={styles.controls}>
      <Select<ChartKind>
        label="Kind of chart"
        value={choice.kind}
        options={chartKinds.map((kind) => ({ value: kind, ...kinds[kind] }))}
        onChange={(kind) => change({ kind })}
      />
      <Labelled text={isSideways ? 'of each' : 'across'}>
        <Select
          label="Across"
          value={choice.x ?? undefined}
          placeholder="choose"
          options={options(places.x)}
          onChange={(x) => change({ x })}
        />
      </Labelled>
      {places.hasMeasure && (
        <Labelled text="the">
          <Select<Measure>
            label="Measure"
            value={choice.measure}
            options={measures.map((measure) => ({ value: measure, label: measureLabels[measure] }))}
            onChange={(measure) => change({ measure })}
          />
        </Labelled>
      )}
      {needsY && places.y && (
        <Labelled text={places.hasMeasure ? 'of' : isSideways ? 'spread of' : 'upwards'}>
          <Select
            label="Upwards"
            value={choice.y ?? undefined}
            placeholder="choose"
            options={options(places.y)}
            onChange={(y) => change({ y })}
          />
        </Labelled>
      )}
      {hasUnit && (
        <Labelled text="per">
          <Select<TimeUnit>
            label="Unit of time"
            value={choice.unit}
            options={timeUnits.map((unit) => ({
              value: unit,
              label: unit === 'auto' ? 'fitting unit' : unit,
            }))}
            onChange={(unit) => change({ unit })}
          />
        </Labelled>
      )}
      {places.hasColor && (
        <Labelled text="coloured by">
          <Select
            label="Colour"
            value={choice.color ?? none}
            options={[
              { value: none, label: 'nothing' },
              ...options(['category', 'number']).map((option) => option),
            ]}
            onChange={(color) => change({ color: color === none ? null : color })}
          />
        </Labelled>
      )}
    </div>
  );
}

const Labelled = ({ text, children }: { text: string; children: ReactNode }) => (
  <span className={styles.labelled}>
    <span aria-hidden>{text}</span>
    {children}
  </span>
);
