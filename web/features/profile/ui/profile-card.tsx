import type { ReactNode } from 'react';
import type { ColumnDetail, Facet } from '#shared/api/facets.ts';
import type { ColumnProfile } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { Skeleton } from '../../../ui/index.ts';
import { FacetCard, formatInstant, type LinkedFacets } from '../../facets/index.ts';
import { findGaps } from '../model/find-gaps.ts';
import { planFigures } from '../model/plan-figures.ts';
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
  const { answer, isStale } = linked;
  const counted = facet && answer && !answer.isSample && !isStale ? { facet, answer } : null;
  const figured = profile && planFigures({ profile, counted, isTime });
  const figures = (
    <div className={styles.figures}>
      {column.description && <p className={styles.description}>{column.description}</p>}
      {figured && <Facts facts={figured.facts} isWide={isTime} />}
      {figured && <p className={styles.scope}>{figured.note}</p>}
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
