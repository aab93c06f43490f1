import type { ReactNode } from 'react';
import type { ColumnDetail, Facet } from '#shared/api/facets.ts';
import type { ColumnProfile } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { Skeleton } from '../../../ui/index.ts';
import { FacetCard, formatInstant, type LinkedFacets } from '../../facets/index.ts';
import { findGaps } from '../model/find-gaps.ts';
import { formatFigure, formatScope } from '../model/format-figure.ts';
import { DetailFacts } from './detail-facts.tsx';
import { Facts } from './facts.tsx';
import styles from './profile.module.css';

export interface ProfileCardProps {
  column: ColumnInfo;
  glyph: ReactNode;
  facet: Facet | undefined;
  linked: LinkedFacets;
  profile: ColumnProfile | undefined;
  detail: ColumnDetail | undefined;
  isWaiting: boolean;
}

/** One column in full: its distribution to choose from, its figures, and what only its kind has. */
export function ProfileCard({ column, glyph, facet, linked, profile, detail, isWaiting }: ProfileCardProps) {
  const isTime = /^(timestamp|date)/.test(column.type);
  const shownDetail = facet?.kind === 'text' ? undefined : detail;
  const figures = (
    <div className={styles.figures}>
      {column.description && <p className={styles.description}>{column.description}</p>}
      {profile && <Facts facts={figuresOf(profile, isTime)} isWide={isTime} />}
      {profile && !shownDetail && <p className={styles.scope}>Covers {formatScope(profile.scope)}.</p>}
      {shownDetail && <DetailFacts detail={shownDetail} />}
      {facet && isTime && <Gaps facet={facet} />}
      {isWaiting && !profile && <Skeleton height={96} />}
    </div>
  );
  if (facet)
    return (
      <div className={styles.card}>
        <FacetCard facet={facet} linked={linked} glyph={glyph} heightPx={84} shown={8}>
          {figures}
        </FacetCard>
      </div>
    );
  return (
    <section className={styles.card} aria-label={column.name}>
      <header className={styles.plainHead}>
        {glyph}
        <h3>{column.name}</h3>
        <span>{column.type}</span>
      </header>
      {figures}
    </section>
  );
}

function figuresOf(profile: ColumnProfile, isTime: boolean): [string, string][] {
  const show = (value: unknown): string => {
    if (value === null || value === undefined) return '–';
    if (isTime) return formatInstant(Math.round(toMs(value) / 1000) * 1000);
    if (typeof value !== 'number') return typeof value === 'object' ? JSON.stringify(value) : String(value);
    return formatFigure(value);
  };
  const { nulls, distinct, isDistinctExact, min, max, mean, quantiles } = profile;
  const facts: [string, string][] = [['Nulls', formatCount(nulls)]];
  if (distinct !== null)
    facts.push(['Distinct', `${isDistinctExact ? '' : 'about '}${formatCount(distinct)}`]);
  if (min !== null && min !== undefined) facts.push(['Least', show(min)], ['Most', show(max)]);
  if (mean !== null) facts.push(['Mean', show(mean)]);
  if (quantiles)
    facts.push(
      ['Median', show(quantiles[2])],
      ['Middle half', `${show(quantiles[1])} to ${show(quantiles[3])}`],
      ['5 % to 95 %', `${show(quantiles[0])} to ${show(quantiles[4])}`],
    );
  return facts;
}

const toMs = (value: unknown): number => {
  if (typeof value === 'number') return value;
  const text = String(value);
  return Date.parse(/T.*(Z|[+-]\d\d:\d\d)$|^[^T]*$/.test(text) ? text : `${text}Z`);
};

function Gaps({ facet }: { facet: Facet }) {
  const gaps = findGaps(facet);
  if (gaps.length === 0) return <p className={styles.scope}>No gaps.</p>;
  return (
    <ul className={styles.gaps} aria-label="Gaps without rows">
      {gaps.map(({ from, to }) => (
        <li key={from}>
          nothing from {formatInstant(from)} to before {formatInstant(to)}
        </li>
      ))}
    </ul>
  );
}
