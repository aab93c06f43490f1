import { brushOfCondition, codesOfBrush } from '#shared/domain/facets/brush.ts';
import type { CodedRows } from '#shared/domain/facets/cube.ts';
import type { Bytes, FacetColumn } from './facet-column.ts';
import type { RowSet } from './row-set.ts';
import { RowValues } from './row-values.ts';

/** Per code of a column 1 where a brush on it means it; null where codes cannot tell. */
export function passesOfBrush(facet: FacetColumn, sql: string): Uint8Array | null {
  const found = brushOfCondition(sql, facet);
  const codes = found?.isExact ? codesOfBrush(found.brush, facet.bins) : null;
  if (!codes) return null;
  const passes = new Uint8Array(256);
  for (const code of codes) passes[code] = 1;
  return passes;
}

/** 1 per row that has one of the codes. */
export function maskOfCodes({ codes, offsets }: CodedRows, passes: Uint8Array): Uint8Array {
  const mask = new Uint8Array(offsets ? offsets.length - 1 : codes.length);
  if (!offsets) for (let row = 0; row < mask.length; row++) mask[row] = passes[codes[row]!]!;
  else
    for (let row = 0; row < mask.length; row++)
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) mask[row]! |= passes[codes[at]!]!;
  return mask;
}

/** The rows that a filter finds, computed by Lance. */
export async function maskOfFilter(lance: string, rowSet: RowSet, signal: AbortSignal): Promise<Bytes> {
  const mask = new RowValues(Uint8Array, rowSet);
  for await (const batch of rowSet.read({ m: lance }, signal)) {
    const data = batch.getChild('m')!.data[0]!;
    const bits = data.values as Uint8Array;
    const hasNulls = data.nullCount > 0;
    const { values, at: first } = mask.room(data.length);
    for (let row = 0; row < data.length; row++) {
      const at = data.offset + row;
      const isTrue = (bits[at >> 3]! >> (at & 7)) & 1;
      values[first + row] = isTrue === 1 && (!hasNulls || data.getValid(row)) ? 1 : 0;
    }
  }
  return mask;
}
