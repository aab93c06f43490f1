import { useMemo } from 'react';
import { formatNumber, type GridColumn } from '../../grid/index.ts';
import type { Change } from '../model/change.ts';
import { type ColumnShift, planShift } from '../model/column-shift.ts';
import styles from './compare-rail.module.css';
import { useScene } from './scene.ts';

const widthPx = 232;
const heightPx = 48;

/** How the values of one column moved, old over new. */
export function ColumnShiftView({ column, changes }: { column: GridColumn; changes: readonly Change[] }) {
  const { mode } = useScene().summary;
  const shift = useMemo(() => planShift(column, changes, mode), [column, changes, mode]);
  if (!shift) return null;
  return shift.kind === 'histogram' ? (
    <Histogram column={column} shift={shift} />
  ) : (
    <Values column={column} shift={shift} />
  );
}

function Histogram({
  column,
  shift,
}: {
  column: GridColumn;
  shift: Extract<ColumnShift, { kind: 'histogram' }>;
}) {
  const { bins, low, high, nullsBefore, nullsAfter } = shift;
  const most = Math.max(1, ...bins.flatMap(({ before, after }) => [before, after]));
  const step = widthPx / bins.length;
  const bar = (count: number) => (count / most) * (heightPx - 2);
  const edge = (value: number) =>
    column.kind === 'time'
      ? new Date(value).toISOString().slice(0, 10)
      : formatNumber(value, { kind: 'float64' });
  return (
    <figure className={styles.shift} aria-label={`${column.name}, old and new`}>
      <svg
        viewBox={`0 0 ${widthPx} ${heightPx}`}
        className={styles.shiftPlot}
        role="img"
        aria-label={`${column.name} from ${edge(low)} to ${edge(high)}`}
      >
        {bins.map(({ before, after }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bins are their places
          <g key={index} transform={`translate(${index * step} 0)`}>
            <rect
              x={0.5}
              width={Math.max(1, step - 1)}
              y={heightPx - bar(before)}
              height={bar(before)}
              className={styles.shiftOld}
            />
            <rect
              x={step / 4 + 0.5}
              width={Math.max(1, step / 2 - 1)}
              y={heightPx - bar(after)}
              height={bar(after)}
              className={styles.shiftNew}
            />
          </g>
        ))}
      </svg>
      <figcaption className={styles.shiftFoot}>
        <span>{edge(low)}</span>
        <span>{nullsBefore + nullsAfter > 0 && `null ${nullsBefore} → ${nullsAfter}`}</span>
        <span>{edge(high)}</span>
      </figcaption>
    </figure>
  );
}

function Values({ column, shift }: { column: GridColumn; shift: Extract<ColumnShift, { kind: 'values' }> }) {
  const most = Math.max(1, ...shift.values.flatMap(({ before, after }) => [before, after]));
  return (
    <dl className={styles.shift} aria-label={`${column.name}, old and new`}>
      {shift.values.map(({ text, before, after }) => (
        <div key={text} className={styles.shiftValue}>
          <dt title={text}>{text === '' ? 'empty' : text}</dt>
          <dd>
            <span className={styles.shiftBars} aria-hidden>
              <span className={styles.shiftBarOld} style={{ width: `${(before / most) * 100}%` }} />
              <span className={styles.shiftBarNew} style={{ width: `${(after / most) * 100}%` }} />
            </span>
            <span className={styles.count}>
              {before} → {after}
            </span>
          </dd>
        </div>
      ))}
      {shift.others > 0 && <p className={styles.note}>and {shift.others} other values</p>}
    </dl>
  );
}
