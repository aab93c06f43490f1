import { type GridColumn, nameColumnOf } from '../../grid/index.ts';

/** The columns that stand under a picture until someone chooses others: what names it. */
export function plainCaptions(columns: readonly GridColumn[]): string[] {
  const name = nameColumnOf(columns);
  return name ? [name.name] : [];
}

/** The columns of media that can be looked at: pictures first. */
export const pictureColumnsOf = (columns: readonly GridColumn[]): GridColumn[] => {
  const rank = (column: GridColumn) => ['image', 'video', 'audio', 'mask', 'blob'].indexOf(column.role);
  return columns
    .filter((column) => column.kind === 'media' && !column.isHidden)
    .toSorted((a, b) => rank(a) - rank(b));
};
