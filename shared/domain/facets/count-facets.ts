import { type CodedRows, rowsAtOnce } from './cube.ts';

/** Blocks of rows, between which the caller may breathe or stop. */
export function* blocksOf(rows: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < rows; from += rowsAtOnce) yield [from, Math.min(rows, from + rowsAtOnce)];
}

/** A condition as a mask over a block of rows; `owner` is the column whose own distribution it must not narrow. */
export interface MaskedCondition {
  mask: Uint8Array;
  owner: string | null;
}

/**
 * Per row, which conditions it fails: 0 none, `owner + 1` when only conditions of one owner fail, 255 when more do.
 * A column's distribution under all conditions but its own counts rows with 0 or its own number.
 */
export function markFailures(
  rows: number,
  conditions: readonly MaskedCondition[],
): { marks: Uint8Array; owners: string[] } {
  const marks = new Uint8Array(rows);
  const owners: string[] = [];
  for (const { mask, owner } of conditions) {
    let mark = several;
    if (owner !== null) {
      if (!owners.includes(owner)) owners.push(owner);
      mark = Math.min(several, owners.indexOf(owner) + 1);
    }
    for (let row = 0; row < rows; row++) {
      if (mask[row] !== 0) continue;
      const before = marks[row]!;
      marks[row] = before === 0 || before === mark ? mark : several;
    }
  }
  return { marks, owners };
}

const several = 255;

/** 1 where a row fails nothing but conditions of the given owners. */
export function maskWithout(
  marks: Uint8Array,
  owners: readonly string[],
  without: readonly string[],
): Uint8Array {
  const passes = new Uint8Array(256);
  passes[0] = 1;
  for (const name of without) {
    const at = owners.indexOf(name);
    if (at >= 0 && at + 1 < several) passes[at + 1] = 1;
  }
  const mask = new Uint8Array(marks.length);
  for (let row = 0; row < marks.length; row++) mask[row] = passes[marks[row]!]!;
  return mask;
}

/** 1 where both have 1. */
export function maskOfBoth(mask: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(mask.length);
  for (let row = 0; row < mask.length; row++) both[row] = mask[row]! & other[row]!;
  return both;
}

/** Adds to `counts` (256 of them) how many rows have each code; of lists each element counts, once per row. */
export function countCodes(
  { codes, offsets }: CodedRows,
  mask: Uint8Array | null,
  counts: Float64Array,
): void {
  if (offsets) {
    for (let row = 0; row + 1 < offsets.length; row++) {
      if (mask && mask[row] === 0) continue;
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) counts[codes[at]!]! += 1;
    }
    return;
  }
  const some = new Uint32Array(256);
  if (mask) for (let row = 0; row < codes.length; row++) some[codes[row]!]! += mask[row]!;
  else for (let row = 0; row < codes.length; row++) some[codes[row]!]! += 1;
  for (let code = 0; code < 256; code++) counts[code]! += some[code]!;
}

export function countRowsIn(mask: Uint8Array): number {
  let rows = 0;
  for (let row = 0; row < mask.length; row++) rows += mask[row]!;
  return rows;
}
