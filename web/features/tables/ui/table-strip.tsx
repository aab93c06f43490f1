import { useState } from 'react';
import type { TableSummary } from '#shared/api/tables.ts';
import { addressOf } from '../../../api/index.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import styles from './table-strip.module.css';

const shown = 6;

export interface TableStripProps {
  table: Pick<TableSummary, 'name' | 'preview' | 'branches' | 'rows'>;
  size: 'card' | 'line';
}

/** A contact sheet of a table's first pictures; their place is kept while they come. */
export function TableStrip({ table, size }: TableStripProps) {
  const { preview } = table;
  const version = table.branches.find(({ name }) => name === 'main')?.version;
  if (!preview || preview.rowIds.length === 0) {
    return (
      <div className={cx(styles.plain, size === 'card' ? styles.plainCard : styles.plainLine)} aria-hidden>
        {size === 'card' && <span className={styles.number}>{formatCount(table.rows)}</span>}
      </div>
    );
  }
  const ids = preview.rowIds.slice(0, shown);
  return (
    <div
      className={cx(styles.strip, styles[size], size === 'card' && ids.length < 4 && styles.single)}
      aria-hidden
    >
      {ids.map((rowId) => (
        <Picture
          key={rowId}
          src={addressOf(
            'thumb',
            { table: table.name, column: preview.column, rowId },
            { ref: version === undefined ? 'main' : `main:${version}`, size: size === 'card' ? 256 : 64 },
          )}
        />
      ))}
    </div>
  );
}

function Picture({ src }: { src: string }) {
  const [isBroken, setBroken] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  return (
    <div className={styles.frame}>
      {!isBroken && (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          className={cx(styles.picture, isLoaded && styles.loaded)}
          onLoad={() => setLoaded(true)}
          onError={() => setBroken(true)}
        />
      )}
    </div>
  );
}
