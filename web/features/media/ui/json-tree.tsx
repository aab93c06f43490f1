import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import styles from './text-reader.module.css';

const openDepth = 2;
const step = 100;

/** JSON as a tree that opens and closes; long lists show a hundred at a time. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className={styles.tree} role="tree" aria-label="JSON">
      <Branch name={null} value={value} depth={0} />
    </div>
  );
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

function Branch({ name, value, depth }: { name: string | null; value: unknown; depth: number }) {
  const entries = isBranch(value) ? Object.entries(value) : [];
  const [isOpen, setOpen] = useState(depth < openDepth && entries.length <= step);
  const [shown, setShown] = useState(step);
  const label = name !== null && <span className={styles.key}>{name}: </span>;
  if (!isBranch(value)) {
    return (
      <div role="treeitem" tabIndex={-1} className={styles.leaf} style={{ paddingLeft: depth * 16 + 18 }}>
        {label}
        <Scalar value={value} />
      </div>
    );
  }
  const summary = Array.isArray(value)
    ? `[${formatCount(entries.length)}]`
    : `{${formatCount(entries.length)}}`;
  return (
    <div role="treeitem" tabIndex={-1} aria-expanded={isOpen}>
      <button
        type="button"
        className={styles.branch}
        style={{ paddingLeft: depth * 16 }}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={14} className={cx(styles.turnMark, isOpen && styles.turned)} aria-hidden />
        {label}
        <span className={styles.summary}>{summary}</span>
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: the group of a tree item, which no element stands for
        <div role="group">
          {entries.slice(0, shown).map(([inner, one]) => (
            <Branch key={inner} name={inner} value={one} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button
              type="button"
              className={styles.moreEntries}
              style={{ marginLeft: depth * 16 + 34 }}
              onClick={() => setShown(shown + step)}
            >
              {formatCount(Math.min(step, entries.length - shown))} more of {formatCount(entries.length)}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Scalar({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className={styles.string}>{JSON.stringify(value)}</span>;
  return <span className={value === null ? styles.nothing : styles.scalar}>{String(value)}</span>;
}
