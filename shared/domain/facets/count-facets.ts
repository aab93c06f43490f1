import { type CodedColumn, rowsAtOnce } from './cube.ts';

/** Blocks of rows, between which the caller may breathe or stop. */
export function* blocksOf(rows: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < rows; from += rowsAtOnce) yield [from, Math.min(rows, from + rowsAtOnce)];
}

/** A condition as a mask over the rows; `owner` is the column whose own distribution it must not narrow. */
export interface MaskedCondition {
  mask: Uint8Array;
  owner: string | null;
}

/**
 * Per row, which conditions it fails: 0 none, `owner + 1` when only conditions of one owner fail, 255 when more do.
 * A column's distribution under all conditions but its own counts rows with 0 or its own number. Yields between blocks of
 * rows, like all that counts here.
 */
export function* markFailures(
  rows: number,
  conditions: readonly MaskedCondition[],
): Generator<void, { marks: Uint8Array; owners: string[] }> {
  const marks = new Uint8Array(rows);
  const owners: string[] = [];
  for (const { mask, owner } of conditions) {
    let mark = several;
    if (owner !== null) {
      if (!owners.includes(owner)) owners.push(owner);
      mark = Math.min(several, owners.indexOf(owner) + 1);
    }
    for (const [from, to] of blocksOf(rows)) {
      for (let row = from; row < to; row++) {
        if (mask[row] !== 0) continue;
        const before = marks[row]!;
        marks[row] = before === 0 || before === mark ? mark : several;
      }
      yield;
    }
  }
  return { marks, owners };
}

const several = 255;

/** 1 where a row fails nothing but conditions of the given owners. */
export function* maskWithout(
  marks: Uint8Array,
  owners: readonly string[],
  without: readonly string[],
): Generator<void, Uint8Array> {
  const passes = new Uint8Array(256);
  passes[0] = 1;
  for (const name of without) {
    const at = owners.indexOf(name);
    if (at >= 0 && at + 1 < several) passes[at + 1] = 1;
  }
  const mask = new Uint8Array(marks.length);
  for (const [from, to] of blocksOf(marks.length)) {
    for (let row = from; row < to; row++) mask[row] = passes[marks[row]!]!;
    yield;
  }
  return mask;
}

/** 1 where both have 1. */
export function* maskOfBoth(mask: Uint8Array, other: Uint8Array): Generator<void, Uint8Array> {
  const both = new Uint8Array(mask.length);
  for (const [from, to] of blocksOf(mask.length)) {
    for (let row = from; row < to; row++) both[row] = mask[row]! & other[row]!;
    yield;
  }
  return both;
}

/** How many rows have each code; of lists each element counts, once per row. */
export function* countCodes(
  { codes, offsets, size }: CodedColumn,
  mask: Uint8Array | null,
): Generator<void, Uint32Array> {
  const counts = new Uint32Array(256);
  const rows = offsets ? offsets.length - 1 : codes.length;
  for (const [from, to] of blocksOf(rows)) {
    if (offsets) countElements({ counts, codes, mask, offsets, from, to });
    else if (mask) for (let row = from; row < to; row++) counts[codes[row]!]! += mask[row]!;
    else for (let row = from; row < to; row++) counts[codes[row]!]! += 1;
    yield;
  }
  return counts.subarray(0, size);
}

interface Elements {
  counts: Uint32Array;
  codes: Uint8Array;
  mask: Uint8Array | null;
  offsets: Uint32Array;
  from: number;
  to: number;
}

function countElements({ counts, codes, mask, offsets, from, to }: Elements): void {
  for (let row = from; row < to; row++) {
    if (mask && mask[row] === 0) continue;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) counts[codes[at]!]! += 1;
  }
}

export function* countRowsIn(mask: Uint8Array): Generator<void, number> {
  let rows = 0;
  for (const [from, to] of blocksOf(mask.length)) {
    for (let row = from; row < to; row++) rows += mask[row]!;
    yield;
  }
  return rows;
}
