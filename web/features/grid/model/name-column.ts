import type { GridColumn } from './grid-column.ts';

const names = [
  'title',
  'name',
  'caption',
  'label',
  'concept',
  'annotation',
  'filename',
  'file_name',
  'path',
  'file',
];

/** The column that says what a row is called: its title or name, else its key, else its first text. */
export function nameColumnOf(columns: readonly GridColumn[]): GridColumn | undefined {
  const texts = columns.filter((column) => !column.isHidden && column.kind === 'text');
  for (const name of names) {
    const found = texts.find((column) => column.name.toLowerCase() === name);
    if (found) return found;
  }
  return columns.find((column) => column.isKey && !column.isHidden) ?? texts[0];
}
