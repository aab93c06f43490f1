import { firstRows, rowsFromZero, type SortKey, sortRows } from './radix-sort.ts';
import { rankTexts } from './rank-texts.ts';
import type { SortValues } from './sort-values.ts';

/** The upper and the lower words of ids. */
export type IdHalves = [Uint32Array, Uint32Array];

export interface SortTask {
  columns: SortValues[];
  rowCount: number;
  /** How many of the first rows are wanted ahead; 0 for none. */
  firstCount: number;
  /** Of the rows: they are what is wanted in order, in place of positions. */
  ids?: IdHalves;
}

export function pickWords(words: Uint32Array, rows: Uint32Array): Uint32Array {
  const picked = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) picked[i] = words[rows[i]!]!;
  return picked;
}

/** The words of nulls are zeros, so that the next column decides among nulls. */
function keyOf(column: SortValues): SortKey {
  const { nulls, desc, hasNullsFirst } = column;
  const words = column.kind === 'words' ? column.words : [rankTexts(column)];
  if (nulls) for (const word of words) for (let i = 0; i < word.length; i++) if (nulls[i] !== 0) word[i] = 0;
  return { words, nulls, desc, hasNullsFirst };
}

/** Positions of the rows in the order of the columns; `onFirst` may get the first of them ahead. */
export function runSort(
  { columns, rowCount, firstCount }: SortTask,
  onFirst: (rows: Uint32Array) => void,
): Uint32Array {
  const keys = columns.map(keyOf);
  const first = firstCount > 0 ? firstRows(keys, rowCount, firstCount) : null;
  if (first) onFirst(first.slice());
  return sortRows(keys, rowsFromZero(rowCount));
}
