/** The codes of a block of rows: one per row, or for lists those from `offsets[row]` to `offsets[row + 1]`. */
export interface CodedRows {
  codes: Uint8Array;
  /** One more than rows. */
  offsets?: Uint32Array;
}

/**
 * For one column (the brushed) against another: how many rows have a code below `from` in the brushed one, per code of
 * the other, for every `from` (prefix sums). Any brush is then the difference of two rows of the cube: its cost does not
 * depend on the number of rows. After Moritz, Howe and Heer, Falcon, CHI 2019.
 */
export interface Cube {
  /** `(codes of the brushed + 1) * width` numbers. */
  prefix: ArrayLike<number>;
  width: number;
}

export interface CubeShape {
  /** Codes of the brushed column at most, and of the other. */
  codes: number;
  otherCodes: number;
  /** Code of the other to its place in the cube (bars, where not every bin is shown). */
  place: Uint8Array;
  width: number;
}

export interface CubeRows {
  active: Uint8Array;
  other: CodedRows;
  /** 1 for rows that count. */
  mask: Uint8Array | null;
}

export interface CubeCounter {
  add(rows: CubeRows): void;
  finish(): Cube;
}

/** A block of rows takes some milliseconds. */
export const rowsAtOnce = 1 << 20;
/** Codes are bytes, so pairs of them have 65,536 places. */
const pairs = 1 << 16;

/** Counts a cube, block of rows after block of rows. */
export function createCubeCounter({ codes, otherCodes, place, width }: CubeShape): CubeCounter {
  const even = new Uint32Array(pairs);
  const odd = new Uint32Array(pairs);
  return {
    add({ active, other, mask }) {
      const block = { a: active, even, odd };
      if (other.offsets) countLists(block, other.codes, other.offsets, mask);
      else if (mask) countMasked(block, other.codes, mask);
      else countPlain(block, other.codes);
    },
    finish() {
      const prefix = new Float64Array((codes + 1) * width);
      for (let code = 0; code < codes; code++) {
        const row = (code + 1) * width;
        for (let at = 0; at < otherCodes; at++)
          prefix[row + place[at]!]! += even[(code << 8) | at]! + odd[(code << 8) | at]!;
        for (let at = 0; at < width; at++) prefix[row + at]! += prefix[row - width + at]!;
      }
      return { prefix, width };
    },
  };
}

/** Rows in turns to two tables: neighbours often have the same codes, and the same place cannot be counted up twice at once. */
interface Block {
  a: Uint8Array;
  even: Uint32Array;
  odd: Uint32Array;
}

function countPlain({ a, even, odd }: Block, b: Uint8Array): void {
  const rows = a.length;
  let row = 0;
  for (; row + 1 < rows; row += 2) {
    even[(a[row]! << 8) | b[row]!]! += 1;
    odd[(a[row + 1]! << 8) | b[row + 1]!]! += 1;
  }
  if (row < rows) even[(a[row]! << 8) | b[row]!]! += 1;
}

function countMasked({ a, even, odd }: Block, b: Uint8Array, mask: Uint8Array): void {
  const rows = a.length;
  let row = 0;
  for (; row + 1 < rows; row += 2) {
    even[(a[row]! << 8) | b[row]!]! += mask[row]!;
    odd[(a[row + 1]! << 8) | b[row + 1]!]! += mask[row + 1]!;
  }
  if (row < rows) even[(a[row]! << 8) | b[row]!]! += mask[row]!;
}

function countLists(
  { a, even }: Block,
  codes: Uint8Array,
  offsets: Uint32Array,
  mask: Uint8Array | null,
): void {
  for (let row = 0; row < a.length; row++) {
    if (mask && mask[row] === 0) continue;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) even[(a[row]! << 8) | codes[at]!]! += 1;
  }
}

/** Codes `from` (inclusive) to `to` (exclusive). */
export type CodeRun = readonly [from: number, to: number];

/** Counts per place of the rows whose code in the brushed column lies in one of the runs. */
export function brushCube({ prefix, width }: Cube, runs: readonly CodeRun[], into?: number[]): number[] {
  const counts = into ?? new Array<number>(width);
  for (let place = 0; place < width; place++) {
    let sum = 0;
    for (const [from, to] of runs) sum += prefix[to * width + place]! - prefix[from * width + place]!;
    counts[place] = sum;
  }
  return counts;
}

/** Ascending codes as runs of neighbours. */
export function runsOf(codes: readonly number[]): CodeRun[] {
  const runs: [number, number][] = [];
  for (const code of [...codes].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === code) last[1] = code + 1;
    else if (!last || last[1] < code) runs.push([code, code + 1]);
  }
  return runs;
}
