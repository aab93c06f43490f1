import type { ReactNode } from 'react';
import type { ColumnDetail, Facet } from '#shared/api/facets.ts';
import type { ColumnProfile } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { readError, Skeleton } from '../../../ui/index.ts';
import { FacetCard, formatInstant, type LinkedFacets } from '../../facets/index.ts';
import { findGaps } from '../model/find-gaps.ts';
import { planFigures } from '../model/plan-figures.ts';
import type { ExactFigures } from '../queries.ts';
import { DetailFacts } from './detail-facts.tsx';
import { Facts } from './facts.tsx';
import styles from './profile.module.css';

export interface ProfileCardProps {
  column: ColumnInfo;
  glyph: ReactNode;
  facet: Facet | undefined;
  linked: LinkedFacets;
  profile: ColumnProfile | undefined;
  /** Over every row, where `profile` is of a sample. */
  exact: ExactFigures | undefined;
  detail: ColumnDetail | undefined;
  isWaiting: boolean;
}

/** One column in full: its distribution to choose from, its figures, and what only its kind has. */
export function ProfileCard(props: ProfileCardProps) {
  const { column, glyph, facet, linked, exact, detail, isWaiting } = props;
  const profile = exact?.profile ?? props.profile;
  const isTime = /^(timestamp|date)/.test(column.type);
  const shownDetail = facet?.kind === 'text' ? undefined : detail;
  const { answer, isStale } = linked;
  const counted = facet && answer && !answer.isSample && !isStale ? { facet, answer } : null;
  const figured = profile && planFigures({ profile, counted, isTime });
  const figures = (
    <div className={styles.figures}>
      {column.description && <p className={styles.description}>{column.description}</p>}
      {figured && <Facts facts={figured.facts} isWide={isTime} />}
      {figured && (
        <p className={styles.scope}>
          {figured.note}
          {describeRest(exact)}
        </p>
      )}
      {shownDetail && <DetailFacts detail={shownDetail} hasLengths={facet?.kind === 'length'} />}
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
      {!answer && !linked.error && plotPx(column.type) > 0 && <Skeleton height={plotPx(column.type)} />}
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

/** The room that the distribution takes once it is counted; 0 for types that have none. */
function plotPx(type: string): number {
  if (/^(u?int|float|decimal|timestamp|date)/.test(type)) return 100;
  return /^(utf8|large_utf8|bool|dictionary)/.test(type) ? 228 : 0;
}

/** Whether figures over every row are on their way to take the place of those of a sample. */
function describeRest(exact: ExactFigures | undefined): string {
  if (!exact || exact.profile) return '';
  if (exact.isCounting) return ' All rows are being counted…';
  return exact.error ? ` Not counted over all rows: ${readError(exact.error).message}` : '';
}
