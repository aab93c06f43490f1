import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Facet } from '#shared/api/facets.ts';
import { binCountOf } from '#shared/domain/facets/bins.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { cx, IconButton } from '../../../ui/index.ts';
import { isChosen, toggleCode } from '../model/brushes.ts';
import { formatBrush } from '../model/format-bin.ts';
import { type LinkedFacets, useDrafted } from '../use-facets.ts';
import styles from './facets.module.css';
import { Histogram } from './histogram.tsx';
import { ValueBars } from './value-bars.tsx';

export interface FacetCardProps {
  facet: Facet;
  linked: LinkedFacets;
  glyph?: ReactNode;
  heightPx?: number;
  /** Values that are shown before one asks for more. */
  shown?: number;
  children?: ReactNode;
}

const whatIs: Partial<Record<Facet['kind'], string>> = {
  length: 'length of the text',
  element: 'elements',
};

/** One column's distribution, to be brushed or chosen from, with null, NaN and other values as bins of their own. */
export function FacetCard({ facet, glyph, heightPx = 52, shown = 6, children, ...props }: FacetCardProps) {
  const linked = useDrafted(props.linked);
  const counts = linked.counts(facet);
  const brush = linked.brush(facet);
  const commit = (next: Parameters<LinkedFacets['commit']>[1]) => linked.commit(facet, next);
  return (
    <section
      className={styles.card}
      aria-label={facet.column}
      onPointerEnter={() => linked.activate(facet.column)}
      onFocus={() => linked.activate(facet.column)}
    >
      <header className={styles.cardHead}>
        {glyph}
        <h3 className={styles.cardName}>{facet.column}</h3>
        {whatIs[facet.kind] && <span className={styles.cardKind}>{whatIs[facet.kind]}</span>}
        <span className={styles.grow} />
        {brush && (
          <>
            <span className={styles.brushText} title={formatBrush(brush, facet.kind)}>
              {formatBrush(brush, facet.kind)}
            </span>
            <IconButton label={`Clear ${facet.column}`} icon={<X />} size="s" onClick={() => commit(null)} />
          </>
        )}
      </header>
      {facet.bins.kind === 'values' ? (
        <ValueBars facet={facet} counts={counts} brush={brush} shown={shown} onCommit={commit} />
      ) : binCountOf(facet.bins) > 0 ? (
        <Histogram
          facet={facet}
          counts={counts}
          brush={brush}
          heightPx={heightPx}
          onMove={(next) => linked.move(facet, next)}
          onCommit={commit}
        />
      ) : (
        <p className={styles.none}>No values</p>
      )}
      <Specials facet={facet} kept={counts.kept} linked={linked} />
      {children}
    </section>
  );
}

/** Null and NaN can be chosen; other values and empty lists are counted. */
function Specials({ facet, kept, linked }: { facet: Facet; kept: readonly number[]; linked: LinkedFacets }) {
  const count = binCountOf(facet.bins);
  const bars = facet.bins.bars.length;
  const brush = linked.brush(facet);
  const ordered = facet.bins.kind === 'ordered';
  const names = ['null', 'NaN', ordered ? 'infinite' : 'other values', 'empty'];
  const parts = names.flatMap((name, at) => {
    if ((facet.all[count + at] ?? 0) === 0) return [];
    const rows = formatCount(kept[bars + at] ?? 0);
    if (at > 1)
      return [
        <span key={name} className={styles.special}>
          {rows} {name}
        </span>,
      ];
    const isOn = isChosen(facet, brush, count + at);
    return [
      <button
        key={name}
        type="button"
        aria-pressed={isOn}
        className={cx(styles.special, styles.canChoose, isOn && styles.isOn)}
        onClick={() => linked.commit(facet, toggleCode(facet, brush, count + at))}
      >
        {rows} {name}
      </button>,
    ];
  });
  return parts.length === 0 ? null : <div className={styles.specials}>{parts}</div>;
}
