import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react';
import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import type { OrderBy } from '#shared/api/tables.ts';
import { Checkbox, cx, Menu, Tooltip } from '../../../ui/index.ts';
import type { GridColumn } from '../model/grid-column.ts';
import { moveColumn } from '../model/grid-layout.ts';
import { planSortClick } from '../model/plan-sort.ts';
import { type ColumnMenuContext, columnMenu, whyNotSortable } from './column-menu.tsx';
import styles from './grid.module.css';
import { TypeGlyph } from './type-glyph.tsx';
import type { GridColumns, PlacedColumn } from './use-grid-columns.ts';

export interface GridHeaderProps {
  gridId: string;
  columns: GridColumns;
  menu: ColumnMenuContext;
  /** Of all rows; null leaves the box out. */
  selected: boolean | 'mixed' | null;
  onSelectAll: (isOn: boolean) => void;
  gutterPx: number;
  heightPx: number;
  activeColumn: string | null;
  menuColumn: string | null;
  summary?: (column: GridColumn) => ReactNode;
  onMenuColumn: (column: string | null) => void;
}

/** The row of column headers: name, type, order; a menu, a border to drag, and the whole to move. */
export function GridHeader({
  gridId,
  columns,
  menu,
  selected,
  onSelectAll,
  gutterPx,
  heightPx,
  activeColumn,
  menuColumn,
  summary,
  onMenuColumn,
}: GridHeaderProps) {
  const [drag, setDrag] = useState<{ name: string; before: string | null } | null>(null);
  const cell = (placed: PlacedColumn) => (
    <HeaderCell
      key={placed.column.name}
      id={`${gridId}-h-${placed.place}`}
      placed={placed}
      menu={menu}
      isActive={activeColumn === placed.column.name}
      isMenuOpen={menuColumn === placed.column.name}
      onMenuOpenChange={(isOpen) => onMenuColumn(isOpen ? placed.column.name : null)}
      summary={summary?.(placed.column)}
      drag={drag}
      onDrag={setDrag}
    />
  );
  return (
    <div role="row" className={styles.header} style={{ width: columns.totalPx, height: heightPx }}>
      <div className={styles.pinned} style={{ width: columns.pinnedPx }} role="presentation">
        <div
          role="columnheader"
          aria-colindex={1}
          aria-label="Selection"
          className={styles.gutter}
          style={{ width: gutterPx }}
        >
          {selected !== null && (
            <Checkbox label="Select all rows" isLabelHidden isChecked={selected} onChange={onSelectAll} />
          )}
        </div>
        {columns.pinned.map(cell)}
      </div>
      {columns.free.map(cell)}
    </div>
  );
}

interface HeaderCellProps {
  id: string;
  placed: PlacedColumn;
  menu: ColumnMenuContext;
  isActive: boolean;
  isMenuOpen: boolean;
  summary: ReactNode;
  onMenuOpenChange: (isOpen: boolean) => void;
  drag: { name: string; before: string | null } | null;
  onDrag: (drag: { name: string; before: string | null } | null) => void;
}

