/** The codes of a column's rows: one per row, or for lists those from `offsets[row]` to `offsets[row + 1]`. */
export interface CodedColumn {
  codes: Uint8Array;
  offsets?: Uint32Array;
  /** Codes at most. */
  size: number;
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

export interface CubeInput {
  active: CodedColumn;
  other: CodedColumn;
  /** Code of the other to its place in the cube (bars, where not every bin is shown). */
  place: Uint8Array;
  width: number;
  /** 1 for rows that count. */
  mask: Uint8Array | null;
}

const rowsAtOnce = 1 << 20;

/** Counts a cube; yields between blocks of rows, so that the caller may breathe or stop. Lists as the brushed column count nothing. */
export function* countCube({ active, other, place, width, mask }: CubeInput): Generator<void, Cube> {
  const cells = new Uint32Array((active.size + 1) * width);
  const rows = active.offsets ? 0 : active.codes.length;
  const placed = new Uint8Array(256);
  placed.set(place);
  for (let from = 0; from < rows; from += rowsAtOnce) {
    const to = Math.min(rows, from + rowsAtOnce);
    if (other.offsets) countLists(cells, { active, other, placed, width, mask, from, to });
    else if (mask) countMasked(cells, { a: active.codes, b: other.codes, placed, width, mask, from, to });
    else countPlain(cells, { a: active.codes, b: other.codes, placed, width, from, to });
    yield;
  }
  for (let at = width; at < cells.length; at++) cells[at]! += cells[at - width]!;
  return { prefix: cells, width };
}

interface Block {
  a: Uint8Array;
  b: Uint8Array;
  placed: Uint8Array;
  width: number;
  from: number;
  to: number;
}

function countPlain(cells: Uint32Array, { a, b, placed, width, from, to }: Block): void {
  for (let row = from; row < to; row++) cells[(a[row]! + 1) * width + placed[b[row]!]!]! += 1;
}

function countMasked(
  cells: Uint32Array,
  { a, b, placed, width, from, to, mask }: Block & { mask: Uint8Array },
): void {
  for (let row = from; row < to; row++) cells[(a[row]! + 1) * width + placed[b[row]!]!]! += mask[row]!;
}

function countLists(
  cells: Uint32Array,
  {
    active,
    other,
    placed,
    width,
    mask,
    from,
    to,
  }: Omit<CubeInput, 'place'> & { placed: Uint8Array; from: number; to: number },
): void {
  const offsets = other.offsets!;
  for (let row = from; row < to; row++) {
    if (mask && mask[row] === 0) continue;
    const base = (active.codes[row]! + 1) * width;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) cells[base + placed[other.codes[at]!]!]! += 1;
  }
}

/** Runs a counting generator to its end. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
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
