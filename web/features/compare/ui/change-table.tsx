import { memo, type ReactNode, useState } from 'react';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { Checkbox, cx } from '../../../ui/index.ts';
import { type GridColumn, TypeGlyph } from '../../grid/index.ts';
import { type Change, sidesOf } from '../model/change.ts';
import { planTableColumns } from '../model/table-columns.ts';
import { ChangeCard, labelOf, RowThumb, titleOf } from './change-card.tsx';
import type { ChangeListProps } from './change-list.tsx';
import styles from './change-table.module.css';
import { CompactCell } from './compact-cell.tsx';
import { useIsSeen, usePicks, useScene } from './scene.ts';
import { useChangeRows } from './use-change-rows.ts';

export interface ChangeTableProps extends ChangeListProps {
  /** The column that the list is narrowed to: it comes first. */
  column: string | null;
}

const columnsAtFirst = 8;
const rowPx = 40;
const signs = { added: '+', removed: '−', modified: '~' } as const;

const template = (columns: readonly GridColumn[]): string =>
  `28px 60px 150px 170px ${columns.map(({ kind }) => (kind === 'text' || kind === 'list' ? '230px' : '180px')).join(' ')}`;

/** The changes, one line each, changed columns first; the current one opens as its card. */
export function ChangeTable(props: ChangeTableProps) {
  const { changes, at, takesFocus, onCurrent, onEnd, head, foot, column } = props;
  const { columns, summary } = useScene();
  const [most, setMost] = useState(columnsAtFirst);
  const { shown, hiddenChanged, unchanged } = planTableColumns({
    columns,
    cells: summary.cells,
    first: column,
    most,
  });
  const [closed, setClosed] = useState<string | null>(null);
  const { scroller, list, virtualizer, items } = useChangeRows({
    changes,
    at,
    takesFocus,
    onEnd,
    asksAhead: 15,
    sizes: { estimateSize: () => rowPx, overscan: 12, scrollPaddingStart: 40 },
  });
  const grid = { gridTemplateColumns: template(shown) };
  return (
    <div ref={scroller} className={styles.scroller}>
      <div className={styles.notes}>{head}</div>
      <div className={styles.headLine}>
        <span className={styles.pick} />
        <div className={styles.head} style={grid}>
          <span />
          <span />
          <span>key</span>
          <span className={styles.number}>
            {hiddenChanged > 0 ? (
              <button type="button" onClick={() => setMost(most + columnsAtFirst)}>
                +{formatOf(hiddenChanged, 'changed column')}
              </button>
            ) : (
              unchanged > 0 && `${formatOf(unchanged, 'other column')} in the card`
            )}
          </span>
          {shown.map((one) => (
            <span key={one.name} title={one.name}>
              <TypeGlyph column={one} />
              <span className={styles.name}>{one.name}</span>
              <span className={styles.number}>{formatCount(summary.cells[one.name] ?? 0)}</span>
            </span>
          ))}
        </div>
      </div>
      <ul
        ref={list}
        aria-label="Changed rows"
        className={styles.list}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map((item) => {
          const change = changes[item.index];
          if (!change) return null;
          const isCurrent = item.index === at;
          const isOpen = isCurrent && closed !== change.id;
          return (
            <li
              key={item.key}
              ref={virtualizer.measureElement}
              aria-setsize={changes.length}
              aria-posinset={item.index + 1}
              data-index={item.index}
              className={styles.item}
              style={{ transform: `translateY(${item.start - virtualizer.options.scrollMargin}px)` }}
            >
              <Line
                change={change}
                columns={shown}
                gridStyle={grid}
                isCurrent={isCurrent}
                isOpen={isOpen}
                onToggle={() => {
                  setClosed(isOpen ? change.id : null);
                  onCurrent(change);
                }}
              />
              {isOpen && (
                <OpenCard>
                  <ChangeCard change={change} isCurrent takesFocus={takesFocus} onCurrent={onCurrent} />
                </OpenCard>
              )}
            </li>
          );
        })}
      </ul>
      {foot}
    </div>
  );
}

const OpenCard = ({ children }: { children: ReactNode }) => <div className={styles.open}>{children}</div>;

interface LineProps {
  change: Change;
  columns: readonly GridColumn[];
  gridStyle: { gridTemplateColumns: string };
  isCurrent: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

const Line = memo(function Line({ change, columns, gridStyle, isCurrent, isOpen, onToggle }: LineProps) {
  const scene = useScene();
  const isSeen = useIsSeen(scene.seen, change);
  const isPicked = usePicks(scene.picks).has(change.id);
  const { before, after, beforeSide } = sidesOf(change, scene.summary.mode);
  return (
    <div className={cx(styles.line, isCurrent && styles.current, isSeen && styles.seen)}>
      <span className={styles.pick}>
        <Checkbox
          label={`Pick ${change.keyText}`}
          isLabelHidden
          isChecked={isPicked}
          onChange={(next) => scene.picks.toggle([change], next)}
        />
      </span>
      <button
        type="button"
        className={styles.row}
        style={gridStyle}
        aria-expanded={isOpen}
        aria-label={labelOf(change)}
        onClick={onToggle}
      >
        <span className={cx(styles.cell, styles.sign, styles[change.kind])}>{signs[change.kind]}</span>
        <span className={styles.cell}>
          <RowThumb change={change} row={after ?? before} side={after ? 'from' : beforeSide} />
        </span>
        <span className={styles.cell}>
          <code className={styles.key}>{change.keyText}</code>
        </span>
        <span className={styles.cell}>
          <span className={styles.title}>{titleOf(scene.columns, after ?? before, change)}</span>
        </span>
        {columns.map((column) => {
          const isDisputed = change.conflicts.includes(column.name);
          return (
            <span key={column.name} className={cx(styles.cell, isDisputed && styles.conflict)}>
              {isDisputed && <span className={styles.bang}>!</span>}
              <CompactCell column={column} change={change} />
            </span>
          );
        })}
      </button>
    </div>
  );
});
