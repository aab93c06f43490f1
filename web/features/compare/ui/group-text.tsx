import { formatValue, type GridColumn } from '../../grid/index.ts';
import type { ChangeGroup } from '../model/groups.ts';
import styles from './compare-rail.module.css';

/** What a group of equal changes did to its column: old → new, of lists the items that went and came. */
export function GroupText({ group, columns }: { group: ChangeGroup; columns: readonly GridColumn[] }) {
  if (group.delta !== null)
    return <span className={styles.groupText}>{signed(group.delta)} from several values</span>;
  const column = columns.find(({ name }) => name === group.column);
  const before = textOf(group.before, column);
  const after = textOf(group.after, column);
  return (
    <span className={styles.groupText} title={`${before} → ${after}`}>
      {before !== '' && <del>{before}</del>}
      {before !== '' && after !== '' && <span aria-hidden> → </span>}
      {after !== '' && <ins>{after}</ins>}
    </span>
  );
}

const signed = (delta: string): string => (delta.startsWith('-') ? `−${delta.slice(1)}` : `+${delta}`);

function textOf(value: unknown, column: GridColumn | undefined): string {
  if (value === '') return 'empty';
  if (!column) return String(value);
  if (column.kind !== 'list' || value === null) return formatValue(value, column.parsed);
  const item = 'item' in column.parsed ? column.parsed.item : column.parsed;
  return Array.from(value as ArrayLike<unknown>, (one) => formatValue(one, item)).join(', ');
}
