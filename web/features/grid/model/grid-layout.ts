import type { CellKind, GridColumn } from './grid-column.ts';

export const densities = ['compact', 'regular', 'tall'] as const;
export type Density = (typeof densities)[number];

export const rowPxOf: Record<Density, number> = { compact: 28, regular: 46, tall: 100 };

/** How a person arranged the columns of one table. */
export interface GridLayout {
  density: Density | null;
  widths: Readonly<Record<string, number>>;
  /** Names in the order that was chosen; columns that it does not name come after, as they stand in the table. */
  order: readonly string[];
  hidden: readonly string[];
  /** Columns that are out of sight by default and were brought in. */
  shown: readonly string[];
  pinned: readonly string[];
  /** Headers show how the values are spread. */
  hasSummaries: boolean;
}

export const plainLayout: GridLayout = {
  density: null,
  widths: {},
  order: [],
  hidden: [],
  shown: [],
  pinned: [],
  hasSummaries: false,
};

export const leastWidthPx = 44;
export const mostWidthPx = 1200;

/** Tables with pictures are read at a height that shows them. */
export const densityOf = (layout: GridLayout, columns: readonly GridColumn[]): Density =>
  layout.density ??
  (columns.some((column) => column.kind === 'media' && !column.isHidden) ? 'regular' : 'compact');

const plainWidths: Record<CellKind, number> = {
  media: 72,
  text: 220,
  number: 104,
  bool: 76,
  time: 168,
  list: 200,
  vector: 152,
  struct: 240,
  json: 240,
  binary: 92,
  url: 200,
};

const headerPadPx = 44;
const headerCharPx = 7.2;

/** The width that a column has until someone changes it: by its kind, with room for its name. */
export function plainWidthOf(column: GridColumn, density: Density): number {
  const forName = Math.min(180, column.name.length * headerCharPx + headerPadPx);
  if (column.kind === 'media') {
    const factor = { compact: 0.85, regular: 1, tall: 2 }[density];
    const base = column.role === 'audio' ? 160 : column.role === 'blob' ? 110 : plainWidths.media;
    return Math.max(forName, Math.round(base * factor));
  }
  if (column.kind === 'text' && column.isKey) return Math.max(forName, 168);
  if (column.kind === 'text' && column.role === 'label') return Math.max(forName, 128);
  if (column.kind === 'time' && column.parsed.kind.startsWith('date')) return Math.max(forName, 104);
  return Math.max(forName, plainWidths[column.kind]);
}

export const widthOf = (column: GridColumn, layout: GridLayout, density: Density): number =>
  (Object.hasOwn(layout.widths, column.name) ? layout.widths[column.name] : undefined) ??
  plainWidthOf(column, density);

export const isShown = (column: GridColumn, layout: GridLayout): boolean =>
  column.isHidden ? layout.shown.includes(column.name) : !layout.hidden.includes(column.name);

/** All columns in the order of the layout; until someone moves them, pictures stand in front. */
export function orderColumns(columns: readonly GridColumn[], layout: GridLayout): GridColumn[] {
  const places = new Map(layout.order.map((name, at) => [name, at]));
  const rank = (column: GridColumn) =>
    places.get(column.name) ?? (layout.order.length === 0 && isPicture(column) ? -1 : columns.length);
  return columns.toSorted((a, b) => rank(a) - rank(b));
}

const isPicture = (column: GridColumn): boolean =>
  column.kind === 'media' && (column.role === 'image' || column.role === 'video');

/** Shows or hides a column. */
export function setShown(layout: GridLayout, column: GridColumn, isOn: boolean): GridLayout {
  const without = (names: readonly string[]) => names.filter((name) => name !== column.name);
  return column.isHidden
    ? { ...layout, shown: isOn ? [...without(layout.shown), column.name] : without(layout.shown) }
    : { ...layout, hidden: isOn ? without(layout.hidden) : [...without(layout.hidden), column.name] };
}

/** Exactly these columns, in this order, as an address says. */
export function showOnly(
  layout: GridLayout,
  columns: readonly GridColumn[],
  names: readonly string[],
): GridLayout {
  return {
    ...layout,
    order: names,
    hidden: columns
      .filter((column) => !column.isHidden && !names.includes(column.name))
      .map((column) => column.name),
    shown: columns
      .filter((column) => column.isHidden && names.includes(column.name))
      .map((column) => column.name),
  };
}

/** Pins a column to the left edge, or sets it free. */
export function setPinned(layout: GridLayout, name: string, isOn: boolean): GridLayout {
  const without = layout.pinned.filter((one) => one !== name);
  return { ...layout, pinned: isOn ? [...without, name] : without };
}

/** Puts a column before another one (at the end for null). */
export function moveColumn(
  layout: GridLayout,
  columns: readonly GridColumn[],
  name: string,
  before: string | null,
): GridLayout {
  if (name === before) return layout;
  const names = orderColumns(columns, layout)
    .map((column) => column.name)
    .filter((one) => one !== name);
  const at = before === null ? names.length : names.indexOf(before);
  return { ...layout, order: names.toSpliced(at === -1 ? names.length : at, 0, name) };
}

/** Moves a column one place to the left or right among those that are shown. */
export function nudgeColumn(
  layout: GridLayout,
  columns: readonly GridColumn[],
  name: string,
  step: -1 | 1,
): GridLayout {
  const visible = orderColumns(columns, layout)
    .filter((column) => isShown(column, layout))
    .map((column) => column.name);
  const at = visible.indexOf(name);
  if (at === -1) return layout;
  const target = step === -1 ? visible[at - 1] : (visible[at + 2] ?? null);
  return target === undefined ? layout : moveColumn(layout, columns, name, target);
}

export const setWidth = (layout: GridLayout, name: string, px: number): GridLayout => ({
  ...layout,
  widths: { ...layout.widths, [name]: Math.round(Math.max(leastWidthPx, Math.min(mostWidthPx, px))) },
});
