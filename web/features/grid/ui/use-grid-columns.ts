import {
  type ColumnDef,
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  type Header,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useMemo } from 'react';
import type { GridColumn } from '../model/grid-column.ts';
import {
  type Density,
  type GridLayout,
  isShown,
  leastWidthPx,
  mostWidthPx,
  orderColumns,
  widthOf,
} from '../model/grid-layout.ts';

const features = tableFeatures({
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  columnOrderingFeature,
  columnPinningFeature,
});

type Features = typeof features;
type NoRow = Record<string, never>;
export type GridHeader = Header<Features, NoRow, unknown>;

/** A column in its place. */
export interface PlacedColumn {
  column: GridColumn;
  header: GridHeader;
  /** From 1, over all visible columns: `aria-colindex` less the gutter. */
  place: number;
  /** From the left edge of all columns. */
  leftPx: number;
  widthPx: number;
  isResizing: boolean;
}

export interface GridColumns {
  pinned: readonly PlacedColumn[];
  /** Those of the free columns that are in sight. */
  free: readonly PlacedColumn[];
  visible: readonly GridColumn[];
  pinnedPx: number;
  totalPx: number;
  /** Brings a column into sight. */
  reveal: (name: string) => void;
}

export interface GridColumnsOptions {
  columns: readonly GridColumn[];
  layout: GridLayout;
  density: Density;
  onLayoutChange: (layout: GridLayout) => void;
  scroller: RefObject<HTMLDivElement | null>;
  gutterPx: number;
}

const noRows: NoRow[] = [];

/** The columns of a grid: order, visibility, pins and widths by TanStack Table; of the free ones only those in sight. */
export function useGridColumns({
  columns,
  layout,
  density,
  onLayoutChange,
  scroller,
  gutterPx,
}: GridColumnsOptions): GridColumns {
  const byName = useMemo(() => new Map(columns.map((column) => [column.name, column])), [columns]);
  const defs = useMemo<ColumnDef<Features, NoRow>[]>(
    () =>
      columns.map((column) => ({
        id: column.name,
        header: column.name,
        minSize: leastWidthPx,
        maxSize: mostWidthPx,
      })),
    [columns],
  );
  const columnOrder = useMemo(
    () => orderColumns(columns, layout).map((column) => column.name),
    [columns, layout],
  );
  const columnSizing = useMemo(
    () => Object.fromEntries(columns.map((column) => [column.name, widthOf(column, layout, density)])),
    [columns, layout, density],
  );
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map((column) => [column.name, isShown(column, layout)])),
    [columns, layout],
  );
  const columnPinning = useMemo(
    () => ({ start: layout.pinned.filter((name) => byName.has(name)), end: [] }),
    [layout.pinned, byName],
  );
  const table = useTable(
    {
      features,
      columns: defs,
      data: noRows,
      columnResizeMode: 'onChange',
      state: { columnOrder, columnSizing, columnVisibility, columnPinning },
      onColumnSizingChange: (update) => {
        const next = typeof update === 'function' ? update(columnSizing) : update;
        const changed = Object.entries(next).filter(([name, px]) => columnSizing[name] !== px);
        if (changed.length > 0)
          onLayoutChange({
            ...layout,
            widths: {
              ...layout.widths,
              ...Object.fromEntries(changed.map(([name, px]) => [name, Math.round(px)])),
            },
          });
      },
    },
    (state) => ({ columnResizing: state.columnResizing }),
  );
  const startHeaders = (table.getHeaderGroups()[0]?.headers ?? []).filter(
    (header) => header.column.getIsPinned() === 'start',
  );
  const freeHeaders = (table.getHeaderGroups()[0]?.headers ?? []).filter(
    (header) => header.column.getIsPinned() !== 'start',
  );
  const pinnedPx = gutterPx + startHeaders.reduce((sum, header) => sum + header.getSize(), 0);

  const sizes = freeHeaders.map((header) => header.getSize());
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: freeHeaders.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => sizes[index] ?? 120,
    getItemKey: (index) => freeHeaders[index]?.id ?? index,
    paddingStart: pinnedPx,
    scrollPaddingStart: pinnedPx,
    overscan: 2,
    initialRect: { width: 1440, height: 900 },
  });
  const sizeKey = sizes.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: widths are measured anew when any of them changes
  useEffect(() => virtualizer.measure(), [virtualizer, sizeKey, pinnedPx]);

  const placed = (header: GridHeader, leftPx: number, place: number): PlacedColumn[] => {
    const column = byName.get(header.id);
    return column
      ? [
          {
            column,
            header,
            place,
            leftPx,
            widthPx: header.getSize(),
            isResizing: header.column.getIsResizing(),
          },
        ]
      : [];
  };
  let left = gutterPx;
  const pinned = startHeaders.flatMap((header, index) => {
    const at = left;
    left += header.getSize();
    return placed(header, at, index + 1);
  });
  const free = virtualizer.getVirtualItems().flatMap((item) => {
    const header = freeHeaders[item.index];
    return header ? placed(header, item.start, startHeaders.length + item.index + 1) : [];
  });
  return {
    pinned,
    free,
    visible: [...startHeaders, ...freeHeaders].flatMap((header) => byName.get(header.id) ?? []),
    pinnedPx,
    totalPx: pinnedPx + sizes.reduce((sum, size) => sum + size, 0),
    reveal(name) {
      const index = freeHeaders.findIndex((header) => header.id === name);
      if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' });
    },
  };
}
