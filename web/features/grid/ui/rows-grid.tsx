import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { OrderBy } from '#shared/api/tables.ts';
import { allSelected, countSelected, emptySelection, type RowSelection } from '../../../state/selection.ts';
import { cx, ErrorNote, MenuAt, type MenuEntry, showError, showToast } from '../../../ui/index.ts';
import { formatValue } from '../model/format-value.ts';
import type { GridColumn } from '../model/grid-column.ts';
import { densityOf, type GridLayout, rowPxOf, setWidth } from '../model/grid-layout.ts';
import { type GroupHead, isGrouped } from '../model/grouped-source.ts';
import { fitWidth } from '../model/measure-column.ts';
import { type MediaOf, mediaOfCells } from '../model/media-address.ts';
import type { SortState } from '../model/plan-sort.ts';
import type { GridRow as Row, RowSource } from '../model/row-source.ts';
import { useRowsState } from '../use-rows.ts';
import { CellEditor, type CellPlace } from './cell-editor.tsx';
import styles from './grid.module.css';
import { GridHeader } from './grid-header.tsx';
import { GridRows } from './grid-rows.tsx';
import { isFocusFree, placeOf } from './place-in-grid.ts';
import { useFoundMarks } from './use-found-marks.ts';
import { useGridColumns } from './use-grid-columns.ts';
import { type ActiveCell, followRow, useGridKeys } from './use-grid-keys.ts';
import { useGridScroll } from './use-grid-scroll.ts';
import { useGridSelection } from './use-grid-selection.ts';

export interface RowsGridProps {
  source: RowSource;
  columns: readonly GridColumn[];
  layout: GridLayout;
  onLayoutChange: (layout: GridLayout) => void;
  /** Accessible name of the grid. */
  label?: string;
  /** Addresses of pictures and other media; by default those that the cells carry themselves. */
  media?: MediaOf;
  sort?: SortState;
  /** Without it headers do not sort. */
  onSort?: (sort: OrderBy[]) => void;
  selection?: RowSelection;
  /** Without it rows cannot be selected. */
  onSelect?: (selection: RowSelection) => void;
  /** Copies the selected rows; without it, or where none is selected, the cell is copied. */
  onCopyRows?: () => void;
  /** A value as it is stored, for copying: of cells that came cut. */
  wholeValue?: (row: Row, column: string) => Promise<unknown>;
  /** The row that has the focus, kept outside: place in the result. */
  activeRow?: number | null;
  onActiveRow?: (row: Row | undefined, index: number) => void;
  /** Space, Enter, a double click or a click on a picture. */
  onOpenRow?: (row: Row) => void;
  /** A double click on a cell of media; without it, its editor says why it cannot be typed. */
  onViewCell?: (row: Row, column: string) => void;
  /** The editor of a cell; null where it cannot be edited. Without it `e` does nothing. */
  editor?: (place: CellPlace) => ReactNode;
  /** Further entries of a column's menu. */
  columnActions?: (column: GridColumn) => MenuEntry[];
  /** What a right click on a cell offers. */
  cellActions?: (row: Row, column: GridColumn) => MenuEntry[];
  /** Stands under a column's name, `summaryPx` tall. */
  summary?: (column: GridColumn) => ReactNode;
  /** For a grouped source: the column that is grouped by, and what folds and unfolds a group. */
  group?: { column: GridColumn; onFold: (head: GroupHead) => void };
  /** Words of a search, marked where they stand. */
  foundWords?: readonly string[];
  /** Scrolls there at first, and when other rows come. */
  initialRow?: number;
  /** Told the first row on the screen. */
  onScroll?: (firstRow: number) => void;
  /** Stands where no rows are. */
  empty?: ReactNode;
  /** Title of an error, and ways out of it. */
  errorTitle?: string;
  errorActions?: ReactNode;
  /** Its keys work on the whole page: for the one grid of a screen. */
  hasPageKeys?: boolean;
}

const nameRowPx = 32;
const summaryPx = 34;
const gutterOf = (count: number): number =>
  Math.max(44, 22 + String(count).length * 8 + Math.floor(String(count).length / 4) * 3);

