import { formatValue, type GridColumn } from '../../grid/index.ts';
import type { ChangeGroup } from '../model/groups.ts';
import styles from './compare-rail.module.css';

/** What a group of equal changes did to its column: old → new. */
export function GroupText({ group, columns }: { group: ChangeGroup; columns: readonly GridColumn[] }) {
  const column = columns.find(({ name }) => name === group.column);
  const text = (value: unknown) =>
    value === '' ? 'empty' : column ? formatValue(value, column.parsed) : String(value);
  return (
    <span className={styles.groupText} title={`${text(group.before)} → ${text(group.after)}`}>
      <del>{text(group.before)}</del>
      <span aria-hidden> → </span>
      <ins>{text(group.after)}</ins>
    </span>
  );
}
