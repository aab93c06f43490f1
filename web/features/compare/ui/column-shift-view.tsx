import type { ColumnShift } from '#shared/domain/column-shift.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import { formatNumber, type GridColumn } from '../../grid/index.ts';
import styles from './compare-rail.module.css';

const widthPx = 232;
const heightPx = { small: 26, large: 56 };
const shownSmall = 3;

export interface ColumnShiftViewProps {
  column: GridColumn;
  shift: ColumnShift;
  isLarge: boolean;
}

/** How the values of one column moved over its changed cells, old over new. */
export const ColumnShiftView = ({ column, shift, isLarge }: ColumnShiftViewProps) =>
  shift.kind === 'histogram' ? (
    <Histogram column={column} shift={shift} isLarge={isLarge} />
  ) : (
    <Values column={column} shift={shift} isLarge={isLarge} />
  );

type Histogram = Extract<ColumnShift, { kind: 'histogram' }>;
type Values = Extract<ColumnShift, { kind: 'values' }>;

function Histogram({ column, shift, isLarge }: ColumnShiftViewProps & { shift: Histogram }) {
  const { bins, low, high, emptyBefore, emptyAfter, meanBefore, meanAfter, cells } = shift;
  const height = isLarge ? heightPx.large : heightPx.small;
  const most = Math.max(1, ...bins.flatMap(({ before, after }) => [before, after]));
  const step = widthPx / bins.length;
  const bar = (count: number) => (count === 0 ? 0 : Math.max(1, (count / most) * (height - 1)));
  const text = (value: number) => edgeText(value, column);
  const mean =
    meanBefore !== null && meanAfter !== null ? `mean ${text(meanBefore)} → ${text(meanAfter)}` : null;
  const empty = emptyBefore + emptyAfter > 0 ? `empty ${emptyBefore} → ${emptyAfter}` : null;
  return (
    <figure className={styles.shift}>
      <svg
        viewBox={`0 0 ${widthPx} ${height}`}
        preserveAspectRatio="none"
        className={styles.shiftPlot}
        style={{ height }}
        role="img"
        aria-label={[
          `${column.name}, old and new${overText(cells)}, from ${text(low)} to ${text(high)}`,
          mean,
          empty,
        ]
          .filter(Boolean)
          .join(', ')}
      >
        {bins.map(({ before, after }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bins are their places
          <g key={index} transform={`translate(${index * step} 0)`}>
            <rect
              x={0.5}
              width={Math.max(1, step - 1)}
              y={height - bar(before)}
              height={bar(before)}
              className={styles.shiftOld}
            />
            <rect
              x={step / 4 + 0.5}
              width={Math.max(1, step / 2 - 1)}
              y={height - bar(after)}
              height={bar(after)}
              className={styles.shiftNew}
            />
          </g>
        ))}
      </svg>
      <figcaption className={styles.shiftFoot}>
        <span>{text(low)}</span>
        {isLarge && empty && <span>{empty}</span>}
        <span>{text(high)}</span>
      </figcaption>
      {isLarge && mean && <p className={styles.shiftMean}>{mean}</p>}
    </figure>
  );
}

const overText = (cells: number): string =>
  cells > 0 ? ` over ${formatOf(cells, 'changed cell')}` : ' over all rows';

const edgeText = (value: number, column: GridColumn): string =>
  column.kind === 'time'
    ? new Date(value).toISOString().slice(0, 10)
    : formatNumber(Number(value.toPrecision(4)), { kind: 'float64' });

function Values({ column, shift, isLarge }: ColumnShiftViewProps & { shift: Values }) {
  const shown = isLarge ? shift.values : shift.values.slice(0, shownSmall);
  const most = Math.max(1, ...shift.values.flatMap(({ before, after }) => [before, after]));
  const hidden = shift.others.values + shift.values.length - shown.length;
  return (
    <dl className={styles.shift} aria-label={`${column.name}, old and new${overText(shift.cells)}`}>
      {shown.map(({ text, before, after }) => (
        <div key={text ?? '\0null'} className={styles.shiftValue}>
          <dt title={text ?? 'null'} className={cx(!text && styles.shiftFaint)}>
            {text === null ? 'null' : text === '' ? 'empty' : text}
          </dt>
          <dd>
            <span className={styles.shiftBars} aria-hidden>
              <span className={styles.shiftBarOld} style={{ width: `${(before / most) * 100}%` }} />
              <span className={styles.shiftBarNew} style={{ width: `${(after / most) * 100}%` }} />
            </span>
            <span className={styles.shiftCounts}>
              {formatCount(before)} → {formatCount(after)}
            </span>
          </dd>
        </div>
      ))}
      {isLarge && hidden > 0 && <p className={styles.note}>and {formatOf(hidden, 'other value')}</p>}
    </dl>
  );
}
