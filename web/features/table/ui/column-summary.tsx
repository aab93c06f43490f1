import type { ColumnProfile } from '#shared/api/tables.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { Skeleton, Tooltip } from '../../../ui/index.ts';
import styles from './table.module.css';

/** How a column's values are spread, small: a histogram, or the most frequent value, with the share of nulls. */
export function ColumnSummary({
  profile,
  rows: allRows,
  onOpen,
}: {
  profile: ColumnProfile | undefined;
  rows: number;
  onOpen: () => void;
}) {
  if (!profile) return <Skeleton height={20} />;
  const rows = profiledRows(profile, allRows);
  const nullShare = rows === 0 ? 0 : profile.nulls / rows;
  return (
    <Tooltip text={describeSpread(profile, rows)}>
      <button
        type="button"
        tabIndex={-1}
        className={styles.summary}
        aria-label={`Describe ${profile.name}`}
        onClick={onOpen}
      >
        {profile.histogram && profile.histogram.length > 1 ? (
          <Bars profile={profile} />
        ) : (
          <TopValue profile={profile} rows={rows} />
        )}
        {nullShare > 0 && (
          <span className={styles.nullBar} style={{ width: `${Math.max(2, nullShare * 100)}%` }} />
        )}
      </button>
    </Tooltip>
  );
}

/** The rows that a profile looked at: a sample of long tables. */
const profiledRows = ({ scope }: ColumnProfile, rows: number): number =>
  Number(/sample of (\d+)/.exec(scope)?.[1] ?? rows);

const heightPx = 22;

function Bars({ profile }: { profile: ColumnProfile }) {
  const bins = profile.histogram ?? [];
  const tallest = Math.max(1, ...bins.map((bin) => bin.rows));
  return (
    <svg
      className={styles.bins}
      viewBox={`0 0 ${bins.length} ${heightPx}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {bins.map((bin, at) => {
        const px = bin.rows === 0 ? 0 : Math.max(1, (bin.rows / tallest) * heightPx);
        return <rect key={bin.from} x={at + 0.06} width={0.88} y={heightPx - px} height={px} />;
      })}
    </svg>
  );
}

function TopValue({ profile, rows }: { profile: ColumnProfile; rows: number }) {
  const top = profile.top?.find((one) => one.value !== null);
  const isKeyLike = profile.distinct !== null && profile.distinct >= (rows - profile.nulls) * 0.95;
  if (!top || isKeyLike) {
    return (
      <span className={styles.distinct}>
        {profile.distinct === null
          ? ''
          : `${profile.isDistinctExact ? '' : '≈ '}${formatCount(profile.distinct)} values`}
      </span>
    );
  }
  return (
    <span className={styles.topValue}>
      <span className={styles.topFill} style={{ width: `${rows === 0 ? 0 : (100 * top.rows) / rows}%` }} />
      <span className={styles.topText}>{String(top.value) || '“”'}</span>
      <span className={styles.topShare}>{Math.round((100 * top.rows) / Math.max(1, rows))}%</span>
    </span>
  );
}

function describeSpread(profile: ColumnProfile, rows: number): string {
  const share = rows === 0 ? 0 : Math.round((1000 * profile.nulls) / rows) / 10;
  const distinct =
    profile.distinct === null
      ? null
      : `${profile.isDistinctExact ? '' : 'about '}${formatCount(profile.distinct)} distinct`;
  return [
    distinct,
    `${formatCount(profile.nulls)} null${profile.nulls > 0 ? ` (${share} %)` : ''}`,
    profile.scope,
  ]
    .filter(Boolean)
    .join(' · ');
}
