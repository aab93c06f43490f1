import { type GridColumn, type GridRow, isWorthAPage, readBlobCell } from '../../grid/index.ts';

/** Columns of a row that the viewer shows: media that have a value first, then texts and structures worth a page. */
export function viewableColumns(
  row: GridRow,
  columns: readonly GridColumn[],
  /** Drawn on the media, so that they need no page of their own. */
  drawn: readonly string[] = [],
): GridColumn[] {
  const has = ({ name }: GridColumn) => row.value(name) !== null && row.value(name) !== undefined;
  const shown = columns.filter((column) => !column.isHidden && has(column));
  const media = shown.filter(({ kind }) => kind === 'media');
  const masks = media.filter(({ role }) => role === 'mask');
  const pictures = media.filter(({ role }) => role !== 'mask');
  const texts = shown.filter((column) => isWorthAPage(row, column));
  const isDrawn = ({ name }: GridColumn) => pictures.length > 0 && drawn.includes(name);
  return [...pictures, ...masks, ...texts.filter((column) => !isDrawn(column))];
}

/** What kind of stage a column needs in a row. */
export function stageOf(row: GridRow, column: GridColumn | undefined) {
  if (!column) return 'nothing' as const;
  if (column.kind !== 'media') return 'value' as const;
  return readBlobCell(row.value(column.name))?.kind ?? ('nothing' as const);
}
