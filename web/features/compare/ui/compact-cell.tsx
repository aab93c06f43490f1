import { listChange } from '#shared/domain/equal-changes.ts';
import {
  CellValue,
  formatNumber,
  formatTimeForCell,
  formatValue,
  type GridColumn,
  toJson,
} from '../../grid/index.ts';
import type { Change } from '../model/change.ts';
import { sidesOf } from '../model/change.ts';
import { diffVectors } from '../model/vector-diff.ts';
import styles from './change-table.module.css';
import { useScene } from './scene.ts';
import { mediaOfSide, type SideName } from './side-media.ts';

const mostChars = 120;

/** One cell of the table of changes: old → new where it changed, else its value. */
export function CompactCell({ column, change }: { column: GridColumn; change: Change }) {
  const { summary, comparison } = useScene();
  const { before, after, beforeSide } = sidesOf(change, summary.mode);
  const old = before?.[column.name] ?? null;
  const next = after?.[column.name] ?? null;
  const media = (side: SideName) =>
    mediaOfSide({ table: comparison.table, summary, change, side, column: column.name });
  const picture = (value: unknown, side: SideName) => (
    <CellValue column={column} value={value} media={media(side)} widthPx={44} heightPx={30} />
  );
  if (change.kind !== 'modified') {
    const isAdded = change.kind === 'added';
    const value = isAdded ? next : old;
    if (value === null) return <span className={styles.same}>null</span>;
    if (column.kind === 'media') return picture(value, isAdded ? 'from' : beforeSide);
    const text = textOf(value, column);
    return isAdded ? <ins title={text}>{text}</ins> : <del title={text}>{text}</del>;
  }
  if (!change.columns.includes(column.name)) {
    if (column.kind === 'media') return null;
    return <span className={styles.same}>{textOf(next, column)}</span>;
  }
  switch (column.kind) {
    case 'media':
      return (
        <>
          {picture(old, beforeSide)}
          <span aria-hidden>→</span>
          {picture(next, 'from')}
        </>
      );
    case 'vector':
      return <span>{cosineText(old, next)}</span>;
    case 'list':
      return <ListChange old={old} next={next} column={column} />;
    default: {
      const [from, to] = [textOf(old, column), textOf(next, column)];
      return (
        <>
          <del title={from}>{from}</del>
          <span aria-hidden>→</span>
          <ins title={to}>{to}</ins>
        </>
      );
    }
  }
}

function ListChange({ old, next, column }: { old: unknown; next: unknown; column: GridColumn }) {
  const items = (value: unknown): unknown[] => {
    const list = toJson(value, column.parsed);
    return Array.isArray(list) ? list : [];
  };
  const { removed, added } = listChange(items(old), items(next));
  const text = itemTexts;
  return (
    <>
      {removed.length > 0 && <del title={text(removed)}>− {text(removed)}</del>}
      {added.length > 0 && <ins title={text(added)}>+ {text(added)}</ins>}
      {removed.length + added.length === 0 && <span className={styles.same}>another order</span>}
    </>
  );
}

const itemTexts = (items: unknown): string =>
  (Array.isArray(items) ? items : [])
    .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
    .join(', ')
    .slice(0, mostChars);

function cosineText(old: unknown, next: unknown): string {
  if (old === null || next === null) return old === null ? 'filled' : 'emptied';
  const { cosine } = diffVectors(old as ArrayLike<number>, next as ArrayLike<number>);
  return cosine === null ? 'another vector' : `cosine ${cosine.toFixed(3)}`;
}

function textOf(value: unknown, { kind, parsed }: GridColumn): string {
  if (value === null) return 'null';
  if (kind === 'list') return itemTexts(toJson(value, parsed));
  if (kind === 'number') return formatNumber(value, parsed);
  if (value === '') return 'empty';
  if (kind === 'vector') return 'vector';
  const text = kind === 'time' ? formatTimeForCell(value, parsed) : formatValue(value, parsed);
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}
