import { formatNumber, formatTimeForCell, formatValue } from './format-value.ts';
import type { GridColumn } from './grid-column.ts';
import type { GridRow } from './row-source.ts';

let context: CanvasRenderingContext2D | null = null;

function textWidth(text: string, font: string): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * 7;
  context.font = font;
  return context.measureText(text).width;
}

const font = '13px "Inter Variable", Inter, sans-serif';
const boldFont = '500 12px "Inter Variable", Inter, sans-serif';
const padPx = 26;
const headPadPx = 62;
const mostFitPx = 560;

/** The width at which a column's name and the given rows' values are wholly seen. */
export function fitWidth(column: GridColumn, rows: readonly GridRow[]): number {
  const head = textWidth(column.name, boldFont) + headPadPx;
  if (column.kind === 'media' || column.kind === 'vector') return Math.max(head, 72);
  const cells = rows.map((row) => textWidth(cellText(row.value(column.name), column), font) + padPx);
  return Math.min(mostFitPx, Math.ceil(Math.max(head, ...cells)));
}

function cellText(value: unknown, column: GridColumn): string {
  if (value === null || value === undefined) return 'null';
  if (column.kind === 'number') return formatNumber(value, column.parsed);
  if (column.kind === 'time') return formatTimeForCell(value, column.parsed);
  return formatValue(value, column.parsed).slice(0, 200);
}
