import { brushOfCondition, codesOfBrush } from '#shared/domain/facets/brush.ts';
import { blocksOf } from '#shared/domain/facets/count-facets.ts';
import type { FacetColumn } from './lance-facets.ts';
import type { RowSet } from './row-set.ts';

/** The rows that a brush on a column means, from its codes; null where codes cannot tell. Yields between blocks of rows. */
export function* maskOfBrush(
  facet: FacetColumn,
  sql: string,
  rows: number,
): Generator<void, Uint8Array | null> {
  const found = brushOfCondition(sql, facet);
  const codes = found?.isExact ? codesOfBrush(found.brush, facet.bins) : null;
  if (!codes) return null;
  const passes = new Uint8Array(256);
  for (const code of codes) passes[code] = 1;
  const mask = new Uint8Array(rows);
  const { codes: of, offsets } = facet;
  for (const [from, to] of blocksOf(rows)) {
    if (!offsets) for (let row = from; row < to; row++) mask[row] = passes[of[row]!]!;
    else
      for (let row = from; row < to; row++)
        for (let at = offsets[row]!; at < offsets[row + 1]!; at++) mask[row]! |= passes[of[at]!]!;
    yield;
  }
  return mask;
}

/** The rows that a filter finds, computed by Lance. */
export async function maskOfFilter(lance: string, rowSet: RowSet, signal: AbortSignal): Promise<Uint8Array> {
  const mask = new Uint8Array(rowSet.rows);
  let from = 0;
  for await (const batch of rowSet.read({ m: lance }, signal)) {
    const data = batch.getChild('m')!.data[0]!;
    const bits = data.values as Uint8Array;
    const hasNulls = data.nullCount > 0;
    for (let row = 0; row < data.length; row++) {
      const at = data.offset + row;
      const isTrue = (bits[at >> 3]! >> (at & 7)) & 1;
      mask[from + row] = isTrue === 1 && (!hasNulls || data.getValid(row)) ? 1 : 0;
    }
    from += data.length;
  }
  return mask;
}
