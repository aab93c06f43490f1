import { X } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import type { Condition } from '../../../state/table-view.ts';
import { Button, EmptyState, ErrorNote, IconButton, Skeleton } from '../../../ui/index.ts';
import { useFacets } from '../use-facets.ts';
import { FacetCard } from './facet-card.tsx';
import styles from './facets.module.css';
import { FacetsScope } from './facets-scope.tsx';

export interface FacetRailProps {
  table: string;
  detail: TableDetail | undefined;
  /** Pinned where it is known. */
  refText: string;
  /** In the order of the screen. */
  columns: readonly string[];
  conditions: readonly Condition[];
  marked?: string | undefined;
  hasSearch: boolean;
  glyphOf: (column: string) => ReactNode;
  onConditions: (conditions: Condition[]) => void;
  onClose: () => void;
}

/** Distributions beside the rows: a brush on one narrows the rows and all others. */
export function FacetRail({
  table,
  detail,
  refText,
  columns,
  conditions,
  marked,
  hasSearch,
  glyphOf,
  onConditions,
  onClose,
}: FacetRailProps) {
  const linked = useFacets({
    table,
    ref: refText,
    tableRows: detail?.rows ?? null,
    columns,
    conditions,
    marked,
    onConditions,
  });
  const { answer, error, retry } = linked;
  const ordered = useMemo(() => {
    const found = columns.flatMap((name) => answer?.facets.find(({ column }) => column === name) ?? []);
    return [
      ...found.filter(({ kind }) => kind !== 'length'),
      ...found.filter(({ kind }) => kind === 'length'),
    ];
  }, [columns, answer]);
  return (
    <aside className={styles.rail} aria-label="Facets">
      <header className={styles.railHead}>
        <h2>Facets</h2>
        <span className={styles.grow} />
        {conditions.length > 0 && (
          <Button size="s" look="quiet" onClick={() => onConditions([])}>
            Clear filter
          </Button>
        )}
        <IconButton label="Close the facets" icon={<X />} onClick={onClose} />
      </header>
      <div className={styles.scope}>
        <FacetsScope label="Scope of the facets" linked={linked} />
        {hasSearch && <p>The search is not part of these counts.</p>}
      </div>
      <div className={styles.cards}>
        <ErrorNote error={error} title="The facets cannot be counted." onRetry={retry} />
        {!answer && !error && <Waiting />}
        {answer && ordered.length === 0 && (
          <EmptyState title="Nothing to choose by">
            Numbers, times, texts, truths and lists of texts have facets; show a column of these.
          </EmptyState>
        )}
        {ordered.map((facet) => (
          <FacetCard key={facet.column} facet={facet} linked={linked} glyph={glyphOf(facet.column)} />
        ))}
      </div>
    </aside>
  );
}

function Waiting() {
  return (
    <>
      {[1, 2, 3, 4].map((card) => (
        <div key={card} className={styles.card}>
          <Skeleton height={84} />
        </div>
      ))}
    </>
  );
}
