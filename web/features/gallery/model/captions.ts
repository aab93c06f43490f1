import type { GridColumn } from '../../grid/index.ts';

const namelike = /^(title|name|caption|label|concept|file_?name|path)$/i;

/** The columns that stand under a picture until someone chooses others: what names it. */
export function plainCaptions(columns: readonly GridColumn[]): string[] {
  const texts = columns.filter(
    (column) => !column.isHidden && (column.kind === 'text' || column.kind === 'number'),
  );
  const named =
    texts.find((column) => namelike.test(column.name)) ??
    texts.find((column) => column.isKey) ??
    texts.find((column) => column.kind === 'text');
  return named ? [named.name] : [];
}

/** The columns of media that can be looked at: pictures first. */
export const pictureColumnsOf = (columns: readonly GridColumn[]): GridColumn[] => {
  const rank = (column: GridColumn) => ['image', 'video', 'audio', 'mask', 'blob'].indexOf(column.role);
  return columns
    .filter((column) => column.kind === 'media' && !column.isHidden)
    .toSorted((a, b) => rank(a) - rank(b));
};
