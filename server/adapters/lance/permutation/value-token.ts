import type { SortValues } from './sort-values.ts';

/** Says of each row what it holds in a sort column, so that rows with the same token stand side by side in its order. */
export function tokensOf(values: SortValues, rowCount: number): string[] {
  const decoder = new TextDecoder('latin1');
  return Array.from({ length: rowCount }, (_none, row) => {
    if (values.nulls && values.nulls[row] !== 0) return 'null';
    return values.kind === 'words'
      ? `w${values.words.map((word) => word[row]!).join('.')}`
      : `t${decoder.decode(values.bytes.subarray(values.ends[row]!, values.ends[row + 1]!))}`;
  });
}
