export { useGridLayout } from './layout-store.ts';
export { isShownByBrowsers } from './model/browser-pictures.ts';
export {
  formatJson,
  formatNumber,
  formatTime,
  formatTimeForCell,
  formatValue,
  showControls,
  toJson,
} from './model/format-value.ts';
export {
  type CellKind,
  type GridColumn,
  gridColumnsOf,
  gridColumnsOfArrow,
  gridColumnsOfFields,
  isLinked,
  kindOfColumn,
} from './model/grid-column.ts';
export {
  type Density,
  densities,
  densityOf,
  type GridLayout,
  isShown,
  moveColumn,
  orderColumns,
  plainLayout,
  setPinned,
  setShown,
  showOnly,
} from './model/grid-layout.ts';
export type { RowGroup } from './model/group-places.ts';
export { type GroupedSource, type GroupHead, groupSource, isGrouped } from './model/grouped-source.ts';
export { createLoadedSource } from './model/loaded-source.ts';
export {
  type MediaAddress,
  type MediaOf,
  mediaOfCells,
  mediaOfTable,
  thumbSizeFor,
} from './model/media-address.ts';
export { readMediaReason } from './model/media-reason.ts';
export { nameColumnOf } from './model/name-column.ts';
export { planSortBy, planSortClick, type SortState } from './model/plan-sort.ts';
export { readBlobCell, sizeOfCell } from './model/read-blob-cell.ts';
export type { GridRow, RowSource, RowsState } from './model/row-source.ts';
export { createStaticSource } from './model/static-source.ts';
export { createWindowSource, type WindowRequest } from './model/window-source.ts';
export { isWorthAPage } from './model/worth-a-page.ts';
export type { CellPlace } from './ui/cell-editor.tsx';
export { CellValue, type CellValueProps } from './ui/cell-value.tsx';
export { whyNotSortable } from './ui/column-menu.tsx';
export { MediaProblem } from './ui/media-problem.tsx';
export { MediaThumb } from './ui/media-thumb.tsx';
/**
 * `<RowsGrid>` shows the rows of a `RowSource`: virtual rows and columns, typed cells, keys, sorting, selection.
 *
 * For rows that are all there (a result of SQL): `source = useMemo(() => createStaticSource(rows), [rows])`,
 * `columns = useMemo(() => gridColumnsOfArrow(rows), [rows])`, `[layout, setLayout] = useGridLayout('sql')`.
 * Sorting is the caller's: leave `onSort` out, or make a new source. Blob cells of SQL carry their own addresses, which
 * is what `media` does by default. Leave `onSelect` out where rows cannot be selected.
 */
export { RowsGrid, type RowsGridProps } from './ui/rows-grid.tsx';
export { TypeGlyph } from './ui/type-glyph.tsx';
export { VectorSpark } from './ui/vector-spark.tsx';
export { useRow } from './use-row.ts';
export { useRowsState, useShownSource } from './use-rows.ts';
export { wholeRow } from './whole-row.ts';