function HeaderCell({
  id,
  placed,
  menu,
  isActive,
  isMenuOpen,
  summary,
  onMenuOpenChange,
  drag,
  onDrag,
}: HeaderCellProps) {
  const { column, widthPx, leftPx, header } = placed;
  const order = menu.sort.find((one) => one.column === column.name);
  const rank = menu.sort.length > 1 && order ? menu.sort.indexOf(order) + 1 : null;
  const dragging = useColumnDrag(column.name, menu, onDrag);
  const isPinned = menu.layout.pinned.includes(column.name);
  const whyNot = whyNotSortable(column);
  const sortBy =
    menu.onSort && !whyNot
      ? (isAdding: boolean) => menu.onSort?.(planSortClick(menu.sort, column.name, isAdding))
      : undefined;
  return (
    <div
      role="columnheader"
      id={id}
      data-column={column.name}
      aria-colindex={placed.place + 1}
      aria-sort={order ? (order.desc ? 'descending' : 'ascending') : undefined}
      className={cx(
        styles.headerCell,
        isActive && styles.activeCell,
        drag?.name === column.name && styles.dragged,
        drag?.before === column.name && styles.dropBefore,
      )}
      style={isPinned ? { width: widthPx, position: 'relative' } : { width: widthPx, left: leftPx }}
    >
      <Tooltip text={<HeaderTip placed={placed} />} side="bottom">
        <button
          type="button"
          tabIndex={-1}
          className={cx(styles.headerName, column.kind === 'number' && styles.headerEnd)}
          {...dragging.handlers}
          onClick={(event) => {
            if (!dragging.wasDragged()) (sortBy ?? (() => onMenuOpenChange(true)))(event.shiftKey);
          }}
        >
          <TypeGlyph column={column} />
          <span className={styles.headerText}>{column.name}</span>
          {order && <SortMark order={order} rank={rank} />}
        </button>
      </Tooltip>
      <Menu
        label={`Column ${column.name}`}
        align="end"
        isOpen={isMenuOpen}
        onOpenChange={onMenuOpenChange}
        trigger={
          <button
            type="button"
            tabIndex={-1}
            className={styles.headerMenu}
            aria-label={`Menu of column ${column.name}`}
          >
            <ChevronDown size={14} aria-hidden />
          </button>
        }
        items={isMenuOpen ? columnMenu(column, menu) : []}
      />
      {summary !== undefined && <div className={styles.summary}>{summary}</div>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a border to drag; its keyboard way is the menu */}
      <div
        className={cx(styles.resizer, placed.isResizing && styles.resizing)}
        onMouseDown={header.getResizeHandler()}
        onTouchStart={header.getResizeHandler()}
        onDoubleClick={() => menu.onFit(column)}
      />
    </div>
  );
}

const HeaderTip = ({ placed: { column } }: { placed: PlacedColumn }) => (
  <span className={styles.headerTip}>
    <strong>{column.name}</strong> {column.type}
    {column.isKey && ' · key'}
    {column.description && <span>{column.description}</span>}
  </span>
);

function SortMark({ order, rank }: { order: OrderBy; rank: number | null }) {
  const Arrow = order.desc ? ArrowDown : ArrowUp;
  return (
    <span className={styles.sortMark}>
      <Arrow size={13} aria-hidden />
      {rank}
    </span>
  );
}

const dragStartPx = 6;

/** Moving a header along the row puts its column elsewhere. */
function useColumnDrag(name: string, menu: ColumnMenuContext, onDrag: HeaderCellProps['onDrag']) {
  const start = useRef<{ x: number; isDragging: boolean; before: string | null } | null>(null);
  const dragged = useRef(false);
  const end = () => {
    const state = start.current;
    start.current = null;
    dragged.current = state?.isDragging ?? false;
    if (state?.isDragging) {
      onDrag(null);
      menu.onLayoutChange(moveColumn(menu.layout, menu.columns, name, state.before));
    }
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      dragged.current = false;
      if (event.button !== 0) return;
      start.current = { x: event.clientX, isDragging: false, before: name };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const state = start.current;
      if (!state || (!state.isDragging && Math.abs(event.clientX - state.x) < dragStartPx)) return;
      if (!state.isDragging) event.currentTarget.setPointerCapture(event.pointerId);
      const before = columnAt(event.currentTarget, event.clientX);
      start.current = { ...state, isDragging: true, before };
      onDrag({ name, before });
    },
    onPointerUp: end,
    onPointerCancel: () => {
      start.current = null;
      onDrag(null);
    },
  };
  return { handlers, wasDragged: () => dragged.current };
}

function columnAt(element: HTMLElement, x: number): string | null {
  const cells = [...(element.closest('[role="row"]')?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
    .map((cell) => ({ name: cell.dataset.column ?? '', rect: cell.getBoundingClientRect() }))
    .sort((a, b) => a.rect.left - b.rect.left);
  return cells.find(({ rect }) => x < rect.left + rect.width / 2)?.name ?? null;
}
