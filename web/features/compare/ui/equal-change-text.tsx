import type { EqualChange } from '#shared/domain/equal-changes.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import type { GridColumn } from '../../grid/index.ts';
import styles from './compare-rail.module.css';

export interface EqualChangeTextProps {
  change: EqualChange;
  columns: readonly GridColumn[];
}

/** What equal changes did to their column: old → new, of lists the items that went and came, of numbers by how much. */
export function EqualChangeText({ change, columns }: EqualChangeTextProps) {
  const column = columns.find(({ name }) => name === change.column);
  if ('delta' in change)
    return <span className={styles.groupText}>{signed(change.delta)} from several values</span>;
  const [before, after] =
    'removed' in change
      ? [listText(change.removed, column), listText(change.added, column)]
      : [valueText(change.before, column), valueText(change.after, column)];
  if (before === '' && after === '')
    return <span className={styles.groupText}>the same items in another order</span>;
  return (
    <span className={styles.groupText} title={`${before} → ${after}`}>
      {before !== '' && <del>{after === '' ? `− ${before}` : before}</del>}
      {before !== '' && after !== '' && <span aria-hidden> → </span>}
      {after !== '' && <ins>{before === '' ? `+ ${after}` : after}</ins>}
    </span>
  );
}

/** The same for a title: `label: cat → kitty`. */
export function describeEqualChange(change: EqualChange): string {
  if ('delta' in change) return `${change.column}: ${signed(change.delta)}`;
  if ('removed' in change)
    return `${change.column}: ${[
      ...change.removed.map((item) => `−${valueText(item, undefined)}`),
      ...change.added.map((item) => `+${valueText(item, undefined)}`),
    ].join(' ')}`;
  return `${change.column}: ${valueText(change.before, undefined)} → ${valueText(change.after, undefined)}`;
}

const signed = (delta: string): string => {
  const size = delta.replace('-', '');
  return `${delta.startsWith('-') ? '−' : '+'}${/^\d+$/.test(size) ? formatCount(BigInt(size)) : size}`;
};

const listText = (items: readonly unknown[], column: GridColumn | undefined): string =>
  items.map((item) => valueText(item, column)).join(', ');

/** A cell as JSON writes it, for reading. */
function valueText(value: unknown, column: GridColumn | undefined): string {
  if (value === null) return 'null';
  if (value === '') return 'empty';
  if (typeof value === 'number' || (column?.kind === 'number' && typeof value === 'string'))
    return numberText(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const numberText = (value: number | string): string => {
  const text = typeof value === 'number' ? String(Number(value.toPrecision(9))) : value;
  return /^-?\d+$/.test(text) ? formatCount(BigInt(text)) : text;
};