/** Rows in a grid of any length and width: only what is in sight is in the document. */
export function RowsGrid(props: RowsGridProps) {
  const {
    source,
    columns,
    layout,
    onLayoutChange,
    label = 'Rows',
    media = mediaOfCells,
    sort = [],
    onSort,
    onSelect,
    selection = emptySelection,
    wholeValue = async (row: Row, column: string) => row.value(column),
  } = props;
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const state = useRowsState(source);
  const count = state.total ?? 0;
  const rowCount = state.rows ?? count;
  const grouped = props.group && isGrouped(source) ? source : null;
  const density = densityOf(layout, columns);
  const rowPx = rowPxOf[density];
  const gutterPx = gutterOf(rowCount);
  const headerPx = nameRowPx + (props.summary ? summaryPx : 0);
  const grid = useGridColumns({ columns, layout, density, onLayoutChange, scroller, gutterPx });
  const scroll = useGridScroll({ scroller, count, rowPx, headerPx, initialRow: props.initialRow });
  const [activeBefore, setActive] = useState<ActiveCell | null>(
    props.activeRow === null || props.activeRow === undefined ? null : { row: props.activeRow, column: null },
  );
  const active = followRow(activeBefore, source);
  const [menuColumn, setMenuColumn] = useState<string | null>(null);
  const [editing, setEditing] = useState<ActiveCell | null>(null);
  const [context, setContext] = useState<{
    at: { x: number; y: number };
    row: Row;
    column: GridColumn;
  } | null>(null);
  const chosen = useGridSelection({ source, grouped, count, rowCount, selection, onSelect });

  useEffect(
    () => source.show(scroll.firstOnScreen, Math.max(scroll.lastOnScreen, scroll.firstOnScreen)),
    [source, scroll.firstOnScreen, scroll.lastOnScreen],
  );
  const { onScroll: tellScroll } = props;
  const tell = useRef(tellScroll);
  tell.current = tellScroll;
  useEffect(() => {
    tell.current?.(scroll.firstOnScreen);
  }, [scroll.firstOnScreen]);

  useFoundMarks(
    scroller,
    props.foundWords,
    `${scroll.first}:${scroll.last}:${state.revision}:${grid.free[0]?.column.name}`,
  );

  const shownSource = useRef(source);
  useEffect(() => {
    if (shownSource.current === source) return;
    const isSamePlace = source.placeKey !== undefined && source.placeKey === shownSource.current.placeKey;
    shownSource.current = source;
    chosen.startAt(null);
    if (!isSamePlace) scroll.scrollTo(props.initialRow ?? 0);
  });

  const heightBefore = useRef(scroll.viewport.height);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what opens below the rows must not cover the active one
  useEffect(() => {
    const before = scroll.firstOnScreen + (heightBefore.current - headerPx) / rowPx;
    heightBefore.current = scroll.viewport.height;
    if (active && active.row >= scroll.firstOnScreen && active.row <= before) scroll.reveal(active.row);
  }, [scroll.viewport.height]);

  const takesFocus = props.hasPageKeys ?? false;
  useEffect(() => {
    if (takesFocus && isFocusFree()) scroller.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  const outerRow = props.activeRow;
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the place that is kept outside, and nothing else
  useEffect(() => {
    if (outerRow === undefined || outerRow === active?.row) return;
    const id = outerRow === null ? undefined : source.rowAt(outerRow)?.id;
    setActive(outerRow === null ? null : { row: outerRow, column: active?.column ?? null, id });
    if (outerRow !== null) scroll.reveal(outerRow);
  }, [outerRow]);

  const columnNames = grid.visible.map((column) => column.name);
  const activate = (row: number, column: string | null) => {
    setActive({ row, column, id: source.rowAt(row)?.id });
    setEditing(null);
    if (row >= 0) scroll.reveal(row);
    if (column) grid.reveal(column);
    if (row >= 0) props.onActiveRow?.(source.rowAt(row), row);
  };

  const goTo = (row: number, column: string | null, isExtending: boolean) => {
    const from = active?.row ?? 0;
    activate(row, column);
    if (isExtending) chosen.extendTo(row, from);
    else chosen.startAt(row);
  };

  const open = (row = active?.row) => {
    if (row === -1) {
      setMenuColumn(active?.column ?? null);
      return;
    }
    const head = grouped?.headAt(row ?? 0);
    if (head) props.group?.onFold(head);
    const found = source.rowAt(row ?? 0);
    if (found) props.onOpenRow?.(found);
    if (row === undefined) activate(0, columnNames[0] ?? null);
  };

  /** A text that came cut is not edited here: what is not there would be lost. */
  const edit = (row: number, column: string) => {
    const found = source.rowAt(row);
    if (!found?.cut?.has(column)) return setEditing({ row, column });
    showToast(`${column} is long: it is edited in the row panel.`);
    props.onOpenRow?.(found);
  };

  const selectedCount = countSelected(selection, rowCount);
  const hasHeaderFocus = (row: number) => row < 0 && active?.column != null;
  const onKeyDown = useGridKeys(
    {
      pageRows: scroll.pageRows,
      canSelect: onSelect !== undefined,
      canClear: onSelect !== undefined && selectedCount > 0,
      canEdit: props.editor !== undefined,
      move(rows, steps, isExtending) {
        if (count === 0 && rows !== -1) return;
        const at = Math.max(0, active?.column ? columnNames.indexOf(active.column) : 0);
        const by = active?.column ? steps : 0;
        const column = columnNames[Math.max(0, Math.min(columnNames.length - 1, at + by))] ?? null;
        const from = active?.row ?? -1;
        const wanted = active === null && rows <= 0 ? 0 : from + rows;
        const least = hasHeaderFocus(wanted) && rows >= -1 ? -1 : 0;
        goTo(Math.max(least, Math.min(count - 1, wanted)), column, isExtending);
      },
      moveTo(row, column, isExtending) {
        if (count === 0) return;
        goTo(
          row === 'first' ? 0 : row === 'last' ? count - 1 : (active?.row ?? 0),
          column === 'first'
            ? (columnNames[0] ?? null)
            : column === 'last'
              ? (columnNames.at(-1) ?? null)
              : (active?.column ?? columnNames[0] ?? null),
          isExtending,
        );
      },
      open: () => open(),
      toggle: () => chosen.toggle(active?.row ?? 0),
      selectAll: () => {
        chosen.startAt(active?.row ?? null);
        onSelect?.(allSelected);
      },
      clear: () => {
        chosen.startAt(active?.row ?? null);
        onSelect?.(emptySelection);
      },
      edit: () => active && active.row >= 0 && active.column && edit(active.row, active.column),
      copy() {
        if (props.onCopyRows && selectedCount > 0) return props.onCopyRows();
        const column = grid.visible.find((one) => one.name === active?.column);
        const row = active ? source.rowAt(active.row) : undefined;
        if (!column || !row) return;
        void wholeValue(row, column.name)
          .then((value) =>
            navigator.clipboard.writeText(
              value === null || value === undefined ? '' : formatValue(value, column.parsed),
            ),
          )
          .then(() => showToast(`Copied ${column.name}`), showError);
      },
    },
    props.hasPageKeys ?? false,
  );

  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const place = placeOf(target);
    if (!place || target.closest('a,button,input,textarea')) return;
    scroller.current?.focus({ preventScroll: true });
    const isToggling = place.isGutter || event.ctrlKey || event.metaKey;
    if (event.shiftKey && onSelect) {
      getSelection()?.removeAllRanges();
      chosen.extendTo(place.row, active?.row ?? 0);
      activate(place.row, place.column ?? active?.column ?? null);
      return;
    }
    activate(place.row, place.column ?? active?.column ?? null);
    if (place.isHead && !isToggling) {
      open(place.row);
      return;
    }
    if (isToggling) chosen.toggle(place.row);
    else chosen.startAt(place.row);
    if (!isToggling && target.closest('img')) open(place.row);
  };

  const onDoubleClick = (event: MouseEvent) => {
    const place = placeOf(event.target as Element);
    if (!place || place.isGutter || place.isHead) return;
    const row = source.rowAt(place.row);
    const isMedia = grid.visible.find(({ name }) => name === place.column)?.kind === 'media';
    if (props.onViewCell && isMedia && row && place.column) props.onViewCell(row, place.column);
    else if (props.editor && place.column) edit(place.row, place.column);
    else open(place.row);
  };

  const onContextMenu = (event: MouseEvent) => {
    const place = placeOf(event.target as Element);
    const row = place && source.rowAt(place.row);
    const column = grid.visible.find((one) => one.name === place?.column);
    if (!props.cellActions || !row || !column || (event.target as Element).closest('a,input,textarea'))
      return;
    event.preventDefault();
    activate(row.index, column.name);
    setContext({ at: { x: event.clientX, y: event.clientY }, row, column });
  };

  const placeInGrid =
    active && (active.column ? grid.visible.findIndex((column) => column.name === active.column) + 1 : 0);
  const activeId =
    active && placeInGrid
      ? active.row < 0
        ? `${gridId}-h-${placeInGrid}`
        : grouped?.headAt(active.row)
          ? `${gridId}-${active.row}-g`
          : `${gridId}-${active.row}-${placeInGrid}`
      : undefined;
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={state.total ?? -1}
        aria-colcount={grid.visible.length + 1}
        aria-multiselectable={onSelect ? true : undefined}
        aria-activedescendant={activeId}
        aria-busy={state.isLoading}
        className={styles.grid}
        onScroll={(event) => {
          event.currentTarget.toggleAttribute('data-scrolled-x', event.currentTarget.scrollLeft > 0);
          scroll.onScroll();
        }}
        onKeyDown={onKeyDown as (event: KeyboardEvent<HTMLDivElement>) => void}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onContextMenu={onContextMenu}
      >
        <GridHeader
          gridId={gridId}
          columns={grid}
          heightPx={headerPx}
          gutterPx={gutterPx}
          selected={
            onSelect ? (selectedCount === 0 ? false : selectedCount >= rowCount ? true : 'mixed') : null
          }
          onSelectAll={(isOn) => onSelect?.(isOn ? allSelected : emptySelection)}
          activeColumn={active?.row === -1 ? active.column : null}
          summary={props.summary}
          menuColumn={menuColumn}
          onMenuColumn={setMenuColumn}
          menu={{
            columns,
            layout,
            onLayoutChange,
            sort,
            onSort,
            extra: props.columnActions,
            onFit: (column) => {
              const sample = Array.from({ length: scroll.last - scroll.first + 1 }, (_none, at) =>
                source.rowAt(scroll.first + at),
              ).filter((row) => row !== undefined);
              onLayoutChange(setWidth(layout, column.name, fitWidth(column, sample)));
            },
          }}
        />
        <div role="rowgroup" className={styles.body} style={{ height: scroll.bodyPx, width: grid.totalPx }}>
          <GridRows
            gridId={gridId}
            source={source}
            group={grouped && props.group ? { source: grouped, column: props.group.column } : null}
            scroll={scroll}
            columns={grid}
            rowPx={rowPx}
            gutterPx={gutterPx}
            media={media}
            selection={onSelect ? selection : null}
            active={active}
          />
          {editing && props.editor && (
            <CellEditor
              editing={editing}
              source={source}
              columns={grid}
              topPx={editing.row * rowPx - scroll.basePx}
              heightPx={rowPx}
              editor={props.editor}
              onClose={() => {
                setEditing(null);
                scroller.current?.focus({ preventScroll: true });
              }}
            />
          )}
        </div>
      </div>
      <MenuAt
        label="Cell"
        at={context?.at ?? null}
        items={context ? (props.cellActions?.(context.row, context.column) ?? []) : []}
        onClose={() => {
          setContext(null);
          scroller.current?.focus({ preventScroll: true });
        }}
      />
      {state.error !== null && count === 0 && (
        <div className={cx(styles.cover, styles.coverBelowHeader)}>
          <ErrorNote
            isWhole
            error={state.error}
            title={props.errorTitle ?? 'The rows cannot be shown.'}
            onRetry={() => source.retry()}
            actions={props.errorActions}
          />
        </div>
      )}
      {state.error !== null && count > 0 && (
        <ErrorNote
          error={state.error}
          title="Some rows could not be loaded."
          onRetry={() => source.retry()}
        />
      )}
      {state.error === null && state.total === 0 && (
        <div className={cx(styles.cover, styles.coverBelowHeader)}>{props.empty}</div>
      )}
    </div>
  );
}
