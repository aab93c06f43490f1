import type { ReactNode } from 'react';
import type { ColumnDetail } from '#shared/api/facets.ts';
import { formatBytes, formatCount } from '../../../ui/format-quantity.ts';
import { Badge } from '../../../ui/index.ts';
import { formatFigure, formatScope } from '../model/format-figure.ts';
import { Facts } from './facts.tsx';
import styles from './profile.module.css';
import { SmallBars } from './small-bars.tsx';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** What only columns of a kind have. `hasLengths`: the column’s distribution is that of its lengths already. */
export function DetailFacts({ detail, hasLengths }: { detail: ColumnDetail; hasLengths: boolean }) {
  return (
    <>
      {bodyOf(detail, hasLengths)}
      <p className={styles.scope}>Covers {formatScope(detail.scope)}.</p>
    </>
  );
}

type Spread = {
  min: number;
  max: number;
  mean: number;
  histogram: { from: number; to: number; rows: number }[];
};

const barsOf = (spread: Spread, show: (value: number) => string) => [
  ...spread.histogram.map(({ from, to, rows }) => ({ name: `${show(from)} to ${show(to)}`, rows })),
];

function SpreadBars({
  label,
  spread,
  show,
}: {
  label: string;
  spread: Spread | null;
  show: (value: number) => string;
}) {
  if (!spread) return null;
  return (
    <>
      <SmallBars label={label} bars={barsOf(spread, show)} />
      <div className={styles.ends}>
        <span>{show(spread.min)}</span>
        <span>mean {show(spread.mean)}</span>
        <span>{show(spread.max)}</span>
      </div>
    </>
  );
}

const part = (count: number, whole: number): string =>
  count === 0 ? '0' : `${formatCount(count)} (${formatFigure((100 * count) / Math.max(1, whole))} %)`;

function bodyOf(detail: ColumnDetail, hasLengths: boolean): ReactNode {
  const { rows } = detail;
  switch (detail.kind) {
    case 'vector':
      return (
        <>
          <SpreadBars label="Length of the vectors" spread={detail.norms} show={formatFigure} />
          <Facts
            facts={[
              ['Dimensions', formatCount(detail.dimension)],
              ['All zero', part(detail.zeros, rows)],
              ['With NaN or ∞', part(detail.notFinite, rows)],
              ['Same as another', part(detail.duplicates, rows)],
              [
                'Cosine to the mean',
                detail.alignment === null ? '–' : formatFigure(detail.alignment),
                '1: all vectors point the same way. About 0: they point everywhere.',
              ],
            ]}
          />
        </>
      );
    case 'text':
      return (
        <>
          {!hasLengths && (
            <SpreadBars label="Length in characters" spread={detail.lengths} show={formatFigure} />
          )}
          <Facts
            facts={[
              ['Empty', part(detail.empties, rows)],
              ['Only white space', part(detail.blanks, rows)],
              ['Same as another', part(detail.duplicates, rows)],
            ]}
          />
          {detail.words.length > 0 && (
            <ul className={styles.words} aria-label="Most frequent words">
              {detail.words.slice(0, 12).map(({ value, rows: inRows }) => (
                <li key={value}>
                  {value} <span>{formatCount(inRows)}</span>
                </li>
              ))}
            </ul>
          )}
        </>
      );
    case 'list':
      return (
        <>
          <SpreadBars label="Elements per list" spread={detail.lengths} show={formatFigure} />
          <Facts facts={[['Empty lists', part(detail.empties, rows)]]} />
        </>
      );
    case 'media':
      return (
        <>
          <SpreadBars label="Size" spread={detail.sizes} show={formatBytes} />
          <Facts
            facts={[
              ['Empty', part(detail.empties, rows)],
              ['Same as another', part(detail.duplicates, rows)],
              ['In all', formatBytes(detail.totalBytes)],
            ]}
          />
          <p className={styles.types}>
            {detail.types.map(({ value, rows: inRows }) => (
              <Badge key={value}>
                {value} {formatCount(inRows)}
              </Badge>
            ))}
          </p>
        </>
      );
    case 'time':
      return (
        <>
          <SmallBars
            label="Day of the week (UTC)"
            bars={detail.weekdays.map((inDay, at) => ({
              name: weekdays[at]!,
              rows: inDay,
              short: weekdays[at]!.slice(0, 2),
            }))}
          />
          {detail.hours && (
            <SmallBars
              label="Hour of the day (UTC)"
              bars={detail.hours.map((inHour, hour) => ({
                name: `${hour}:00`,
                rows: inHour,
                short: hour % 6 === 0 ? String(hour) : '',
              }))}
            />
          )}
        </>
      );
  }
}
