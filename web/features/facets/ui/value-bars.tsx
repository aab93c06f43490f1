import { useState } from 'react';
import type { Facet } from '#shared/api/facets.ts';
import { binCountOf } from '#shared/domain/facets/bins.ts';
import type { Brush } from '#shared/domain/facets/brush.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import { isChosen, toggleCode } from '../model/brushes.ts';
import { formatFacetValue } from '../model/format-bin.ts';
import { planScale, type ShownCounts } from '../model/shown-counts.ts';
import styles from './facets.module.css';

export interface ValueBarsProps {
  facet: Facet;
  counts: ShownCounts;
  brush: Brush | null;
  /** Values that are shown before one asks for more. */
  shown: number;
  onCommit: (brush: Brush | null) => void;
}

/** The most frequent values, each to be chosen; the whole behind, what the filter keeps before it. */
export function ValueBars({ facet, counts, brush, shown, onCommit }: ValueBarsProps) {
  const [isLong, setLong] = useState(false);
  const count = binCountOf(facet.bins);
  const { tallest, factor } = planScale(counts.all.slice(0, count), counts.kept.slice(0, count));
  const first = Array.from({ length: Math.min(count, isLong ? count : shown) }, (_none, code) => code);
  const chosen = isLong
    ? []
    : Array.from({ length: count - first.length }, (_none, at) => first.length + at).filter((code) =>
        isChosen(facet, brush, code),
      );
  const isAnyChosen = brush?.kind === 'values';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a list
    <div className={styles.values} role="group" aria-label={`Values of ${facet.column}`}>
      {[...first, ...chosen].map((code) => {
        const value = facet.bins.values[code]!;
        const text = formatFacetValue(value);
        const isOn = isChosen(facet, brush, code);
        const kept = counts.kept[code] ?? 0;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a bar that is chosen, not a box to tick
          <button
            key={String(value)}
            type="button"
            role="checkbox"
            aria-checked={isOn}
            aria-label={`${text}, ${formatOf(kept, 'row')} of ${formatCount(counts.all[code] ?? 0)}`}
            title={text}
            className={cx(styles.value, isOn && styles.isOn, isAnyChosen && !isOn && styles.isOff)}
            onClick={() => onCommit(toggleCode(facet, brush, code))}
          >
            <span
              className={styles.valueAll}
              style={{ width: `${(100 * (counts.all[code] ?? 0)) / tallest}%` }}
            />
            <span
              className={styles.valueKept}
              style={{ width: `${Math.min(100, (100 * kept * factor) / tallest)}%` }}
            />
            <span className={cx(styles.valueText, value === '' && styles.faint)}>{text}</span>
            <span className={styles.valueCount}>{formatCount(kept)}</span>
          </button>
        );
      })}
      {(count > shown || factor > 1) && (
        <div className={styles.valuesFoot}>
          {count > shown && (
            <button type="button" className={styles.more} onClick={() => setLong(!isLong)}>
              {isLong ? 'Fewer' : `${formatOf(count - first.length - chosen.length, 'more value')}`}
            </button>
          )}
          <span className={styles.grow} />
          {factor > 1 && (
            <span
              className={styles.factor}
              title="So that the rows that are left can be seen before all rows"
            >
              filtered ×{formatCount(factor)}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
