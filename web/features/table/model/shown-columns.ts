import { type GridColumn, type GridLayout, isShown, orderColumns, plainLayout } from '../../grid/index.ts';

const namesOf = (columns: readonly GridColumn[], layout: GridLayout): string[] =>
  orderColumns(columns, layout)
    .filter((column) => isShown(column, layout))
    .map((column) => column.name);

/** The columns that a layout shows, for the address; null where it shows them as anyone would see them at first. */
export function columnsForAddress(columns: readonly GridColumn[], layout: GridLayout): string[] | null {
  const names = namesOf(columns, layout);
  const plain = namesOf(columns, plainLayout);
  return names.length === plain.length && names.every((name, at) => name === plain[at]) ? null : names;
}
